//! Worktrees that Benchdog makes of a repository: a folder and a branch of its own for one task.

use serde::{Deserialize, Serialize};

/// What the branches of worktrees begin with.
pub(crate) const BRANCHES: &str = "benchdog/";

/// One that is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Worktree {
    pub(crate) name: String,
    pub(crate) branch: String,
    /// The absolute path of its folder.
    pub(crate) path: String,
    /// Files that are not as they are committed there.
    pub(crate) changed: u64,
    /// Commits of its branch that the branch of the main tree does not have.
    pub(crate) ahead: u64,
}

impl Worktree {
    /// Whether nothing is lost when it goes.
    pub(crate) fn is_spent(&self) -> bool {
        self.changed == 0 && self.ahead == 0
    }
}

/// What is in the main tree and not in a worktree that was just made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeftOut {
    /// The first of those that git ignores, folders with a slash.
    pub(crate) ignored: Vec<String>,
    /// How many there are beside them.
    pub(crate) more: u64,
    /// Files that are changed and not committed.
    pub(crate) uncommitted: u64,
}

/// Why no worktree was made, or one was not removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum NoWorktree {
    /// There is no program `git`.
    NoGit,
    NoRepository,
    /// The repository has no files to look at.
    Bare,
    /// Nothing is committed yet.
    Unborn,
    /// No branch can have this name.
    BadName {
        name: String,
    },
    /// Something else has the name.
    Taken {
        name: String,
        branch: String,
    },
    /// The repository names programs that would run as files are written, and its folder is not trusted.
    Filters {
        names: Vec<String>,
    },
    /// The session works in none, and none was named.
    NotInOne,
    /// There is none of this name.
    Unknown {
        name: String,
    },
    /// A session that is open works in it.
    InUse {
        name: String,
    },
    /// Git took longer than this.
    Slow {
        seconds: u64,
    },
    /// Git says more than is read of it.
    TooLong,
    Failed {
        said: String,
    },
}

/// What is said of worktrees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum WorktreeNotice {
    /// One was made.
    Made {
        worktree: String,
        branch: String,
        left_out: LeftOut,
    },
    Removed {
        worktree: String,
    },
    /// It is not as it was shown any more, so it stays.
    Changed {
        worktree: String,
    },
    No(NoWorktree),
    /// What it changed is decided in this session, which works in the folder that takes it over.
    MergedHere {
        branch: String,
        folder: String,
    },
    /// It changed nothing that could be taken over.
    NothingToMerge {
        branch: String,
    },
    /// Files that it changed and that are no text are not taken over.
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
