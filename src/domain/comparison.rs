//! A working tree, or a commit, against another commit: what `/diff` shows and a review reads.

use super::review::FileChange;
use crate::base::id::BlobId;

/// What differs, file by file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Comparison {
    pub(crate) of: Compares,
    pub(crate) files: Vec<Compared>,
    /// Files that differ and are not listed any more.
    pub(crate) more: usize,
}

/// What is compared with what, by the names that a person gave or would give.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Compares {
    pub(crate) before: String,
    /// `None`: the working tree.
    pub(crate) after: Option<String>,
    /// Nothing beside this.
    pub(crate) path: Option<String>,
}

/// One file of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Compared {
    pub(crate) change: FileChange,
    /// Why its sides are not here, or what they are in place of a file's text.
    pub(crate) unread: Option<NotRead>,
}

/// Lines of a file that differ from what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) path: String,
    /// What was in it then; `None`: there was none.
    pub(crate) before: Option<BlobId>,
    pub(crate) added: u32,
    pub(crate) removed: u32,
    /// There is such a file.
    pub(crate) is_there: bool,
    /// Where it lies in the workspace, where its name leads there through a link.
    pub(crate) lies_at: Option<String>,
}

/// What is not the text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotRead {
    TooLarge {
        bytes: u64,
    },
    /// The files before it are as much as is read at once.
    Enough,
    /// The sides are what a link leads to.
    Link,
    /// The sides are commits of a repository within this one.
    Submodule,
    /// It could not be read.
    Failed {
        why: String,
    },
}

/// Why there is nothing to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoComparison {
    NoRepository,
    /// Neither a path nor a commit or range.
    NoSuch {
        named: String,
    },
    /// Git gave no answer in time.
    Slow,
    /// In git's words.
    Git {
        said: String,
    },
}
