//! The staged changes, and the proposed commit message.

use super::compaction::NoSummary;
use benchdog_base::id::BlobId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// Hash of the staged content, to detect changes.
    pub digest: BlobId,
    pub stat: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    pub files: Files,
    /// Truncated diff, without files that may contain secrets.
    pub diff: String,
    pub cut: bool,
    pub secret: Vec<String>,
    pub subjects: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Proposed message. Empty if no model wrote a message, for the reason in `trouble`.
    pub message: String,
    pub trouble: Option<NoSummary>,
    pub files: Files,
    pub cut: bool,
    pub secret: Vec<String>,
}

/// Files that can be staged after the person confirms.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unstaged {
    pub changed: Vec<String>,
    pub new: Vec<String>,
    /// Files that may contain secrets. They are not staged.
    pub secret: Vec<String>,
    /// Number of unlisted new files. They are not staged.
    pub unnamed: usize,
}

impl Unstaged {
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.has_nothing_new()
    }

    pub fn has_nothing_new(&self) -> bool {
        self.new.is_empty() && self.secret.is_empty() && self.unnamed == 0
    }

    pub fn can_be_staged(&self) -> bool {
        !self.changed.is_empty() || !self.new.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotStaged {
    NoRepository,
    Unstaged(Unstaged),
    Clean,
    Conflict { paths: Vec<String> },
    Slow,
    Git { said: String },
}
