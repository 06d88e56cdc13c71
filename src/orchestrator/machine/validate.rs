//! The check after changes: planned, approved like any command, run, its failure fed back to the model.

use std::sync::Arc;

use super::Machine;
use super::turn::ValidationRun;
use crate::base::id::CallId;
use crate::domain::entry::{Body, TurnOutcome};
use crate::domain::permission::{Action, DecidedBy, Decision, Verdict};
use crate::domain::review::Review;
use crate::domain::tool::CallStatus;
use crate::orchestrator::effect::Effect;
use crate::protocol::{DecisionName, Event, TurnState};

/// The name under which the check appears among the tools.
const TOOL: &str = "validation";

impl Machine {
    pub(super) fn plan_validation(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        turn.unvalidated = false;
        turn.validation = Some(ValidationRun {
            call: None,
            command: String::new(),
            verdict: None,
            running: false,
        });
        self.move_to(TurnState::Validating);
        self.out.push(Effect::PlanValidation);
    }

    pub(super) fn is_validation(&self, id: &CallId) -> bool {
        let run = self.turn.as_ref().and_then(|turn| turn.validation.as_ref());
        run.is_some_and(|run| run.call.as_ref() == Some(id))
    }

    pub(super) fn on_validation_skipped(&mut self, code: &str, text: String) {
        let Some(turn) = &mut self.turn else { return };
        if turn.validation.take().is_none() {
            return;
        }
        self.notice(code, text);
        self.finish_by_itself();
    }

    pub(super) fn on_validation_prepared(
        &mut self,
        call: CallId,
        command: String,
        review: Arc<Review>,
        verdict: Verdict,
    ) {
        let Some(run) = self.turn.as_mut().and_then(|turn| turn.validation.as_mut()) else {
            self.out.push(Effect::Drop(call));
            return;
        };
        run.call = Some(call.clone());
        run.command.clone_from(&command);
        run.verdict = Some(verdict.clone());
        self.emit(Event::ToolStarted {
            call: call.clone(),
            tool: TOOL.to_owned(),
            title: command.clone(),
        });
        match verdict.action {
            Action::Allow => self.run_validation(call),
            Action::Ask => self.ask(call, TOOL.to_owned(), command, review, verdict),
            Action::Deny => {
                let by = DecidedBy::Policy;
                self.emit(Event::ApprovalDecided {
                    call: call.clone(),
                    decision: DecisionName::Deny,
                    by,
                });
                self.on_validation_denied(call);
            }
        }
    }

    fn run_validation(&mut self, call: CallId) {
        let Some(turn) = &mut self.turn else { return };
        let id = turn.id;
        let Some(run) = &mut turn.validation else { return };
        run.running = true;
        let title = run.command.clone();
        self.log(
            id,
            Body::CallStarted {
                call: call.clone(),
                tool: TOOL.to_owned(),
                title,
            },
        );
        self.move_to(TurnState::Validating);
        self.out.push(Effect::RunValidation { call });
    }

    pub(super) fn on_validation_decided(&mut self, id: &CallId, decision: Decision, by: DecidedBy) {
        let Some(turn) = &self.turn else { return };
        let Some(run) = &turn.validation else { return };
        let Some(verdict) = run.verdict.clone().filter(|_| !run.running) else {
            return;
        };
        let turn_id = turn.id;
        self.emit(Event::ApprovalDecided {
            call: id.clone(),
            decision: decision.name(),
            by,
        });
        let because = verdict.because.0.clone();
        let body = Body::Approval {
            call: id.clone(),
            tool: TOOL.to_owned(),
            decision: decision.clone(),
            by,
            because,
        };
        self.log(turn_id, body);
        match decision {
            Decision::Deny { .. } => {
                self.out.push(Effect::Drop(id.clone()));
                self.on_validation_denied(id.clone());
            }
            Decision::Always { scope, .. } => {
                if verdict.scope.as_ref() == Some(&scope) {
                    self.out.push(Effect::Remember(scope));
                }
                self.run_validation(id.clone());
            }
            Decision::Once { .. } | Decision::Answer { .. } => self.run_validation(id.clone()),
        }
    }

    /// A check that may not run leaves the outcome as it is, and says so.
    fn on_validation_denied(&mut self, call: CallId) {
        self.emit(Event::ToolFinished {
            call,
            tool: TOOL.to_owned(),
            status: CallStatus::Denied,
            summary: "not run".to_owned(),
            output: String::new(),
            truncated: false,
        });
        let text = "Not validated: the check was not allowed to run.".to_owned();
        self.on_validation_skipped("not_validated", text);
    }

    pub(super) fn on_validated(&mut self, call: &CallId, passed: bool, summary: String, output: String) {
        if !self.is_validation(call) {
            return;
        }
        let Some(turn) = &mut self.turn else { return };
        let Some(run) = turn.validation.take() else { return };
        turn.validation_rounds += 1;
        turn.failing = !passed;
        let (id, round) = (turn.id, turn.validation_rounds);
        let feedback = !passed && round < self.rules.validation_rounds;
        self.emit(Event::ToolFinished {
            call: call.clone(),
            tool: TOOL.to_owned(),
            status: if passed { CallStatus::Ok } else { CallStatus::Error },
            summary: summary.clone(),
            output: output.clone(),
            truncated: false,
        });
        self.log(
            id,
            Body::Validation {
                call: call.clone(),
                command: run.command,
                passed,
                summary,
                output,
                round,
                feedback,
            },
        );
        if feedback {
            self.call_model();
        } else if passed {
            self.finish_by_itself();
        } else {
            self.finish(TurnOutcome::ValidationFailed);
        }
    }
}
