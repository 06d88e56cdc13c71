//! State of a session's folder at certain log entries: the git commit, and the last checkpoint.

use serde::{Deserialize, Serialize};

use benchdog_base::id::{EntryId, SessionId};

/// Maximum number of `HEAD` positions to store for a session. The oldest are dropped first.
const MOST_HEADS: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// `None` for a detached `HEAD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The full commit hash. Empty before the first commit.
    pub commit: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadMoved {
    pub was: Head,
    pub is: Head,
    /// Number of commits reachable from the new position but not from the old one. `None` if unknown.
    pub commits: Option<u64>,
}

/// Changes in the folder after the session was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderChanges {
    pub files: usize,
    pub names: Vec<String>,
    pub head: Option<HeadMoved>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadAt {
    pub after: EntryId,
    pub head: Head,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointAt {
    pub after: EntryId,
    pub tree: String,
}

/// Recorded states of a session's folder. Stored in a file next to the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderStates {
    pub session: SessionId,
    pub root: String,
    #[serde(default)]
    pub heads: Vec<HeadAt>,
    #[serde(default)]
    pub checkpoint: Option<CheckpointAt>,
    /// Last log entry before a rewind of files and conversation. `None` after the conversation was rewound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewind_after: Option<EntryId>,
}

impl FolderStates {
    pub fn new(session: SessionId, root: String) -> Self {
        Self {
            session,
            root,
            heads: Vec::new(),
            checkpoint: None,
            rewind_after: None,
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

    pub fn head_at(&self, entry: EntryId) -> Option<&Head> {
        let mut before = self.heads.iter().rev();
        before.find(|at| at.after <= entry).map(|at| &at.head)
    }
}

#[cfg(test)]
mod tests;
