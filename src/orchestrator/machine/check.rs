//! The check after changes. It is planned first, and then runs like other calls. The model sees a failure.

use super::Machine;
use super::turn::{Call, Checked};
use crate::effect::Effect;
use benchdog_base::id::{CallId, TurnId};
use benchdog_domain::call::{self, Origin, Wanted};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::notice::{NotValidated, Notice};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, Outcome};
use benchdog_protocol::TurnState;

/// Maximum number of characters that the model gets from the end of a failed check's output.
const TAIL_CHARS: usize = 3_000;

impl Machine {
    pub(super) fn plan_check(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        turn.unvalidated = false;
        turn.calls.clear();
        self.move_to(TurnState::Validating);
        self.out.push(Effect::PlanCheck);
    }

    fn is_planning(&self) -> bool {
        let waits = |turn: &super::Turn| turn.calls.is_empty() && turn.stream.is_none() && turn.ending.is_none();
        self.state == TurnState::Validating && self.turn.as_ref().is_some_and(waits)
    }

    pub(super) fn on_check_planned(&mut self, command: String) {
        if !self.is_planning() {
            return;
        }
        let id = CallId(format!("check_{}", self.last_entry.0));
        self.known_calls.insert(id.clone());
        if let Some(turn) = &mut self.turn {
            turn.calls = vec![Call::new(call::Call {
                id,
                origin: Origin::Check,
                wanted: Wanted::Command(command),
            })];
        }
        self.advance();
    }

    pub(super) fn on_check_skipped(&mut self) {
        if self.is_planning() {
            if !std::mem::replace(&mut self.told_no_check, true) {
                self.notice(Notice::NotValidated(NotValidated::NoCheck));
            }
            self.finish_by_itself();
        }
    }

    pub(super) fn on_check_refused(&mut self, command: &str, outcome: &Outcome) {
        self.notice(Notice::NotValidated(NotValidated::CannotRun {
            command: command.to_owned(),
            error: outcome.output.clone(),
        }));
        self.finish_by_itself();
    }

    pub(super) fn store_check(&mut self, turn_id: TurnId, call: CallId, command: String, outcome: Outcome) {
        let Some(turn) = &mut self.turn else { return };
        let passed = outcome.status == CallStatus::Ok;
        let unfinished = match outcome.status {
            CallStatus::Denied | CallStatus::Cancelled => Some(outcome.status),
            CallStatus::Ok | CallStatus::Error => None,
        };
        turn.checked = match unfinished {
            Some(_) => Checked::NotRun,
            None => {
                turn.check_rounds += 1;
                turn.failing = !passed;
                match passed {
                    true => Checked::Passed,
                    false if turn.check_rounds < self.rules.validation_rounds => Checked::FailedOnce,
                    false => Checked::FailedForGood,
                }
            }
        };
        let (round, feedback) = (turn.check_rounds, turn.checked == Checked::FailedOnce);
        // A denied check has no output.
        let (summary, output) = match unfinished {
            Some(CallStatus::Denied) => (Summary::NotRun, String::new()),
            _ => (outcome.summary, tail(&outcome.output)),
        };
        self.log(
            turn_id,
            Body::Validation {
                call,
                command,
                passed,
                summary,
                output,
                round,
                feedback,
                unfinished,
            },
        );
    }

    pub(super) fn after_check(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        turn.calls.clear();
        match turn.checked {
            Checked::FailedOnce => self.call_model(),
            Checked::Passed => self.finish_by_itself(),
            Checked::FailedForGood => self.finish(TurnOutcome::ValidationFailed),
            Checked::NotRun => {
                // A check that is denied does not change the outcome of the turn.
                self.notice(Notice::NotValidated(NotValidated::NotAllowed));
                self.finish_by_itself();
            }
        }
    }
}

pub(super) fn tail(output: &str) -> String {
    let count = output.chars().count();
    if count <= TAIL_CHARS {
        return output.to_owned();
    }
    let cut: String = output.chars().skip(count - TAIL_CHARS).collect();
    match cut.split_once('\n') {
        Some((partial, rest)) if partial.len() < 200 => rest.to_owned(),
        Some(_) | None => cut,
    }
}
