//! Worktrees created by Benchdog. Each is a folder and a branch for one task.

use serde::{Deserialize, Serialize};

pub const BRANCHES: &str = "benchdog/";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worktree {
    pub name: String,
    pub branch: String,
    pub path: String,
    pub changed: u64,
    pub ahead: u64,
}

impl Worktree {
    pub fn is_spent(&self) -> bool {
        self.changed == 0 && self.ahead == 0
    }
}

/// Files of the main tree that a new worktree does not contain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub ignored: Vec<String>,
    pub more: u64,
    pub uncommitted: u64,
    /// Number of ignored files that were copied because `.worktreeinclude` lists them.
    #[serde(default)]
    pub copied: u64,
    /// Number of files in `.worktreeinclude` that could not be copied.
    #[serde(default)]
    pub omitted: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NoWorktree {
    NoGit,
    NoRepository,
    Bare,
    Unborn,
    BadName { name: String },
    Taken { name: String, branch: String },
    Filters { names: Vec<String> },
    NotInOne,
    Unknown { name: String },
    InUse { name: String },
    Slow { seconds: u64 },
    TooLong,
    Failed { said: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum WorktreeNotice {
    Made {
        worktree: String,
        branch: String,
        left_out: LeftOut,
    },
    Removed {
        worktree: String,
    },
    Changed {
        worktree: String,
    },
    No(NoWorktree),
    /// The person decides about the merge in this session, which works in the target folder.
    MergedHere {
        branch: String,
        folder: String,
    },
    NothingToMerge {
        branch: String,
    },
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
