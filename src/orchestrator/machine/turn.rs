//! One turn as the machine remembers it: its requests, its calls, what it changed.

use std::sync::Arc;

use crate::base::clock::Time;
use crate::base::id::{CallId, TurnId};
use crate::domain::budget::Usage;
use crate::domain::message::ToolCall;
use crate::domain::permission::Verdict;
use crate::domain::review::Review;
use crate::domain::tool::{EffectClass, Outcome};

/// What started the turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Origin {
    Prompt,
    /// A `!command` of the person: one call, no model.
    Shell {
        command: String,
    },
}

#[derive(Debug)]
pub(super) struct Turn {
    pub(super) id: TurnId,
    pub(super) origin: Origin,
    pub(super) prompt: String,
    /// Requests sent to the model.
    pub(super) steps: u32,
    /// Steps after which the turn stops or asks.
    pub(super) step_limit: u32,
    pub(super) usage: Usage,
    pub(super) stream: Option<Stream>,
    /// The calls of the newest reply, in its order.
    pub(super) calls: Vec<Call>,
    /// Replies without text and without calls, in a row.
    pub(super) empty_replies: u32,
    /// Files changed since the last validation.
    pub(super) unvalidated: bool,
    pub(super) validation: Option<ValidationRun>,
    pub(super) validation_rounds: u32,
    /// A check failed and no later one passed.
    pub(super) failing: bool,
    /// A call was denied, and no writing or executing call succeeded since.
    pub(super) denied: bool,
    /// Ours, for the newest tool result before it is first sent.
    pub(super) notes: Vec<String>,
    /// What the person sent meanwhile, for the very next request.
    pub(super) steering: Vec<String>,
    /// The list of this turn was opened by the engine.
    pub(super) opened_list: bool,
    /// The question whether to go on after the step limit is open.
    pub(super) asking_to_go_on: Option<CallId>,
}

/// A request under way and what arrived of its answer.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) request: u64,
    pub(super) text: String,
    pub(super) reasoning: String,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) call: ToolCall,
    /// The tool's own name, also where the model used an alias.
    pub(super) tool: String,
    pub(super) title: String,
    pub(super) effect: Option<EffectClass>,
    pub(super) phase: Phase,
}

#[derive(Debug)]
pub(super) enum Phase {
    /// Its turn has not come.
    Waiting,
    Preparing,
    /// Understood; it waits for the calls before it.
    Held {
        review: Arc<Review>,
        verdict: Verdict,
    },
    /// A person is asked.
    Asking {
        verdict: Verdict,
    },
    Running,
    /// Over, but an earlier call is not: results are stored in call order.
    Over {
        outcome: Outcome,
        took_ms: u64,
    },
    Stored,
}

#[derive(Debug)]
pub(super) struct ValidationRun {
    /// Known once the command was found.
    pub(super) call: Option<CallId>,
    pub(super) command: String,
    pub(super) verdict: Option<Verdict>,
    pub(super) running: bool,
}

impl Turn {
    pub(super) fn new(id: TurnId, origin: Origin, prompt: String, step_limit: u32) -> Self {
        Self {
            id,
            origin,
            prompt,
            steps: 0,
            step_limit,
            usage: Usage::default(),
            stream: None,
            calls: Vec::new(),
            empty_replies: 0,
            unvalidated: false,
            validation: None,
            validation_rounds: 0,
            failing: false,
            denied: false,
            notes: Vec::new(),
            steering: Vec::new(),
            opened_list: false,
            asking_to_go_on: None,
        }
    }

    pub(super) fn call_mut(&mut self, id: &CallId) -> Option<&mut Call> {
        self.calls.iter_mut().find(|call| call.call.id == *id)
    }
}

impl Call {
    pub(super) fn new(call: ToolCall) -> Self {
        let tool = call.name.clone();
        Self {
            call,
            tool,
            title: String::new(),
            effect: None,
            phase: Phase::Waiting,
        }
    }

    /// Whether it may run beside others: it only looks.
    pub(super) fn only_reads(&self) -> bool {
        self.effect == Some(EffectClass::Reads)
    }
}

/// A prompt that waits for the turn before it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Queued {
    pub(super) text: String,
    pub(super) shell: bool,
    pub(super) at: Time,
}
