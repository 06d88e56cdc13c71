//! What a tool call can be and how it can end.

use serde::{Deserialize, Serialize};

use super::todo::TodoList;
use crate::base::id::CallId;

/// What running a call would do to the world. Orders nothing by itself: the policy does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EffectClass {
    /// Looks only; such calls of one reply may run side by side.
    Reads,
    /// Changes files of the workspace.
    Writes,
    /// Starts a program.
    Executes,
    /// Leaves the machine.
    Network,
    /// Waits for the person.
    Asks,
    /// Changes engine state only (the todo list).
    Notes,
}

/// The end of what the model reads of every call that was refused, by a person or a rule. A recording tells by it that
/// the person went another way than the one it was made with.
pub(crate) const REFUSED: &str = "Nothing was done. Do not repeat it unchanged.";

/// How a call ended, as scripts and the transcript name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallStatus {
    Ok,
    Error,
    Denied,
    Cancelled,
}

/// What a finished tool hands back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) status: CallStatus,
    /// One line for the transcript, without the tool's name: `112 lines`, `exit 101 1.9s`, `updated +3 -1`.
    pub(crate) summary: String,
    /// What the model reads.
    pub(crate) output: String,
    /// Whether `output` was cut; it then says how to get more.
    pub(crate) truncated: bool,
    /// A stable code for an error (`outside_workspace`, `not_found`, `timeout` …).
    pub(crate) code: Option<String>,
    /// Files this call changed, with their bytes before and after.
    pub(crate) changes: Vec<AppliedChange>,
    /// The list as it stands after a `todowrite`.
    pub(crate) todo: Option<TodoList>,
}

/// One file as it was and as it now is. Bytes become blobs when the entry is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AppliedChange {
    pub(crate) path: String,
    /// `None`: the file did not exist before.
    pub(crate) before: Option<std::sync::Arc<[u8]>>,
    /// `None`: the file does not exist any more.
    pub(crate) after: Option<std::sync::Arc<[u8]>>,
    pub(crate) added: u32,
    pub(crate) removed: u32,
}

/// One line of live output of a running call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputChunk {
    pub(crate) call: CallId,
    pub(crate) text: String,
}

impl Outcome {
    pub(crate) fn ok(summary: impl Into<String>, output: impl Into<String>) -> Self {
        Self {
            status: CallStatus::Ok,
            summary: summary.into(),
            output: output.into(),
            truncated: false,
            code: None,
            changes: Vec::new(),
            todo: None,
        }
    }

    pub(crate) fn error(code: &str, output: impl Into<String>) -> Self {
        Self {
            status: CallStatus::Error,
            code: Some(code.to_owned()),
            ..Self::ok(code.replace('_', " "), output)
        }
    }
}
