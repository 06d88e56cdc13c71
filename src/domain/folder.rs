//! The folder of a session at moments of the session: its git commit, and its last checkpoint.

use serde::{Deserialize, Serialize};

use benchdog_base::id::{EntryId, SessionId};

/// The most positions of `HEAD` that are kept of a session. The oldest are dropped.
const MOST_HEADS: usize = 200;

/// The checked-out commit of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// `None` for a detached `HEAD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The full hash. Empty before the first commit.
    pub commit: String,
}

/// A `HEAD` that is on another branch or commit than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadMoved {
    pub was: Head,
    pub is: Head,
    /// Number of commits that the old position lacks. `None` if unknown.
    pub commits: Option<u64>,
}

/// Changes in the folder while the session was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderChanges {
    pub files: usize,
    /// The first paths.
    pub names: Vec<String>,
    pub head: Option<HeadMoved>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadAt {
    /// The last entry of the log at that moment.
    pub after: EntryId,
    pub head: Head,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointAt {
    pub after: EntryId,
    /// The id of the state of all files.
    pub tree: String,
}

/// The states of the folder that belong to a session, beside its log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderStates {
    pub session: SessionId,
    pub root: String,
    /// Changes of `HEAD`, oldest first.
    #[serde(default)]
    pub heads: Vec<HeadAt>,
    #[serde(default)]
    pub checkpoint: Option<CheckpointAt>,
}

impl FolderStates {
    pub fn new(session: SessionId, root: String) -> Self {
        Self {
            session,
            root,
            heads: Vec::new(),
            checkpoint: None,
        }
    }

    pub fn note_head(&mut self, after: EntryId, head: Head) {
        if self.heads.last().is_some_and(|last| last.head == head) {
            return;
        }
        self.heads.push(HeadAt { after, head });
        let surplus = self.heads.len().saturating_sub(MOST_HEADS);
        self.heads.drain(..surplus);
    }

    pub fn last_head(&self) -> Option<&Head> {
        self.heads.last().map(|at| &at.head)
    }

    /// Returns the `HEAD` when this entry was logged.
    pub fn head_at(&self, entry: EntryId) -> Option<&Head> {
        let mut before = self.heads.iter().rev();
        before.find(|at| at.after <= entry).map(|at| &at.head)
    }
}

#[cfg(test)]
mod tests;
