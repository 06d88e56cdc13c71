//! Child agents: sessions that a call of another session began, and how they ended.

use serde::{Deserialize, Serialize};

use super::agent::{AgentName, ModelRef};
use super::budget::Usage;
use crate::base::id::{CallId, SessionId};

/// Whose child a session is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parent {
    pub(crate) session: SessionId,
    /// The call that began it.
    pub(crate) call: CallId,
}

/// What the log of the parent knows of a child: that it began, and later how it ended.
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
    /// Requests it made.
    pub(crate) steps: u32,
    /// What it took, by model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) spent: Vec<Spent>,
}

/// What one model took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub(crate) model: ModelRef,
    pub(crate) answers: u64,
    pub(crate) usage: Usage,
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChildEnd {
    /// It said all it had to say.
    Done,
    StepsOver,
    TimeOver,
    WindowOver,
    /// The tokens or the money of the whole run are spent.
    BudgetOver,
    /// It went round in a loop.
    Loop,
    /// Its calls were refused one after the other.
    Denied,
    Failed,
    /// By the person, or with the turn of its parent.
    Stopped,
    /// The program ended while it worked.
    Cut,
}

impl ChildEnd {
    /// As the model and scripts read it.
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

/// What a child is doing, as its row says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChildState {
    /// It waits until others have ended.
    Queued,
    Works,
    /// A request of it waits for the person.
    Waits,
    Ended(ChildEnd),
}
