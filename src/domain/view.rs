//! How a person likes things to be shown, where they chose it while they worked: kept from one start to the next, and never in their
//! configuration.

use std::sync::Arc;

use crate::domain::image::ImageKind;

/// How a diff is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiffLayout {
    Unified,
    SideBySide,
}

impl DiffLayout {
    /// As it is kept.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unified => "unified",
            Self::SideBySide => "side_by_side",
        }
    }

    /// `None`: another version wrote it, or nobody did.
    pub(crate) fn of(name: &str) -> Option<Self> {
        [Self::Unified, Self::SideBySide]
            .into_iter()
            .find(|layout| layout.name() == name)
    }
}

/// Whether a diff has room for both sides. What a person chose where there is room says nothing of where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiffRoom {
    Wide,
    Narrow,
}

/// How a person wants diffs to be shown, as far as they said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DiffLayouts {
    wide: Option<DiffLayout>,
    narrow: Option<DiffLayout>,
}

impl DiffLayouts {
    pub(crate) fn at(self, room: DiffRoom) -> Option<DiffLayout> {
        match room {
            DiffRoom::Wide => self.wide,
            DiffRoom::Narrow => self.narrow,
        }
    }

    pub(crate) fn at_mut(&mut self, room: DiffRoom) -> &mut Option<DiffLayout> {
        match room {
            DiffRoom::Wide => &mut self.wide,
            DiffRoom::Narrow => &mut self.narrow,
        }
    }
}

/// What can be shown of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Viewed {
    Text(Arc<str>),
    NoText(NoText),
}

/// A file whose bytes would tell nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoText {
    Image {
        kind: ImageKind,
        /// Width and height in pixels; `None`: it is damaged.
        sides: Option<(u32, u32)>,
        bytes: u64,
    },
    Bytes {
        bytes: u64,
    },
}
