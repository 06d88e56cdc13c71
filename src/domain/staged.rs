//! The staged changes, and the proposed commit message.

use super::compaction::NoSummary;
use crate::base::id::BlobId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Files {
    /// Changes whenever the staged content changes.
    pub(crate) digest: BlobId,
    /// The output of `git diff --stat`.
    pub(crate) stat: String,
}

/// The input for a commit message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Staged {
    pub(crate) files: Files,
    /// The diff, truncated, without files that may contain secrets.
    pub(crate) diff: String,
    pub(crate) cut: bool,
    /// Staged files that may contain secrets.
    pub(crate) secret: Vec<String>,
    /// Subjects of recent commits, newest first.
    pub(crate) subjects: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proposal {
    /// Empty if no model wrote one. `trouble` has the reason.
    pub(crate) message: String,
    pub(crate) trouble: Option<NoSummary>,
    pub(crate) files: Files,
    pub(crate) cut: bool,
    pub(crate) secret: Vec<String>,
}

/// Files that can be staged after the person confirms.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Unstaged {
    pub(crate) changed: Vec<String>,
    /// Untracked files that are not ignored.
    pub(crate) new: Vec<String>,
    /// Files among them that may contain secrets. They are not staged.
    pub(crate) secret: Vec<String>,
    /// Number of new files beyond the listed ones. They are not staged.
    pub(crate) unnamed: usize,
}

impl Unstaged {
    pub(crate) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.has_nothing_new()
    }

    pub(crate) fn has_nothing_new(&self) -> bool {
        self.new.is_empty() && self.secret.is_empty() && self.unnamed == 0
    }

    pub(crate) fn can_be_staged(&self) -> bool {
        !self.changed.is_empty() || !self.new.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotStaged {
    NoRepository,
    Unstaged(Unstaged),
    Clean,
    Conflict { paths: Vec<String> },
    Slow,
    Git { said: String },
}
