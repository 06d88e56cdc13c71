//! The inputs of a session's state machine. The machine has no clock, so each input carries the time.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::machine::Hooked;
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId};
use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::{AgentName, Briefed, ModelRef, Sampling, Terms};
use benchdog_domain::budget::Usage;
use benchdog_domain::child::{ChildEntry, Spent};
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
    /// A prompt. If the person sent the prompt during a turn, `along` contains its mentions, which were already read.
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
    /// Undoes changes. `undoes` are their log entries, `files` the contents to write, and `line` the text for the log.
    Undo {
        line: String,
        undoes: Vec<EntryId>,
        files: Vec<FileBytes>,
    },
    /// Starts a review. `line` is the command that the person entered.
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

    /// A request outside the conversation, such as for a title, used tokens.
    Spent(Spent),

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
    /// The request failed, including all retries. Streamed text may have arrived before.
    Failed {
        request: u64,
        failure: Failure,
        spent: Option<Usage>,
        /// Whether another model may be able to answer the request.
        elsewhere: bool,
    },
    Weighed {
        weighing: u64,
        weighed: Weighed,
    },
    /// The compaction for a request is done. The machine sends the request again.
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
    /// The request was not sent, because it exceeds the context window although all removable content was removed.
    OverWindow {
        request: u64,
        over: Overweight,
    },

    // --- from hooks ---
    Hooks(Hooked),

    // --- from the configuration ---
    /// The setting `validation.auto` was saved or read again.
    CheckSwitched(Switched),

    // --- from custom commands ---
    /// Begins a change of agent and model for one turn only. `Lent` completes the change.
    Lending,
    Lent,
    /// The combined answer of the hooks. `number` is the number of the effect `Hook` that started them.
    Hooked {
        number: u64,
        answer: HookAnswer,
    },

    // --- from calls of any origin ---
    /// The call is prepared and checked against the permissions. `tool` is the tool's name, with aliases resolved.
    Prepared {
        call: CallId,
        tool: String,
        title: String,
        effect: EffectClass,
        review: Arc<Review>,
        verdict: Verdict,
        understood: Option<Arc<Understood>>,
    },
    /// A pending request was prepared again because the files of the request changed.
    ProposedAnew(ProposedAnew),
    /// The permissions changed after the call was prepared. `verdict` is the new verdict.
    Judged {
        call: CallId,
        verdict: Verdict,
    },
    /// The call cannot run, such as because of an unknown tool, invalid arguments, or a path outside the workspace.
    /// `outcome` is for the model. `tool` is the resolved name, if known.
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
    /// Files changed while a background job was running. No other command was running, so the changes belong to it.
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
    /// The expanded text, if the prompt calls a custom command.
    pub text: Option<String>,
    pub mentions: Vec<Mention>,
    pub notes: Vec<Note>,
    pub told: Vec<Notice>,
}

/// The effects of an interrupted call: its changed files and its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftBehind {
    pub call: CallId,
    pub changed: Vec<AppliedChange>,
    pub unchanged: Vec<String>,
    pub unreadable: Vec<String>,
    pub child: Option<ChildLeft>,
    pub printed: String,
    /// Whether the file writes of an interrupted undo were completed after the crash.
    pub is_undo_finished: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChildLeft {
    pub entry: ChildEntry,
    pub last: Vec<String>,
}

/// The combined answer of several hooks. The answer can deny a call, but not allow it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HookAnswer {
    pub denied: Option<(String, String)>,
    /// The name of the last hook that changed the arguments, and the new arguments.
    pub arguments: Option<(String, Map<String, Value>)>,
    pub notes: Vec<String>,
    pub told: Vec<Notice>,
}
