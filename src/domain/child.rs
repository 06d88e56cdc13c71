//! Subagents: sessions that a call of another session started, and how they ended.

use serde::{Deserialize, Serialize};

use super::agent::{AgentName, ModelRef};
use super::budget::Usage;
use crate::base::id::{CallId, SessionId};

/// The parent session of a subagent, and the call that started it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parent {
    pub(crate) session: SessionId,
    pub(crate) call: CallId,
}

/// A subagent in the log of its parent. One entry is written at its start, another at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChildEntry {
    pub(crate) call: CallId,
    pub(crate) session: SessionId,
    pub(crate) agent: AgentName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ended: Option<ChildEnded>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChildEnded {
    pub(crate) how: ChildEnd,
    pub(crate) steps: u32,
    /// Token usage by model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) spent: Vec<Spent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub(crate) model: ModelRef,
    pub(crate) answers: u64,
    pub(crate) usage: Usage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChildEnd {
    Done,
    StepsOver,
    TimeOver,
    WindowOver,
    /// Reached the token or cost limit of the run.
    BudgetOver,
    /// Repeated the same calls.
    Loop,
    Denied,
    Failed,
    /// Stopped by the person, or because the parent's turn ended.
    Stopped,
    Cut,
}

impl ChildEnd {
    /// The identifier for the model and scripts.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::StepsOver => "steps_over",
            Self::TimeOver => "time_over",
            Self::WindowOver => "window_over",
            Self::BudgetOver => "budget_over",
            Self::Loop => "loop",
            Self::Denied => "denied",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::Cut => "cut_short",
        }
    }
}

/// The activity of a subagent, shown on its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChildState {
    Queued,
    Works,
    Waits,
    Ended(ChildEnd),
}
