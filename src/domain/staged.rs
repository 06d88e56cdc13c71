//! What the next commit would hold, and the message that is proposed for it.

use super::compaction::NoSummary;
use crate::base::id::BlobId;

/// The files that the next commit would hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Files {
    /// Differs wherever what is staged does.
    pub(crate) digest: BlobId,
    /// With their counts, as `git diff --stat` writes them.
    pub(crate) stat: String,
}

/// What is staged, as far as a message is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Staged {
    pub(crate) files: Files,
    /// The changes without those of secret files, cut.
    pub(crate) diff: String,
    /// Whether anything of the changes is missing in `diff`.
    pub(crate) cut: bool,
    /// Files that are staged and may hold secrets.
    pub(crate) secret: Vec<String>,
    /// First lines of the newest commits, the newest first.
    pub(crate) subjects: Vec<String>,
}

/// What a person is shown before they commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proposal {
    /// Empty where no model made one; `trouble` says why.
    pub(crate) message: String,
    pub(crate) trouble: Option<NoSummary>,
    pub(crate) files: Files,
    pub(crate) cut: bool,
    pub(crate) secret: Vec<String>,
}

/// Why there is nothing to commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotStaged {
    NoRepository,
    /// These known files have changed and are not staged.
    Changed {
        paths: Vec<String>,
    },
    /// Nothing known has changed; so many files are not known to git.
    Clean {
        unknown: usize,
    },
    /// These are in conflict.
    Conflict {
        paths: Vec<String>,
    },
    /// Git gave no answer in time.
    Slow,
    /// In git's words.
    Git {
        said: String,
    },
}
