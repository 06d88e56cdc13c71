//! Everything that can happen to the machine of a seat. Time arrives here and nowhere else.

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
    /// `along`: what was read already, where it goes into the turn that runs.
    Prompt {
        text: String,
        along: Along,
        delivery: Delivery,
    },
    Shell {
        command: String,
        typed: bool,
    },
    /// What a branch changed is to be taken over. `line` is what the person asked for.
    Merge {
        line: String,
        patch: String,
    },
    /// A change of the session is to be taken back: where the log tells of it, and what its files were and became. `line` is what the log
    /// keeps of the call.
    Undo {
        line: String,
        undoes: Vec<EntryId>,
        files: Vec<FileBytes>,
    },
    /// Changed files are to be looked at. `line` is what the person asked for.
    Review {
        line: String,
        review: ToReview,
    },
    /// The last request is wanted once more.
    Retry,
    Decided {
        call: CallId,
        decision: Decision,
        by: DecidedBy,
    },
    /// The person answered what a server asked while a call of its runs.
    ServerAnswered {
        call: CallId,
        server: ServerName,
        decision: Decision,
        came_to: FormEnd,
    },
    Interrupt,
    /// The log could not be written: the turn cannot go on.
    LogLost,
    Unqueue,
    ModelChosen {
        model: ModelRef,
    },
    AgentChosen {
        chosen: Briefed,
        /// The model it works with; `None`: there is none yet.
        model: Option<ModelRef>,
    },
    /// Who may be given work beside the built-in ones, and what each is for.
    Subagents {
        subagents: Vec<(AgentName, String)>,
    },
    SamplingChosen {
        sampling: Sampling,
    },
    TodoEdited {
        edit: TodoEdit,
    },
    /// The session is open again, and somebody is there.
    TakenUp,
    /// The person wants the plan carried out.
    PlanAccepted,
    PlanEdited {
        text: String,
    },
    /// The person took up the plan of a file.
    PlanOpened {
        path: String,
        text: String,
    },
    /// The person wants room in the window, as it was shown to them.
    Compacted {
        compaction: Box<Compaction>,
    },
    /// The newest compaction is taken back.
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
    /// The attempt failed for good. What arrived before is in the machine already.
    Failed {
        request: u64,
        failure: Failure,
        /// What the server counted all the same.
        spent: Option<Usage>,
        /// Another model may well answer.
        elsewhere: bool,
    },
    /// The prompt that was to be weighed was.
    Weighed {
        weighing: u64,
        weighed: Weighed,
    },
    /// Room was made in the window for the request, which is to be sent again.
    RoomMade {
        request: u64,
        compaction: Box<Compaction>,
    },
    /// Room is being made: a model summarises.
    Summarising {
        request: u64,
    },
    /// No summary came of it.
    NotSummarised {
        request: u64,
        why: NoSummary,
    },
    /// The next answer comes without the server's count: with its request it is about so many tokens.
    Uncounted {
        tokens: u64,
    },
    /// So much of the room for a request is taken.
    Filled {
        used: u64,
        room: u64,
    },
    /// The request was never sent: it is known to be over the window, whatever is left out.
    OverWindow {
        request: u64,
        over: Overweight,
    },

    // --- from hooks ---
    /// There are others from here on.
    Hooks(Hooked),

    // --- from commands of the person's own ---
    /// Who is chosen next works for one turn, and those who work now come back after it.
    Lending,
    /// They are chosen.
    Lent,
    /// What those of the point numbered `number` say.
    Hooked {
        number: u64,
        answer: HookAnswer,
    },

    // --- from calls, of whatever origin ---
    /// The call was understood; nothing was touched yet.
    /// `tool` is its own name, also where the model used an alias.
    Prepared {
        call: CallId,
        tool: String,
        title: String,
        effect: EffectClass,
        review: Arc<Review>,
        verdict: Verdict,
        /// For hooks, where there are any.
        understood: Option<Arc<Understood>>,
    },
    /// What the person is asked about was prepared once more: its files were saved elsewhere meanwhile.
    ProposedAnew(ProposedAnew),
    /// What may be done is judged by other rules since the call was prepared.
    Judged {
        call: CallId,
        verdict: Verdict,
    },
    /// The call cannot be run: unknown tool, bad arguments, a path outside. The outcome teaches the model why.
    /// `tool` is the name it goes by: its own where it is known, else as the model wrote it.
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

    // --- from commands in the background ---
    JobEnded(JobEnd),
    /// They were ended with the session.
    JobsEnded(Vec<JobName>),
    /// A child of a call began or ended.
    Child(ChildEntry),
    /// A child changed these files whose call waits no more: it was stopped, and took longer than that.
    ChildChanged {
        call: CallId,
        changes: Vec<AppliedChange>,
    },

    // --- the check after changes ---
    /// This command proves the changes. It becomes a call like any other.
    CheckPlanned {
        command: String,
    },
    /// There is nothing to run.
    CheckSkipped,

    // --- from the clock ---
    /// `--timeout` of a run ran out.
    OutOfTime,
}

/// A proposal as it is against what is on disk now.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProposedAnew {
    pub(crate) call: CallId,
    pub(crate) review: Arc<Review>,
    pub(crate) verdict: Verdict,
    pub(crate) understood: Option<Arc<Understood>>,
    pub(crate) on_disk: OnDisk,
}

/// What became of a prompt before anything of it is in the log.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Weighed {
    /// It fits, with this.
    Fits(Along),
    Over(Overweight),
    /// It names what cannot be read.
    Unread(Vec<Unreadable>),
    /// These command lines are to be run before it is sent.
    First {
        lines: VecDeque<String>,
        /// What the person is told of it before, in the log.
        told: Vec<Notice>,
    },
}

/// What goes along with a prompt.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Along {
    /// What is sent in the place of what was typed: what a command of one's own stands for.
    pub(crate) text: Option<String>,
    pub(crate) mentions: Vec<Mention>,
    /// Ours, beside those that the machine has itself.
    pub(crate) notes: Vec<Note>,
    /// What the person is told of it, in the log.
    pub(crate) told: Vec<Notice>,
}

/// What is left of a call that was begun and never ended: what became of its files, and what it printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftBehind {
    pub(crate) call: CallId,
    pub(crate) changed: Vec<AppliedChange>,
    /// Files that are as they were.
    pub(crate) unchanged: Vec<String>,
    /// Files that cannot be compared.
    pub(crate) unreadable: Vec<String>,
    /// The child that did it.
    pub(crate) child: Option<ChildLeft>,
    /// What it had printed by then, as it was seen.
    pub(crate) printed: String,
}

/// What is known of a child that a sudden end cut short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChildLeft {
    /// How it ended, for the log of its parent.
    pub(crate) entry: ChildEntry,
    /// Its last calls, oldest first.
    pub(crate) last: Vec<String>,
}

/// What hooks answered, all together. Nothing in it allows anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HookAnswer {
    /// Which refuses, and why.
    pub(crate) denied: Option<(String, String)>,
    /// Which changed the arguments of the call last, and as they are to be.
    pub(crate) arguments: Option<(String, Map<String, Value>)>,
    /// For the model.
    pub(crate) notes: Vec<String>,
    /// For the person, in order.
    pub(crate) told: Vec<Notice>,
}
