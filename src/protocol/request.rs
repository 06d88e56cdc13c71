//! Approval requests, and the progress of subagents.

use std::sync::Arc;

use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_domain::agent::AgentName;
use benchdog_domain::call::Origin;
use benchdog_domain::child::ChildState;
use benchdog_domain::permission::Verdict;
use benchdog_domain::review::Review;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalRequest {
    pub call: CallId,
    /// The number of times that the proposal was rebuilt. An approval applies only to the edition that was shown.
    pub edition: u32,
    pub on_disk: OnDisk,
    pub origin: Origin,
    pub tool: String,
    pub title: String,
    pub review: Review,
    pub verdict: Verdict,
    /// The subagent that made the call. If set, `call` is an id in the parent's session.
    pub child: Option<AskingChild>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnDisk {
    #[default]
    AsShown,
    /// Another program saved the files. The proposal was rebuilt on the new content.
    Newer,
    /// Another program saved the files, and the proposal no longer applies.
    FitsNot,
    /// Another program saves the files repeatedly. The files are checked again when the person decides.
    KeepsChanging,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskingChild {
    pub seat: SeatId,
    pub call: CallId,
    pub agent: AgentName,
    pub task: String,
}

/// A preview of later calls in the same reply. They cannot be decided yet. Each is prepared again when it becomes the
/// pending call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ahead {
    pub of: CallId,
    /// Number of calls in the reply on which the person has already decided.
    pub decided: usize,
    pub rows: Vec<AheadRow>,
    pub asks: Vec<Arc<ApprovalRequest>>,
    /// Whether some call could not be prepared. It is then unknown whether that call needs approval.
    pub is_unsure: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AheadRow {
    pub call: CallId,
    pub tool: String,
    pub title: String,
}

impl AskingChild {
    pub fn name(&self) -> String {
        format!("{} · {}", self.agent, self.task)
    }
}

/// The progress of a subagent, sent a few times per second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildLive {
    pub call: CallId,
    pub seat: SeatId,
    /// The subagent's session. `None` while the subagent is queued.
    pub session: Option<SessionId>,
    pub agent: AgentName,
    pub task: String,
    pub state: ChildState,
    /// Number of requests to the model so far.
    pub step: u32,
    pub doing: String,
    /// Number of tokens so far, as reported by the model servers.
    pub tokens: u64,
    pub since: Time,
}
