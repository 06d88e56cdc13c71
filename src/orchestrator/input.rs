//! The inputs of a seat's machine. Time enters only here.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::base::clock::Time;
use crate::base::id::{CallId, EntryId};
use crate::domain::agent::{AgentName, Briefed, ModelRef, Sampling, Terms};
use crate::domain::budget::Usage;
use crate::domain::child::ChildEntry;
use crate::domain::compaction::{Compaction, NoSummary};
use crate::domain::failure::{Failure, Overweight};
use crate::domain::finding::ToReview;
use crate::domain::hook::Understood;
use crate::domain::job::{JobEnd, JobName};
use crate::domain::mention::{Mention, Unreadable};
use crate::domain::message::{Delta, Reply};
use crate::domain::note::Note;
use crate::domain::notice::Notice;
use crate::domain::permission::{DecidedBy, Decision, Verdict};
use crate::domain::review::Review;
use crate::domain::server::{FormEnd, ServerName};
use crate::domain::todo::TodoEdit;
use crate::domain::tool::{AppliedChange, EffectClass, Outcome, OutputChunk};
use crate::domain::undo::FileBytes;
use crate::orchestrator::machine::Hooked;
use crate::protocol::{Delivery, OnDisk};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Input {
    pub(crate) at: Time,
    pub(crate) happened: Happened,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Happened {
    // --- from a front end ---
    /// A prompt. `along` is set if it was already read for the running turn.
    Prompt {
        text: String,
        along: Along,
        delivery: Delivery,
    },
    Shell {
        command: String,
        typed: bool,
    },
    /// Merges the changes of a branch. `line` is the command the person entered.
    Merge {
        line: String,
        patch: String,
    },
    /// Undoes a change, given by log entries and file contents. `line` is the text for the log.
    Undo {
        line: String,
        undoes: Vec<EntryId>,
        files: Vec<FileBytes>,
    },
    /// Reviews changed files. `line` is the command the person entered.
    Review {
        line: String,
        review: ToReview,
    },
    Retry,
    Decided {
        call: CallId,
        decision: Decision,
        by: DecidedBy,
    },
    ServerAnswered {
        call: CallId,
        server: ServerName,
        decision: Decision,
        came_to: FormEnd,
    },
    Interrupt,
    LogLost,
    Unqueue,
    ModelChosen {
        model: ModelRef,
    },
    AgentChosen {
        chosen: Briefed,
        /// `None` if there is no model yet.
        model: Option<ModelRef>,
    },
    /// Custom subagents with their purposes.
    Subagents {
        subagents: Vec<(AgentName, String)>,
    },
    SamplingChosen {
        sampling: Sampling,
    },
    TodoEdited {
        edit: TodoEdit,
    },
    TakenUp,
    PlanAccepted,
    PlanEdited {
        text: String,
    },
    PlanOpened {
        path: String,
        text: String,
    },
    Compacted {
        compaction: Box<Compaction>,
    },
    CompactionUndone {
        compaction: EntryId,
    },
    Pinned {
        entry: EntryId,
        pinned: bool,
    },

    // --- from the model, for the request numbered `request` ---
    TermsFixed {
        model: ModelRef,
        terms: Terms,
    },
    Delta {
        request: u64,
        delta: Delta,
    },
    Replied {
        request: u64,
        reply: Reply,
    },
    /// The request failed after all retries. Partial text has already arrived.
    Failed {
        request: u64,
        failure: Failure,
        spent: Option<Usage>,
        /// Whether another model may answer.
        elsewhere: bool,
    },
    Weighed {
        weighing: u64,
        weighed: Weighed,
    },
    /// A compaction was done, and the request is sent again.
    RoomMade {
        request: u64,
        compaction: Box<Compaction>,
    },
    Summarising {
        request: u64,
    },
    NotSummarised {
        request: u64,
        why: NoSummary,
    },
    Uncounted {
        tokens: u64,
    },
    Filled {
        used: u64,
        room: u64,
    },
    /// The request exceeds the window even without everything that can be removed. It was not sent.
    OverWindow {
        request: u64,
        over: Overweight,
    },

    // --- from hooks ---
    Hooks(Hooked),

    // --- from custom commands ---
    /// The next choice of agent and model applies to one turn only.
    Lending,
    Lent,
    /// The answers of hooks at the point `number`.
    Hooked {
        number: u64,
        answer: HookAnswer,
    },

    // --- from calls, of whatever origin ---
    /// A call was prepared. `tool` is the resolved name.
    Prepared {
        call: CallId,
        tool: String,
        title: String,
        effect: EffectClass,
        review: Arc<Review>,
        verdict: Verdict,
        understood: Option<Arc<Understood>>,
    },
    /// A pending request was prepared again because its files changed.
    ProposedAnew(ProposedAnew),
    /// The permissions changed since the call was prepared.
    Judged {
        call: CallId,
        verdict: Verdict,
    },
    /// A call cannot be run: unknown tool, invalid arguments, path outside. The outcome is for the model. `tool` is the resolved name, if
    /// known.
    Refused {
        call: CallId,
        tool: String,
        outcome: Outcome,
    },
    Output(OutputChunk),
    Finished {
        call: CallId,
        outcome: Outcome,
        took_ms: u64,
    },

    // --- from background jobs ---
    JobEnded(JobEnd),
    JobsEnded(Vec<JobName>),
    Child(ChildEntry),
    /// A stopped subagent changed these files after its call had ended.
    ChildChanged {
        call: CallId,
        changes: Vec<AppliedChange>,
    },

    // --- the check after changes ---
    CheckPlanned {
        command: String,
    },
    CheckSkipped,

    // --- from the clock ---
    OutOfTime,
}

/// A proposal on the current content of its files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProposedAnew {
    pub(crate) call: CallId,
    pub(crate) review: Arc<Review>,
    pub(crate) verdict: Verdict,
    pub(crate) understood: Option<Arc<Understood>>,
    pub(crate) on_disk: OnDisk,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Weighed {
    Fits(Along),
    Over(Overweight),
    Unread(Vec<Unreadable>),
    First { lines: VecDeque<String>, told: Vec<Notice> },
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Along {
    /// The expanded text of a custom command.
    pub(crate) text: Option<String>,
    pub(crate) mentions: Vec<Mention>,
    /// Notes in addition to the machine's.
    pub(crate) notes: Vec<Note>,
    pub(crate) told: Vec<Notice>,
}

/// The remains of an interrupted call: its files and output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftBehind {
    pub(crate) call: CallId,
    pub(crate) changed: Vec<AppliedChange>,
    pub(crate) unchanged: Vec<String>,
    pub(crate) unreadable: Vec<String>,
    pub(crate) child: Option<ChildLeft>,
    pub(crate) printed: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChildLeft {
    pub(crate) entry: ChildEntry,
    /// Its last calls, oldest first.
    pub(crate) last: Vec<String>,
}

/// The combined answers of hooks, which cannot allow anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HookAnswer {
    /// The denying hook and its reason.
    pub(crate) denied: Option<(String, String)>,
    /// The last hook that changed the arguments, and the arguments.
    pub(crate) arguments: Option<(String, Map<String, Value>)>,
    pub(crate) notes: Vec<String>,
    /// For the person, in order.
    pub(crate) told: Vec<Notice>,
}
