//! Everything the machine can order. Effects of one list are done in order; nothing after a `Persist` starts before it is durable.
//! They are of the seat whose machine gave them.

use std::sync::Arc;

use crate::base::id::{CallId, EntryId};
use crate::domain::agent::{AgentName, ModelRef};
use crate::domain::call::Call;
use crate::domain::entry::{Entry, TurnOutcome};
use crate::domain::hook::Understood;
use crate::domain::note::Note;
use crate::domain::permission::{DecidedBy, Decision, Lasts, Scope};
use crate::domain::tool::CallStatus;
use crate::protocol::{Answer, Live};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    // --- the log ---
    /// Stores the entry and then tells it as a fact. Neighbouring ones become one commit.
    Persist(Arc<Entry>),
    /// Bytes that entries of the same list name by hash; stored in the same commit.
    Keep(Vec<Arc<[u8]>>),

    // --- the model ---
    /// Reads what the prompt names, and tells whether it fits the window, with that and the notes that go along, when room is made for
    /// it. `Weighed` answers with the same number.
    Weigh {
        weighing: u64,
        prompt: String,
        /// What it has to run first was run.
        ran_first: bool,
        notes: Vec<Note>,
    },
    /// Assemble the request from the log up to `upto` and stream the answer as inputs numbered `request`. Where room has to
    /// be made first, `RoomMade`, `Summarising` or `OverWindow` says so, and nothing is sent.
    CallModel {
        request: u64,
        model: ModelRef,
        agent: AgentName,
        upto: EntryId,
        room: Room,
        /// How much the sampling is to differ from what is configured, after answers that came to nothing.
        nudge: u8,
    },
    StopModel,

    // --- calls ---
    Prepare(Call),
    /// Look at what comes behind the call that is asked about, and tell it. Nothing of it is kept: each is prepared when its turn has come.
    LookAhead {
        of: CallId,
        calls: Vec<Call>,
    },
    /// Run exactly what was prepared, or the part of it that was kept.
    Run {
        call: CallId,
        decision: Decision,
        by: DecidedBy,
    },
    /// The call will not be run; forget it.
    Drop(CallId),
    /// End whatever the running call has started, its whole process group. `Finished` follows soon, with what came out until then.
    Cancel(CallId),
    /// Keep an "always" answer.
    Remember {
        scope: Scope,
        lasts: Lasts,
    },
    /// Find the check that proves the changes; `CheckPlanned` or `CheckSkipped` answers at once.
    PlanCheck,

    // --- hooks ---
    /// Asks those of a point. `Hooked` answers with the same number.
    Hook {
        number: u64,
        point: HookPoint,
    },
    /// Ends those that are being asked, with all they started.
    StopHooks,

    // --- outward ---
    Live(Live),
    Answer(Answer),
}

/// What was done already so that a request fits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Room {
    /// Steps that were taken.
    pub(crate) steps: u8,
    /// The server said that the request does not fit, and nothing was done about it yet.
    pub(crate) refused: bool,
    /// A summary for this request came to nothing.
    pub(crate) summarised: bool,
    /// The last summary of the session came to nothing: another is worth a try only where the request would not fit.
    pub(crate) unwilling: bool,
}

/// What hooks are asked about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum HookPoint {
    /// A call that was understood and not run.
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
        /// How often hooks have sent this turn on.
        again: u32,
    },
}
