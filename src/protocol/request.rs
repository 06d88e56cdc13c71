//! What is told of a call that waits for the person, and of the child that does one.

use std::sync::Arc;

use crate::base::clock::Time;
use crate::base::id::{CallId, SeatId, SessionId};
use crate::domain::agent::AgentName;
use crate::domain::call::Origin;
use crate::domain::child::ChildState;
use crate::domain::permission::Verdict;
use crate::domain::review::Review;

/// All that the approval dialog shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApprovalRequest {
    pub(crate) call: CallId,
    /// How often its proposal was made anew since it was first asked about: what is allowed is this one and no other.
    pub(crate) edition: u32,
    pub(crate) on_disk: OnDisk,
    pub(crate) origin: Origin,
    pub(crate) tool: String,
    pub(crate) title: String,
    pub(crate) review: Review,
    pub(crate) verdict: Verdict,
    /// The child whose call it is; `call` is then a name for it in the session of its parent.
    pub(crate) child: Option<AskingChild>,
}

/// How the files of a proposal stand to what is on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum OnDisk {
    #[default]
    AsShown,
    /// They were saved elsewhere, and it is made against what is there now.
    Newer,
    /// They were saved elsewhere, and it does not fit them any more.
    FitsNot,
    /// They are saved all the time; it is looked at again when it is decided.
    KeepsChanging,
}

/// A child that asks for permission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskingChild {
    pub(crate) seat: SeatId,
    /// The call as its own session knows it.
    pub(crate) call: CallId,
    pub(crate) agent: AgentName,
    pub(crate) task: String,
}

/// The calls of the same reply behind a request that waits, looked at before their turn: nothing of them can be decided yet, and what is
/// asked then is made anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ahead {
    /// The request that waits.
    pub(crate) of: CallId,
    /// How many of the reply the person decided before it.
    pub(crate) decided: usize,
    /// All of them, in order.
    pub(crate) rows: Vec<AheadRow>,
    /// Those that will ask, as far as can be known now, in order.
    pub(crate) asks: Vec<Arc<ApprovalRequest>>,
    /// Of some it cannot be known.
    pub(crate) is_unsure: bool,
}

/// What a call is, and what about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AheadRow {
    pub(crate) call: CallId,
    pub(crate) tool: String,
    pub(crate) title: String,
}

impl AskingChild {
    /// `explore · find callers`
    pub(crate) fn name(&self) -> String {
        format!("{} · {}", self.agent, self.task)
    }
}

/// Where a child stands, a few times a second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChildLive {
    /// Of its parent.
    pub(crate) call: CallId,
    pub(crate) seat: SeatId,
    /// `None`: it waits to begin.
    pub(crate) session: Option<SessionId>,
    pub(crate) agent: AgentName,
    /// What it is about, in a few words.
    pub(crate) task: String,
    pub(crate) state: ChildState,
    /// Requests it has made.
    pub(crate) step: u32,
    /// Its newest call.
    pub(crate) doing: String,
    /// What its servers counted so far.
    pub(crate) tokens: u64,
    pub(crate) since: Time,
}
