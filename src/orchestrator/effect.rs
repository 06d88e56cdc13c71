//! Everything the machine can order. Effects of one list are done in order; nothing after a `Persist` starts before it is durable.

use std::sync::Arc;

use crate::base::id::{CallId, EntryId};
use crate::domain::entry::Entry;
use crate::domain::message::ToolCall;
use crate::domain::permission::{Decision, Scope};
use crate::domain::tool::AppliedChange;
use crate::protocol::Event;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    // --- the log ---
    /// Neighbouring ones become one commit.
    Persist(Arc<Entry>),
    /// Bytes that `Change` entries of the same list name by hash; stored in the same commit.
    Keep(Vec<AppliedChange>),

    // --- the model ---
    /// Assemble the request from the log up to `upto` and stream the answer as inputs numbered `request`.
    CallModel {
        request: u64,
        upto: EntryId,
    },
    StopModel,

    // --- tools ---
    Prepare(ToolCall),
    /// Run exactly what was prepared, or the part of it that was kept.
    Run {
        call: CallId,
        decision: Decision,
    },
    /// The prepared call will not be run; forget it.
    Drop(CallId),
    /// End whatever the call has started, its whole process group.
    Cancel(CallId),
    /// Remember an "always" answer for this session.
    Remember(Scope),

    // --- validation ---
    PlanValidation,
    RunValidation {
        call: CallId,
    },

    // --- outward ---
    Emit(Event),
}
