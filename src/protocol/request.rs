//! Approval requests, and the progress of subagents.

use std::sync::Arc;

use crate::base::clock::Time;
use crate::base::id::{CallId, SeatId, SessionId};
use crate::domain::agent::AgentName;
use crate::domain::call::Origin;
use crate::domain::child::ChildState;
use crate::domain::permission::Verdict;
use crate::domain::review::Review;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApprovalRequest {
    pub(crate) call: CallId,
    /// Number of times the proposal was rebuilt since the first request. An approval applies to this edition only.
    pub(crate) edition: u32,
    pub(crate) on_disk: OnDisk,
    pub(crate) origin: Origin,
    pub(crate) tool: String,
    pub(crate) title: String,
    pub(crate) review: Review,
    pub(crate) verdict: Verdict,
    /// The subagent that made the call. `call` is then an id in the parent's session.
    pub(crate) child: Option<AskingChild>,
}

/// The relation between the files of a proposal and the files on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum OnDisk {
    #[default]
    AsShown,
    /// The files were saved by another program. The proposal was rebuilt on the new content.
    Newer,
    /// The files were saved by another program, and the proposal no longer applies.
    FitsNot,
    /// The files are being saved repeatedly. They are checked again at the decision.
    KeepsChanging,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskingChild {
    pub(crate) seat: SeatId,
    /// The call's id in the subagent's session.
    pub(crate) call: CallId,
    pub(crate) agent: AgentName,
    pub(crate) task: String,
}

/// A preview of the later calls of a reply while a request is pending. They cannot be decided yet, and are prepared again when their turn
/// comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ahead {
    /// The pending request.
    pub(crate) of: CallId,
    /// Number of calls of the reply that the person has decided.
    pub(crate) decided: usize,
    /// All calls of the reply, in order.
    pub(crate) rows: Vec<AheadRow>,
    /// The calls that will probably need approval, in order.
    pub(crate) asks: Vec<Arc<ApprovalRequest>>,
    /// Whether the need for approval is unknown for some calls.
    pub(crate) is_unsure: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AheadRow {
    pub(crate) call: CallId,
    pub(crate) tool: String,
    pub(crate) title: String,
}

impl AskingChild {
    /// Formats the name as `explore · find callers`.
    pub(crate) fn name(&self) -> String {
        format!("{} · {}", self.agent, self.task)
    }
}

/// The progress of a subagent, sent a few times per second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChildLive {
    /// The call in the parent's session.
    pub(crate) call: CallId,
    pub(crate) seat: SeatId,
    /// `None` while it waits to start.
    pub(crate) session: Option<SessionId>,
    pub(crate) agent: AgentName,
    pub(crate) task: String,
    pub(crate) state: ChildState,
    /// Number of requests so far.
    pub(crate) step: u32,
    /// The newest call.
    pub(crate) doing: String,
    /// Tokens so far, as counted by its servers.
    pub(crate) tokens: u64,
    pub(crate) since: Time,
}
