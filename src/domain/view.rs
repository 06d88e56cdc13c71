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
