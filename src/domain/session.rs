//! What is known of a session without reading its log.

use serde::{Deserialize, Serialize};

use super::agent::{AgentName, ModelRef};
use super::child::Parent;
use crate::base::clock::Time;
use crate::base::id::SessionId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SessionMeta {
    pub(crate) id: SessionId,
    /// The first line of the first prompt; empty before there is one.
    pub(crate) title: String,
    /// The absolute path of the folder it works in.
    pub(crate) workspace: String,
    pub(crate) created: Time,
    pub(crate) updated: Time,
    pub(crate) model: Option<ModelRef>,
    pub(crate) agent: AgentName,
    /// Number of entries, for lists.
    pub(crate) entries: u64,
    /// What was known of its model's window when it was used last: what the next run sends begins with the same bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) window: Option<Box<(ModelRef, u64)>>,
    /// Whose child it is. Such a session is no piece of work of its own: lists leave it out, and its parent's deletion takes it along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<Box<Parent>>,
    /// Random tag of Benchdog's notes to the model, so that no file can imitate one. Sessions of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tag: Option<Box<str>>,
}

/// Who has a session open, as its lock file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeaseHolder {
    pub(crate) pid: u32,
    pub(crate) host: String,
    pub(crate) tty: Option<String>,
    pub(crate) started: Time,
}
