//! Session metadata, available without reading the log.

use serde::{Deserialize, Serialize};

use super::agent::{AgentName, ModelRef};
use super::child::Parent;
use benchdog_base::clock::Time;
use benchdog_base::id::SessionId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionMeta {
    pub id: SessionId,
    /// The first line of the first prompt. Empty before there is one.
    pub title: String,
    pub workspace: String,
    pub created: Time,
    pub updated: Time,
    pub model: Option<ModelRef>,
    pub agent: AgentName,
    pub entries: u64,
    /// The last known window of the model, so that the next run sends the same bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Box<(ModelRef, u64)>>,
    /// The parent of a subagent's session. Lists omit such a session, and it is deleted with its parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Box<Parent>>,
    /// A random tag of Benchdog's notes to the model, so that no file can imitate one. Missing in sessions
    /// of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<Box<str>>,
}

impl SessionMeta {
    /// Returns the description of a new session that continues this one.
    #[must_use]
    pub fn fork(self, now: Time) -> Self {
        Self {
            id: SessionId::fresh(),
            created: now,
            updated: now,
            entries: 0,
            parent: None,
            ..self
        }
    }
}

/// The process that has a session open, from its lock file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseHolder {
    pub pid: u32,
    pub host: String,
    pub tty: Option<String>,
    pub started: Time,
}
