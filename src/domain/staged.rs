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

/// What could be staged. It is, where the person says so after it was named.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Unstaged {
    /// Files that git knows, and that have changed.
    pub(crate) changed: Vec<String>,
    /// Files of the folder that it does not know and is not told to ignore.
    pub(crate) new: Vec<String>,
    /// Those of them that may hold secrets; they stay out.
    pub(crate) secret: Vec<String>,
    /// So many new files are too many to be named, and stay out.
    pub(crate) unnamed: usize,
}

impl Unstaged {
    pub(crate) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.has_nothing_new()
    }

    pub(crate) fn has_nothing_new(&self) -> bool {
        self.new.is_empty() && self.secret.is_empty() && self.unnamed == 0
    }

    /// Whether anything of it may be staged together.
    pub(crate) fn can_be_staged(&self) -> bool {
        !self.changed.is_empty() || !self.new.is_empty()
    }
}

/// Why there is nothing to commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotStaged {
    NoRepository,
    /// Something could be.
    Unstaged(Unstaged),
    /// Nothing differs from what was committed last.
    Clean,
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
