//! One turn as the machine remembers it: its requests, its calls, what it changed.

use std::sync::Arc;

use super::first::First;
use super::guard::Guard;
use super::hooks::AtEnd;
use crate::base::id::{BlobId, CallId, TurnId};
use crate::domain::agent::ModelRef;
use crate::domain::budget::Usage;
use crate::domain::call::{self, Origin};
use crate::domain::entry::{Body, FileBefore, TurnOutcome};
use crate::domain::failure::{Cut, Failure};
use crate::domain::hook::Understood;
use crate::domain::note::Note;
use crate::domain::permission::Verdict;
use crate::domain::review::{FileNow, Pause, Review};
use crate::domain::summary::{self, Summary};
use crate::domain::tool::{CallStatus, EffectClass, Outcome};
use crate::orchestrator::effect::Room;
use crate::orchestrator::input::Along;

/// What started the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Prompt,
    /// A `!command` of the person: one call of this origin, no model.
    Shell(Origin),
}

#[derive(Debug)]
pub(super) struct Turn {
    pub(super) id: TurnId,
    pub(super) start: Start,
    pub(super) prompt: String,
    /// What is run before the prompt is sent, until it is.
    pub(super) first: Option<First>,
    /// Requests sent to the model.
    pub(super) steps: u32,
    /// Steps after which the turn stops or asks.
    pub(super) step_limit: u32,
    pub(super) usage: Usage,
    pub(super) stream: Option<Stream>,
    /// What was done to make the request fit.
    pub(super) room: Room,
    /// What the server said of this request where it does not fit.
    pub(super) overflow: Option<Failure>,
    /// The calls under way, in their order: those of the newest reply, or the one of another origin.
    pub(super) calls: Vec<Call>,
    /// Commands of the person's own that run beside those, in no order.
    pub(super) beside: Vec<Call>,
    /// What came of them, until the log may have it: no message stands between a call and its result.
    pub(super) told: Vec<Body>,
    /// Replies without text and without calls, in a row.
    pub(super) empty_replies: u32,
    /// Replies with a call that could not be read, in a row, and whether the newest is one.
    pub(super) malformed: u32,
    pub(super) is_malformed: bool,
    /// Answers that were stopped inside a call.
    pub(super) cut_calls: u32,
    /// Models that were asked because another failed, and why the first of all did, until one answers.
    pub(super) fallen_back: Vec<ModelRef>,
    pub(super) first_failure: Option<Failure>,
    /// Files changed since the last validation.
    pub(super) unvalidated: bool,
    /// How often the check ran.
    pub(super) check_rounds: u32,
    /// What came of the newest one.
    pub(super) checked: Checked,
    /// A check failed and no later one passed.
    pub(super) failing: bool,
    /// The server held back the rest of the last answer.
    pub(super) filtered: bool,
    /// A call was denied, and no writing or executing call succeeded since.
    pub(super) denied: bool,
    /// What was handed over as the answer, until it is in the log.
    pub(super) answered: Option<String>,
    /// How often an answer was not taken because it names no places.
    pub(super) unproven: u32,
    /// Ours, for the newest tool result before it is first sent.
    pub(super) notes: Vec<Note>,
    /// What the person sent meanwhile, for the very next request.
    pub(super) steering: Vec<Steered>,
    /// A sudden end left it open, and the person has answered nothing since.
    pub(super) is_unanswered: bool,
    /// What its agent is to hand over was taken.
    pub(super) handed_over: bool,
    /// How often the model was told that it was not.
    pub(super) reminders: u32,
    /// Who keeps the todo list of this turn.
    pub(super) list: ListKeeper,
    /// What shows that it gets nowhere.
    pub(super) guard: Guard,
    /// Why the person is asked whether it goes on.
    pub(super) pause: Option<Pause>,
    /// They said that it does.
    pub(super) goes_on: bool,
    /// The hooks of its end.
    pub(super) at_end: AtEnd,
    /// It is being ended, and calls that ran have not said their last word.
    pub(super) ending: Option<Ending>,
}

/// Who began to keep the todo list in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListKeeper {
    Nobody,
    /// It opened one with the task as its item, and ends it with the turn.
    Engine,
    Model,
}

/// Why a turn is ended before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// By the person.
    Interrupted,
    OutOfTime,
    /// The log cannot be written.
    NotSaved,
    /// The program had ended before.
    Killed,
}

impl Ending {
    pub(super) fn outcome(self) -> TurnOutcome {
        match self {
            Self::Interrupted | Self::Killed => TurnOutcome::Interrupted,
            Self::OutOfTime => TurnOutcome::Limit,
            Self::NotSaved => TurnOutcome::Error,
        }
    }

    /// What the answer that was arriving is cut by.
    pub(super) fn cut(self) -> Cut {
        match self {
            Self::Interrupted | Self::Killed => Cut::Interrupted,
            Self::OutOfTime => Cut::OutOfTime,
            Self::NotSaved => Cut::NotSaved,
        }
    }

    /// What stands beside each call that was ended.
    fn summary(self) -> Summary {
        match self {
            Self::Interrupted => Summary::Interrupted,
            Self::OutOfTime => Summary::OutOfTime,
            Self::NotSaved => Summary::NotSaved,
            Self::Killed => Summary::NotRun,
        }
    }

    /// What the model reads of it.
    fn why(self) -> &'static str {
        match self {
            Self::Interrupted => summary::INTERRUPTED,
            Self::OutOfTime => summary::OUT_OF_TIME,
            Self::Killed => summary::KILLED,
            Self::NotSaved => summary::NOT_SAVED,
        }
    }

    /// The result of a call that had not begun.
    pub(super) fn unstarted(self) -> Outcome {
        Outcome {
            status: CallStatus::Cancelled,
            summary: self.summary(),
            ..Outcome::error(
                "cancelled",
                format!("{} It had not started; nothing was done.", self.why()),
            )
        }
    }

    /// What a call that was ended leaves: what came out of it, and why it stopped. One that was done before it heard of
    /// it keeps its own result.
    pub(super) fn last_words(self, outcome: Outcome) -> Outcome {
        if outcome.status != CallStatus::Cancelled {
            return outcome;
        }
        let output = match outcome.output.trim_end() {
            "" => format!("{} It was running; what it did until then stays.", self.why()),
            // The tool has said how far it came.
            said => format!("{said}\n{}", self.why()),
        };
        Outcome {
            summary: self.summary(),
            output,
            ..outcome
        }
    }
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checked {
    /// It was not allowed to run, or did not run to its end.
    NotRun,
    Passed,
    /// The model is to mend it.
    FailedOnce,
    /// It has failed as often as it may.
    FailedForGood,
}

/// A request under way and what arrived of its answer.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) request: u64,
    /// Whom it was sent to; another may be chosen while it answers.
    pub(super) model: ModelRef,
    /// The model of the session, where another is asked because that one failed.
    pub(super) stands_in_for: Option<ModelRef>,
    pub(super) text: String,
    pub(super) reasoning: String,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) call: call::Call,
    /// The tool's own name, also where the model used an alias.
    pub(super) tool: String,
    pub(super) title: String,
    pub(super) effect: Option<EffectClass>,
    /// The files it would change, as they are.
    pub(super) files: Vec<FileNow>,
    /// What the person answered, where the call is a question.
    pub(super) answers: Vec<String>,
    /// Hooks were asked about it.
    pub(super) was_asked: bool,
    /// Which of them changed its arguments last.
    pub(super) rewritten_by: Option<String>,
    /// What they are told of it.
    pub(super) understood: Option<Arc<Understood>>,
    /// Of hooks, for the model.
    pub(super) notes: Vec<Note>,
    /// It is looked at again once all before it are over.
    pub(super) stands_behind: bool,
    /// How often the person was asked about it.
    pub(super) editions: u32,
    pub(super) phase: Phase,
}

#[derive(Debug)]
pub(super) enum Phase {
    /// Its turn has not come.
    Waiting,
    Preparing,
    /// Understood; hooks are asked.
    BeforeHooks {
        number: u64,
        review: Arc<Review>,
        verdict: Verdict,
    },
    /// Understood; it waits for the calls before it.
    Held {
        review: Arc<Review>,
        verdict: Verdict,
    },
    /// A person is asked.
    Asking {
        verdict: Verdict,
        /// It is a question, which alone can be answered in words.
        question: bool,
    },
    Running,
    /// It ran; hooks are asked about what came of it.
    AfterHooks {
        number: u64,
        outcome: Outcome,
        took_ms: u64,
    },
    /// It ran and was told to end; its last words are on the way.
    Stopping,
    /// Over, but an earlier call is not: results are stored in call order.
    Over {
        outcome: Outcome,
        took_ms: u64,
    },
    Stored,
}

impl Turn {
    pub(super) fn new(id: TurnId, start: Start, prompt: String, step_limit: u32) -> Self {
        Self {
            id,
            start,
            prompt,
            first: None,
            steps: 0,
            step_limit,
            usage: Usage::default(),
            stream: None,
            room: Room::default(),
            overflow: None,
            calls: Vec::new(),
            beside: Vec::new(),
            told: Vec::new(),
            empty_replies: 0,
            malformed: 0,
            is_malformed: false,
            cut_calls: 0,
            answered: None,
            unproven: 0,
            fallen_back: Vec::new(),
            first_failure: None,
            unvalidated: false,
            check_rounds: 0,
            checked: Checked::NotRun,
            guard: Guard::default(),
            pause: None,
            goes_on: false,
            failing: false,
            filtered: false,
            denied: false,
            notes: Vec::new(),
            handed_over: false,
            reminders: 0,
            steering: Vec::new(),
            is_unanswered: false,
            list: ListKeeper::Nobody,
            at_end: AtEnd::default(),
            ending: None,
        }
    }

    /// Every call of the newest reply has its result.
    pub(super) fn reply_over(&mut self) {
        self.guard.reply_over();
        self.malformed = if std::mem::take(&mut self.is_malformed) {
            self.malformed + 1
        } else {
            0
        };
    }

    pub(super) fn call(&self, id: &CallId) -> Option<&Call> {
        let mut calls = self.calls.iter().chain(&self.beside);
        calls.find(|call| call.call.id == *id)
    }

    pub(super) fn call_mut(&mut self, id: &CallId) -> Option<&mut Call> {
        let mut calls = self.calls.iter_mut().chain(&mut self.beside);
        calls.find(|call| call.call.id == *id)
    }
}

impl Call {
    pub(super) fn new(call: call::Call) -> Self {
        let tool = match &call.wanted {
            call::Wanted::Tool { name, .. } => name.clone(),
            call::Wanted::Command(_)
            | call::Wanted::Patch { .. }
            | call::Wanted::Undo { .. }
            | call::Wanted::Review { .. }
            | call::Wanted::Question(_) => String::new(),
        };
        Self {
            tool: call.shown_as(&tool).to_owned(),
            call,
            title: String::new(),
            effect: None,
            files: Vec::new(),
            answers: Vec::new(),
            was_asked: false,
            rewritten_by: None,
            understood: None,
            notes: Vec::new(),
            stands_behind: false,
            editions: 0,
            phase: Phase::Waiting,
        }
    }

    /// Whether a hook is asked about what came of it.
    pub(super) fn is_asked_after(&self) -> bool {
        self.understood
            .as_ref()
            .is_none_or(|understood| understood.is_asked_after)
    }

    /// The entry that says that it begins, with the files it may change, as they are.
    pub(super) fn started(&self, files: &[FileNow]) -> Body {
        let before = files.iter().map(|(path, before)| FileBefore {
            path: path.clone(),
            before: before.as_deref().map(BlobId::of),
        });
        Body::CallStarted {
            call: self.call.id.clone(),
            tool: self.tool.clone(),
            title: self.title.clone(),
            files: before.collect(),
        }
    }

    /// Whether it may run beside others: it only looks.
    pub(super) fn only_reads(&self) -> bool {
        self.effect == Some(EffectClass::Reads)
    }
}

/// What goes into the very next request, with what it names.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Steered {
    pub(super) text: String,
    pub(super) along: Along,
}

/// A prompt that waits for the turn before it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Queued {
    pub(super) text: String,
    pub(super) start: Start,
}
