//! The comparison of a working tree or commit with another commit, for `/diff` and reviews.

use super::review::FileChange;
use crate::base::id::BlobId;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Comparison {
    pub(crate) of: Compares,
    pub(crate) files: Vec<Compared>,
    /// Number of further files that differ and are not listed.
    pub(crate) more: usize,
}

/// The two sides of a comparison, as a person would name them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Compares {
    pub(crate) before: String,
    /// `None` for the working tree.
    pub(crate) after: Option<String>,
    pub(crate) path: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Compared {
    pub(crate) change: FileChange,
    /// The reason why the sides are missing or are not the text of a file.
    pub(crate) unread: Option<NotRead>,
}

/// Counts of the lines in which a file differs from an earlier version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) path: String,
    /// The earlier content. `None` if the file did not exist.
    pub(crate) before: Option<BlobId>,
    pub(crate) added: u32,
    pub(crate) removed: u32,
    pub(crate) is_there: bool,
    /// The target in the workspace, if the path leads through a symbolic link.
    pub(crate) lies_at: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotRead {
    TooLarge {
        bytes: u64,
    },
    /// The files before this one reached the size limit.
    Enough,
    /// The sides are link targets.
    Link,
    /// The sides are commits of a submodule.
    Submodule,
    Failed {
        why: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoComparison {
    NoRepository,
    NoSuch { named: String },
    Slow,
    Git { said: String },
}
