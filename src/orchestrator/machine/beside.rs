//! Commands of the person during a turn. Each command starts at once, and the next request tells the model about it.
//!
//! A command that is still running at the end of the turn continues as a separate turn. While the turn is running, such
//! commands do not change its state.

use super::Machine;
use super::hooks::over;
use super::turn::{Call, Phase, Queued, Start, Turn};
use crate::effect::Effect;
use benchdog_base::id::{CallId, TurnId};
use benchdog_domain::call::{self, Origin, Wanted};
use benchdog_domain::entry::Body;
use benchdog_domain::tool::Outcome;
use benchdog_protocol::TurnState;

/// Maximum number of unfinished commands of the person during a turn. Further commands wait for the end of the turn.
const MOST_BESIDE: usize = 8;

enum Step {
    Prepare(CallId),
    Act(CallId),
    Keep(usize),
}

impl Machine {
    pub(super) fn on_shell(&mut self, command: String, origin: Origin) {
        let start = Start::Shell(origin);
        if self.takes_beside() {
            self.start_beside(command, origin);
        } else if self.turn.is_some() {
            self.queue.push_back(Queued { text: command, start });
            self.tell_queue();
        } else {
            self.start_turn(start, command);
        }
    }

    /// Whether a command of the person can start now. These commands run one at a time, but a command that is waiting
    /// for approval does not block others.
    fn takes_beside(&self) -> bool {
        let Some(turn) = &self.turn else { return false };
        turn.id == self.last_turn
            && turn.ending.is_none()
            && turn.beside.len() < MOST_BESIDE
            && !self.runs_own_command()
    }

    pub(super) fn runs_own_command(&self) -> bool {
        let own = |turn: &Turn| {
            let mut own = turn.calls.iter().filter(|call| is_own(call)).chain(&turn.beside);
            own.any(|call| !matches!(call.phase, Phase::Asking { .. } | Phase::Over { .. } | Phase::Stored))
        };
        self.turn.as_ref().is_some_and(own)
    }

    fn start_next_beside(&mut self) {
        let is_command = |queued: &Queued| matches!(queued.start, Start::Shell(_));
        while self.takes_beside()
            && let Some(place) = self.queue.iter().position(is_command)
            && let Some(queued) = self.queue.remove(place)
            && let Start::Shell(origin) = queued.start
        {
            self.tell_queue();
            self.start_beside(queued.text, origin);
        }
    }

    fn start_beside(&mut self, command: String, origin: Origin) {
        let id = self.fresh_call_id();
        let wanted = Wanted::Command(command);
        if let Some(turn) = &mut self.turn {
            turn.beside.push(Call::new(call::Call { id, origin, wanted }));
        }
        self.unlogged_changed = true;
        self.advance_beside();
    }

    pub(super) fn is_beside(&self, id: &CallId) -> bool {
        let mut beside = self.turn.iter().flat_map(|turn| &turn.beside);
        beside.any(|call| call.call.id == *id)
    }

    /// Continues the turn after the state of a call changed. The state of a person's command affects the turn only
    /// while the turn is ending.
    pub(super) fn advance_with(&mut self, id: &CallId) {
        let ends = self.turn.as_ref().is_some_and(|turn| turn.ending.is_some());
        let is_beside = self.is_beside(id);
        if is_beside {
            self.advance_beside();
        }
        if ends || !is_beside {
            self.advance();
        }
        self.start_next_beside();
    }

    pub(super) fn advance_beside(&mut self) {
        while let Some(step) = self.next_beside() {
            match step {
                Step::Prepare(id) => self.prepare(&id),
                Step::Act(id) => self.act(&id),
                Step::Keep(place) => self.keep_beside(place),
            }
        }
    }

    fn next_beside(&self) -> Option<Step> {
        let calls = self.turn.as_ref()?.beside.iter().enumerate();
        let mut steps = calls.filter_map(|(place, call)| match call.phase {
            Phase::Waiting => Some(Step::Prepare(call.call.id.clone())),
            Phase::Held { .. } => Some(Step::Act(call.call.id.clone())),
            Phase::Over { .. } => Some(Step::Keep(place)),
            Phase::Preparing
            | Phase::BeforeHooks { .. }
            | Phase::Asking { .. }
            | Phase::Running
            | Phase::AfterHooks { .. }
            | Phase::Stopping
            | Phase::Stored => None,
        });
        steps.next()
    }

    /// Logs the end of a command at once. The result for the model is queued until all running calls have results.
    fn keep_beside(&mut self, place: usize) {
        let Some(turn) = &mut self.turn else { return };
        let turn_id = turn.id;
        let mut call = turn.beside.remove(place);
        let Phase::Over { mut outcome, took_ms } = std::mem::replace(&mut call.phase, Phase::Stored) else {
            return;
        };
        self.unlogged_changed = true;
        self.keep_effects(turn_id, &call.call.id, (call.call.origin, call.effect), &mut outcome);
        let ended = over(&call, &outcome, took_ms);
        let told = shell(&call, outcome);
        self.log(turn_id, ended);
        if let Some(turn) = &mut self.turn {
            turn.told.push(told);
        }
    }

    pub(super) fn tell_beside(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let id = turn.id;
        for told in std::mem::take(&mut turn.told) {
            self.log(id, told);
        }
    }

    pub(super) fn go_on_alone(&mut self, mut beside: Vec<Call>) -> bool {
        let first = beside.first();
        let Some((origin, line)) = first.and_then(|call| Some((call.call.origin, typed(call)?.to_owned()))) else {
            return false;
        };
        let id = TurnId(self.last_turn.0 + 1);
        self.last_turn = id;
        self.move_to(TurnState::Planning);
        self.unlogged_changed = true;
        let mut runs = false;
        let mut dropped = Vec::new();
        for call in &mut beside {
            match call.phase {
                // The log contains the start of the call in the ended turn. Log it again in the new turn.
                Phase::Running | Phase::Stopping => {
                    runs = true;
                    let started = call.started(&[]);
                    self.log(id, started);
                }
                // The approval request ended together with the turn, so prepare the call again.
                Phase::Asking { .. } => {
                    call.phase = Phase::Waiting;
                    dropped.push(Effect::Drop(call.call.id.clone()));
                }
                Phase::Waiting
                | Phase::Preparing
                | Phase::BeforeHooks { .. }
                | Phase::Held { .. }
                | Phase::Over { .. }
                | Phase::AfterHooks { .. }
                | Phase::Stored => {}
            }
        }
        // The end of the turn and the command's new turn must be in one commit.
        self.out.extend(dropped);
        let rest = beside.split_off(1);
        self.turn = Some(Turn {
            calls: beside,
            beside: rest,
            ..Turn::new(id, Start::Shell(origin), line, self.rules.max_steps)
        });
        if runs {
            self.move_to(TurnState::ToolRunning);
        }
        self.advance_beside();
        self.advance();
        true
    }

    pub(super) fn unbegun_commands(&self) -> impl Iterator<Item = String> {
        let turn = self.turn.iter();
        let calls = turn.flat_map(|turn| turn.calls.iter().filter(|call| is_own(call)).chain(&turn.beside));
        let unbegun = calls.filter(|call| {
            matches!(
                call.phase,
                Phase::Waiting | Phase::Preparing | Phase::Held { .. } | Phase::Asking { .. }
            )
        });
        unbegun.filter_map(typed).map(|line| format!("!{line}"))
    }
}

fn is_own(call: &Call) -> bool {
    matches!(call.call.origin, Origin::Person | Origin::Typed)
}

fn typed(call: &Call) -> Option<&str> {
    match &call.call.wanted {
        Wanted::Command(line) => Some(line),
        Wanted::Tool { .. }
        | Wanted::Patch { .. }
        | Wanted::Undo { .. }
        | Wanted::Review { .. }
        | Wanted::Question(_) => None,
    }
}

fn shell(call: &Call, outcome: Outcome) -> Body {
    let command = typed(call).unwrap_or(&call.title).to_owned();
    Body::shell(call.call.id.clone(), command, outcome)
}
