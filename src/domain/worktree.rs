//! Worktrees that Benchdog creates: a folder and a branch for one task.

use serde::{Deserialize, Serialize};

/// The prefix of the branches.
pub(crate) const BRANCHES: &str = "benchdog/";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Worktree {
    pub(crate) name: String,
    pub(crate) branch: String,
    /// The absolute path of its folder.
    pub(crate) path: String,
    /// Number of files with uncommitted changes.
    pub(crate) changed: u64,
    /// Number of commits that the main tree's branch does not have.
    pub(crate) ahead: u64,
}

impl Worktree {
    /// Whether the worktree can be removed without losing work.
    pub(crate) fn is_spent(&self) -> bool {
        self.changed == 0 && self.ahead == 0
    }
}

/// Files of the main tree that a new worktree does not contain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeftOut {
    /// The first ignored files. Folders end with a slash.
    pub(crate) ignored: Vec<String>,
    /// Number of further ignored files.
    pub(crate) more: u64,
    /// Number of files with uncommitted changes.
    pub(crate) uncommitted: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum NoWorktree {
    NoGit,
    NoRepository,
    Bare,
    Unborn,
    BadName {
        name: String,
    },
    Taken {
        name: String,
        branch: String,
    },
    /// The repository configures filter programs, and its folder is not trusted.
    Filters {
        names: Vec<String>,
    },
    /// The session works in no worktree, and none was named.
    NotInOne,
    Unknown {
        name: String,
    },
    InUse {
        name: String,
    },
    Slow {
        seconds: u64,
    },
    TooLong,
    Failed {
        said: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum WorktreeNotice {
    Made {
        worktree: String,
        branch: String,
        left_out: LeftOut,
    },
    Removed {
        worktree: String,
    },
    /// The worktree changed since it was shown, so it was not removed.
    Changed {
        worktree: String,
    },
    No(NoWorktree),
    /// The merge is decided in this session, which works in the target folder.
    MergedHere {
        branch: String,
        folder: String,
    },
    NothingToMerge {
        branch: String,
    },
    /// Changed files that are not text were not merged.
    NotMerged {
        files: Vec<String>,
    },
}

impl WorktreeNotice {
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Made { .. } => "worktree_made",
            Self::Removed { .. } => "worktree_removed",
            Self::Changed { .. } => "worktree_changed",
            Self::No(_) => "no_worktree",
            Self::MergedHere { .. } => "merged_here",
            Self::NothingToMerge { .. } => "nothing_to_merge",
            Self::NotMerged { .. } => "not_merged",
        }
    }
}
