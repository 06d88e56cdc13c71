//! All effects that the machine can request. The effects of a list run in order. An effect after a `Persist` starts
//! only when that entry is on disk.

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
    /// Appends the entry to the log, then sends it to front ends. Adjacent `Persist` effects are stored in one commit.
    Persist(Arc<Entry>),
    /// Stores blobs in the same commit as the entries that refer to them.
    Keep(Vec<Arc<[u8]>>),

    // --- the model ---
    /// Reads the mentions of a prompt, and checks whether the prompt fits the context window. The input `Weighed` with
    /// the same number returns the result.
    Weigh {
        weighing: u64,
        prompt: String,
        /// Whether the command lines of the prompt have already run.
        ran_first: bool,
        notes: Vec<Note>,
    },
    /// Builds the request from the log up to `upto` and sends it. The answer arrives as inputs with this number.
    ///
    /// If a compaction is necessary, reports `RoomMade`, `Summarising` or `OverWindow` and sends nothing.
    CallModel {
        request: u64,
        model: ModelRef,
        agent: AgentName,
        upto: EntryId,
        room: Room,
        /// Number of unusable answers so far. Each of them raises the temperature, because an unchanged request would
        /// get the same answer again.
        nudge: u8,
    },
    StopModel,

    // --- calls ---
    Prepare(Call),
    /// Prepares the calls after the pending call, to preview them. Each call is prepared again before it runs.
    LookAhead {
        of: CallId,
        calls: Vec<Call>,
    },
    /// Runs a prepared call, or the part of it that the person accepted.
    Run {
        call: CallId,
        decision: Decision,
        by: DecidedBy,
    },
    /// Discards the preparation of a call that will not run.
    Drop(CallId),
    /// Stops a running call with its process group. `Finished` follows with the output so far.
    Cancel(CallId),
    /// Stores the rule of an "Always allow" decision.
    Remember {
        scope: Scope,
        lasts: Lasts,
    },
    /// Chooses the check to run after changes. The input `CheckPlanned` or `CheckSkipped` follows at once.
    PlanCheck,

    // --- hooks ---
    /// Runs the hooks of an event. The input `Hooked` with the same number returns their answer.
    Hook {
        number: u64,
        point: HookPoint,
    },
    StopHooks,

    // --- outward ---
    Live(Live),
    Answer(Answer),
}

/// The compaction steps that were already taken for a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Room {
    pub steps: u8,
    /// Whether the server rejected the request as too large, and no compaction step has followed yet.
    pub refused: bool,
    /// Whether a summary for this request failed.
    pub summarised: bool,
    /// Whether the last summary of the session failed. In this case, another summary is requested only if the request
    /// would not fit otherwise.
    pub unwilling: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum HookPoint {
    /// A call was prepared and will run next.
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
    /// The model has answered without calls, so the turn can end.
    TurnEnd {
        outcome: TurnOutcome,
        /// Number of times that hooks have continued this turn.
        again: u32,
    },
}
