//! Inputs of a session's state machine. Time enters only here.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::machine::Hooked;
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId};
use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::{AgentName, Briefed, ModelRef, Sampling, Terms};
use benchdog_domain::budget::Usage;
use benchdog_domain::child::ChildEntry;
use benchdog_domain::compaction::{Compaction, NoSummary};
use benchdog_domain::failure::{Failure, Overweight};
use benchdog_domain::finding::ToReview;
use benchdog_domain::hook::Understood;
use benchdog_domain::job::{JobEnd, JobId, JobName};
use benchdog_domain::mention::{Mention, Unreadable};
use benchdog_domain::message::{Delta, Reply};
use benchdog_domain::note::Note;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{DecidedBy, Decision, Verdict};
use benchdog_domain::review::Review;
use benchdog_domain::server::{FormEnd, ServerName};
use benchdog_domain::todo::TodoEdit;
use benchdog_domain::tool::{AppliedChange, EffectClass, Outcome, OutputChunk};
use benchdog_domain::undo::FileBytes;
use benchdog_protocol::{Delivery, OnDisk};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Input {
    pub at: Time,
    pub happened: Happened,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Happened {
    // --- from a front end ---
    /// `along` is set if it was already read for the running turn.
    Prompt {
        text: String,
        along: Along,
        delivery: Delivery,
    },
    Shell {
        command: String,
        typed: bool,
    },
    /// Merges the changes of a branch. `line` is the command that the person entered.
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
    /// `line` is the command that the person entered.
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
        model: Option<ModelRef>,
    },
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
    /// A compaction was done, so the request is sent again.
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
    /// The request exceeds the context window even without everything that can be removed, and was not sent.
    OverWindow {
        request: u64,
        over: Overweight,
    },

    // --- from hooks ---
    Hooks(Hooked),

    // --- from the configuration ---
    /// `validation.auto` may have another value.
    CheckSwitched(Switched),

    // --- from custom commands ---
    /// The next choice of agent and model applies to one turn only.
    Lending,
    Lent,
    /// Answers of the hooks at the point `number`.
    Hooked {
        number: u64,
        answer: HookAnswer,
    },

    // --- from calls, of whatever origin ---
    /// `tool` is the resolved name.
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
    /// A call cannot run: unknown tool, invalid arguments, path outside. `outcome` is for the model. `tool` is the resolved name, if known.
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
    /// Files changed while a job ran, and no command.
    JobChanged {
        job: JobId,
        changes: Vec<AppliedChange>,
    },
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

/// A proposal for the current contents of its files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProposedAnew {
    pub call: CallId,
    pub review: Arc<Review>,
    pub verdict: Verdict,
    pub understood: Option<Arc<Understood>>,
    pub on_disk: OnDisk,
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
    /// Expanded text of a custom command.
    pub text: Option<String>,
    pub mentions: Vec<Mention>,
    pub notes: Vec<Note>,
    pub told: Vec<Notice>,
}

/// Remains of an interrupted call: its files and output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftBehind {
    pub call: CallId,
    pub changed: Vec<AppliedChange>,
    pub unchanged: Vec<String>,
    pub unreadable: Vec<String>,
    pub child: Option<ChildLeft>,
    pub printed: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChildLeft {
    pub entry: ChildEntry,
    pub last: Vec<String>,
}

/// Combined answers of hooks, which cannot allow anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HookAnswer {
    pub denied: Option<(String, String)>,
    /// The last hook that changed the arguments, and the new arguments.
    pub arguments: Option<(String, Map<String, Value>)>,
    pub notes: Vec<String>,
    pub told: Vec<Notice>,
}
