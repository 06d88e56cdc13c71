//! Display preferences chosen in the workbench. They are stored outside the configuration.

use std::sync::Arc;

use crate::image::ImageKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffLayout {
    Unified,
    SideBySide,
}

impl DiffLayout {
    pub fn name(self) -> &'static str {
        match self {
            Self::Unified => "unified",
            Self::SideBySide => "side_by_side",
        }
    }

    pub fn of(name: &str) -> Option<Self> {
        [Self::Unified, Self::SideBySide]
            .into_iter()
            .find(|layout| layout.name() == name)
    }
}

/// Whether the screen is wide enough for a side-by-side diff. The preferred layout is stored separately for wide and
/// narrow screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffRoom {
    Wide,
    Narrow,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiffLayouts {
    wide: Option<DiffLayout>,
    narrow: Option<DiffLayout>,
}

impl DiffLayouts {
    pub fn at(self, room: DiffRoom) -> Option<DiffLayout> {
        match room {
            DiffRoom::Wide => self.wide,
            DiffRoom::Narrow => self.narrow,
        }
    }

    pub fn at_mut(&mut self, room: DiffRoom) -> &mut Option<DiffLayout> {
        match room {
            DiffRoom::Wide => &mut self.wide,
            DiffRoom::Narrow => &mut self.narrow,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Viewed {
    Text(Arc<str>),
    NoText(NoText),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoText {
    Image {
        kind: ImageKind,
        sides: Option<(u32, u32)>,
        bytes: u64,
    },
    Bytes {
        bytes: u64,
    },
}
