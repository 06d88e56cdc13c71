//! Subagents: sessions started by a call of another session, and their results.

use serde::{Deserialize, Serialize};

use super::agent::{AgentName, ModelRef};
use super::budget::Usage;
use benchdog_base::id::{CallId, SessionId};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    pub session: SessionId,
    pub call: CallId,
}

/// Log entry about a subagent in its parent's log. The parent logs one entry when the subagent starts, and another when
/// it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildEntry {
    pub call: CallId,
    pub session: SessionId,
    pub agent: AgentName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<ChildEnded>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildEnded {
    pub how: ChildEnd,
    pub steps: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spent: Vec<Spent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    pub model: ModelRef,
    pub answers: u64,
    pub usage: Usage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChildEnd {
    Done,
    StepsOver,
    TimeOver,
    WindowOver,
    BudgetOver,
    Loop,
    Denied,
    Failed,
    Stopped,
    Cut,
}

impl ChildEnd {
    pub fn word(self) -> &'static str {
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

/// Current activity of a subagent, shown on its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildState {
    Queued,
    Works,
    Waits,
    Ended(ChildEnd),
}
