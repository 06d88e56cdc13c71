//! The state of a turn: its requests, calls and changes.

use std::sync::Arc;

use super::first::First;
use super::guard::Guard;
use super::hooks::AtEnd;
use crate::effect::Room;
use crate::input::Along;
use benchdog_base::id::{BlobId, CallId, TurnId};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Usage;
use benchdog_domain::call::{self, Origin};
use benchdog_domain::entry::{Body, FileBefore, TurnOutcome};
use benchdog_domain::failure::{Cut, Failure};
use benchdog_domain::hook::Understood;
use benchdog_domain::note::Note;
use benchdog_domain::permission::Verdict;
use benchdog_domain::review::{FileNow, Pause, Review};
use benchdog_domain::summary::{self, Summary};
use benchdog_domain::tool::{CallStatus, EffectClass, Outcome};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Prompt,
    /// A shell command of the person, or another single call that starts without a request to the model.
    Shell(Origin),
}

#[derive(Debug)]
pub(super) struct Turn {
    pub(super) id: TurnId,
    pub(super) start: Start,
    pub(super) prompt: String,
    pub(super) first: Option<First>,
    pub(super) steps: u32,
    pub(super) step_limit: u32,
    pub(super) usage: Usage,
    pub(super) stream: Option<Stream>,
    pub(super) room: Room,
    pub(super) overflow: Option<Failure>,
    /// Calls in order: all calls of the newest reply, or one call of another origin.
    pub(super) calls: Vec<Call>,
    /// The person's own commands during the turn, in any order.
    pub(super) beside: Vec<Call>,
    /// Results of the commands in `beside`. They are queued until all running calls have results.
    pub(super) told: Vec<Body>,
    pub(super) empty_replies: u32,
    /// Number of consecutive replies with a malformed call.
    pub(super) malformed: u32,
    pub(super) is_malformed: bool,
    pub(super) cut_calls: u32,
    pub(super) fallen_back: Vec<ModelRef>,
    pub(super) first_failure: Option<Failure>,
    pub(super) unvalidated: bool,
    pub(super) check_rounds: u32,
    pub(super) checked: Checked,
    /// Whether a check has failed and no later check has passed.
    pub(super) failing: bool,
    /// Whether the content filter of the server withheld the rest of the last answer.
    pub(super) filtered: bool,
    /// Whether a call was denied, and no later call with side effects has succeeded.
    pub(super) denied: bool,
    pub(super) answered: Option<String>,
    pub(super) unproven: u32,
    pub(super) notes: Vec<Note>,
    pub(super) steering: Vec<Steered>,
    /// Whether the turn was resumed after a crash and the person has not decided anything yet.
    pub(super) is_unanswered: bool,
    pub(super) handed_over: bool,
    pub(super) reminders: u32,
    pub(super) list: ListKeeper,
    pub(super) guard: Guard,
    pub(super) pause: Option<Pause>,
    pub(super) goes_on: bool,
    pub(super) at_end: AtEnd,
    pub(super) ending: Option<Ending>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListKeeper {
    Nobody,
    /// The engine created the list from the prompt, and ends the list at the end of the turn.
    Engine,
    Model,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Interrupted,
    OutOfTime,
    NotSaved,
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

    pub(super) fn cut(self) -> Cut {
        match self {
            Self::Interrupted | Self::Killed => Cut::Interrupted,
            Self::OutOfTime => Cut::OutOfTime,
            Self::NotSaved => Cut::NotSaved,
        }
    }

    fn summary(self) -> Summary {
        match self {
            Self::Interrupted => Summary::Interrupted,
            Self::OutOfTime => Summary::OutOfTime,
            Self::NotSaved => Summary::NotSaved,
            Self::Killed => Summary::NotRun,
        }
    }

    fn why(self) -> &'static str {
        match self {
            Self::Interrupted => summary::INTERRUPTED,
            Self::OutOfTime => summary::OUT_OF_TIME,
            Self::Killed => summary::KILLED,
            Self::NotSaved => summary::NOT_SAVED,
        }
    }

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

    /// Returns the result of a stopped call: its output, and the reason for the stop. A call that finished before the
    /// stop keeps its result.
    pub(super) fn last_words(self, outcome: Outcome) -> Outcome {
        if outcome.status != CallStatus::Cancelled {
            return outcome;
        }
        let output = match outcome.output.trim_end() {
            "" => format!("{} It was running; what it did until then stays.", self.why()),
            // The output shows how far the tool got, so add only the reason.
            said => format!("{said}\n{}", self.why()),
        };
        Outcome {
            summary: self.summary(),
            output,
            ..outcome
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checked {
    NotRun,
    Passed,
    FailedOnce,
    FailedForGood,
}

#[derive(Debug)]
pub(super) struct Stream {
    pub(super) request: u64,
    pub(super) model: ModelRef,
    /// The session's model. Set if this request uses a fallback model instead.
    pub(super) stands_in_for: Option<ModelRef>,
    pub(super) text: String,
    pub(super) reasoning: String,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) call: call::Call,
    pub(super) tool: String,
    pub(super) title: String,
    pub(super) effect: Option<EffectClass>,
    pub(super) files: Vec<FileNow>,
    pub(super) answers: Vec<String>,
    pub(super) was_asked: bool,
    pub(super) rewritten_by: Option<String>,
    pub(super) understood: Option<Arc<Understood>>,
    pub(super) notes: Vec<Note>,
    /// Whether the call waits for an earlier subagent. It is prepared again after all earlier calls.
    pub(super) stands_behind: bool,
    /// Number of approval requests for this call so far.
    pub(super) editions: u32,
    pub(super) phase: Phase,
}

#[derive(Debug)]
pub(super) enum Phase {
    Waiting,
    Preparing,
    BeforeHooks {
        number: u64,
        review: Arc<Review>,
        verdict: Verdict,
    },
    Held {
        review: Arc<Review>,
        verdict: Verdict,
    },
    Asking {
        verdict: Verdict,
        question: bool,
    },
    Running,
    AfterHooks {
        number: u64,
        outcome: Outcome,
        took_ms: u64,
    },
    Stopping,
    /// The call has finished. Its result is logged after the results of all earlier calls.
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

    pub(super) fn is_asked_after(&self) -> bool {
        self.understood
            .as_ref()
            .is_none_or(|understood| understood.is_asked_after)
    }

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

    pub(super) fn only_reads(&self) -> bool {
        self.effect == Some(EffectClass::Reads)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Steered {
    pub(super) text: String,
    pub(super) along: Along,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Queued {
    pub(super) text: String,
    pub(super) start: Start,
}
