//! All effects of the machine. Effects of one list run in order, and none after a `Persist` starts before it is durable.

use std::sync::Arc;

use benchdog_base::id::{CallId, EntryId};
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::call::Call;
use benchdog_domain::entry::{Entry, TurnOutcome};
use benchdog_domain::hook::Understood;
use benchdog_domain::note::Note;
use benchdog_domain::permission::{DecidedBy, Decision, Lasts, Scope};
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{Answer, Live};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    // --- the log ---
    /// Stores the entry, then sends it to front ends. Adjacent ones are one commit.
    Persist(Arc<Entry>),
    /// Blob contents for entries of the same list, in the same commit.
    Keep(Vec<Arc<[u8]>>),

    // --- the model ---
    /// Reads the mentions of a prompt, and checks whether it fits the context window after a compaction. `Weighed` has the same number.
    Weigh {
        weighing: u64,
        prompt: String,
        /// Its command lines have run.
        ran_first: bool,
        notes: Vec<Note>,
    },
    /// Builds the request from the log up to `upto` and streams the answer as inputs with this number.
    ///
    /// If a compaction is necessary, reports `RoomMade`, `Summarising` or `OverWindow` and sends nothing.
    CallModel {
        request: u64,
        model: ModelRef,
        agent: AgentName,
        upto: EntryId,
        room: Room,
        /// Deviation from the configured sampling after unusable answers.
        nudge: u8,
    },
    StopModel,

    // --- calls ---
    Prepare(Call),
    /// Previews the calls after the pending one. Each is prepared again for its own request.
    LookAhead {
        of: CallId,
        calls: Vec<Call>,
    },
    /// Runs the prepared call, or the accepted part of it.
    Run {
        call: CallId,
        decision: Decision,
        by: DecidedBy,
    },
    /// Forgets a call that does not run.
    Drop(CallId),
    /// Stops the process group of a running call. `Finished` follows with the output so far.
    Cancel(CallId),
    /// Stores an "Always allow" answer.
    Remember {
        scope: Scope,
        lasts: Lasts,
    },
    /// Chooses the check. `CheckPlanned` or `CheckSkipped` follows at once.
    PlanCheck,

    // --- hooks ---
    /// Runs the hooks of a point. `Hooked` has the same number.
    Hook {
        number: u64,
        point: HookPoint,
    },
    /// Stops the running hooks and their processes.
    StopHooks,

    // --- outward ---
    Live(Live),
    Answer(Answer),
}

/// Compaction steps done for a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Room {
    pub steps: u8,
    /// The server rejected the request as too large, and no step followed yet.
    pub refused: bool,
    /// A summary for this request failed.
    pub summarised: bool,
    /// The last summary of the session failed, so another is only tried if the request would not fit.
    pub unwilling: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum HookPoint {
    /// A call that was prepared, but not run.
    BeforeTool {
        call: CallId,
        tool: String,
        understood: Option<Arc<Understood>>,
    },
    AfterTool {
        call: CallId,
        tool: String,
        understood: Option<Arc<Understood>>,
        status: CallStatus,
        output: String,
        took_ms: u64,
    },
    /// The model has nothing more to do.
    TurnEnd {
        outcome: TurnOutcome,
        /// Number of times that hooks continued this turn.
        again: u32,
    },
}
