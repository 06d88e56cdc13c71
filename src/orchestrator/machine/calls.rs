//! The calls of one reply: prepared in order, reads side by side, everything else one after the other, results in call order.

use std::sync::Arc;

use super::Machine;
use super::turn::{Call, Origin, Phase};
use crate::base::id::{BlobId, CallId, TurnId};
use crate::domain::entry::{Body, TurnOutcome};
use crate::domain::message::Arguments;
use crate::domain::permission::{Action, DecidedBy, Decision, Kept, Verdict};
use crate::domain::review::Review;
use crate::domain::todo::{TodoItem, TodoList, TodoStatus};
use crate::domain::tool::{AppliedChange, CallStatus, EffectClass, Outcome, REFUSED};
use crate::orchestrator::effect::Effect;
use crate::protocol::{DecisionName, Event, TurnState};

/// Read-only calls that run side by side.
const PARALLEL_READS: usize = 4;

/// The longest title made from raw arguments.
const TITLE_CHARS: usize = 60;

/// What can be done next, decided without touching anything.
enum Step {
    Prepare(usize),
    Act(usize),
    AllStored,
    Wait,
}

impl Machine {
    /// Does all that can be done now. Called whenever a call changed its phase.
    pub(super) fn advance(&mut self) {
        loop {
            self.store_results();
            match self.next_step() {
                Step::Prepare(index) => self.prepare(index),
                Step::Act(index) => self.act(index),
                Step::AllStored => {
                    self.after_calls();
                    return;
                }
                Step::Wait => return,
            }
        }
    }

    /// A call is prepared once nothing before it can still change the world, so what is reviewed is what is there.
    fn next_step(&self) -> Step {
        let Some(turn) = &self.turn else { return Step::Wait };
        let mut running = 0;
        let mut earlier_over = true;
        for (index, call) in turn.calls.iter().enumerate() {
            match &call.phase {
                Phase::Over { .. } | Phase::Stored => continue,
                Phase::Waiting if running < PARALLEL_READS => return Step::Prepare(index),
                Phase::Held { verdict, .. } => {
                    let beside = call.only_reads() && verdict.action == Action::Allow;
                    return if earlier_over || beside {
                        Step::Act(index)
                    } else {
                        Step::Wait
                    };
                }
                Phase::Running if call.only_reads() => running += 1,
                Phase::Waiting | Phase::Preparing | Phase::Asking { .. } | Phase::Running => return Step::Wait,
            }
            earlier_over = false;
        }
        if earlier_over { Step::AllStored } else { Step::Wait }
    }

    fn prepare(&mut self, index: usize) {
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.calls.get_mut(index)) else {
            return;
        };
        call.phase = Phase::Preparing;
        let order = call.call.clone();
        self.out.push(Effect::Prepare(order));
    }

    pub(super) fn on_prepared(
        &mut self,
        id: &CallId,
        tool: String,
        title: String,
        effect: EffectClass,
        review: Arc<Review>,
        verdict: Verdict,
    ) {
        let Some(call) = self.call_in_preparation(id) else {
            self.out.push(Effect::Drop(id.clone()));
            return;
        };
        call.tool.clone_from(&tool);
        call.title.clone_from(&title);
        call.effect = Some(effect);
        call.phase = Phase::Held { review, verdict };
        self.emit(Event::ToolStarted {
            call: id.clone(),
            tool,
            title,
        });
        self.open_list_first(effect);
        self.advance();
    }

    fn call_in_preparation(&mut self, id: &CallId) -> Option<&mut Call> {
        let call = self.turn.as_mut()?.call_mut(id)?;
        matches!(call.phase, Phase::Preparing).then_some(call)
    }

    /// A turn that starts to change things has a list: the person sees where it stands.
    fn open_list_first(&mut self, effect: EffectClass) {
        let first_change = matches!(effect, EffectClass::Writes | EffectClass::Executes);
        let open = self
            .todo
            .0
            .iter()
            .any(|item| matches!(item.status, TodoStatus::Pending | TodoStatus::InProgress));
        let Some(turn) = &mut self.turn else { return };
        let first_reply = turn.steps == 1 && turn.origin == Origin::Prompt;
        let makes_its_own = turn.calls.iter().any(|call| call.tool == "todowrite");
        if !first_change || !first_reply || open || turn.opened_list || makes_its_own {
            return;
        }
        turn.opened_list = true;
        let text = turn.prompt.lines().next().unwrap_or_default().trim().to_owned();
        turn.notes.push(format!(
            "A todo list was opened with the task as its only item (1 [~] {text}). Split it with `todowrite` if there are several steps, and keep it current."
        ));
        self.set_todo(TodoList(vec![TodoItem {
            id: 1,
            text,
            status: TodoStatus::InProgress,
        }]));
    }

    pub(super) fn on_refused(&mut self, id: &CallId, outcome: Outcome) {
        let Some(call) = self.call_in_preparation(id) else {
            return;
        };
        call.title = brief(&call.call.arguments);
        let (tool, title) = (call.tool.clone(), call.title.clone());
        call.phase = Phase::Over { outcome, took_ms: 0 };
        self.emit(Event::ToolStarted {
            call: id.clone(),
            tool,
            title,
        });
        self.advance();
    }

    /// The verdict of a prepared call takes effect.
    fn act(&mut self, index: usize) {
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.calls.get_mut(index)) else {
            return;
        };
        let Phase::Held { review, verdict } = std::mem::replace(&mut call.phase, Phase::Waiting) else {
            return;
        };
        let (id, tool, title) = (call.call.id.clone(), call.tool.clone(), call.title.clone());
        // The answer to a question is the person's, whatever the rules allow.
        let question = matches!(*review, Review::Question(_));
        match verdict.action {
            Action::Allow if !question => self.run(&id, Decision::Once { kept: Kept::All }),
            Action::Allow | Action::Ask => {
                call.phase = Phase::Asking {
                    verdict: verdict.clone(),
                };
                self.ask(id, tool, title, review, verdict);
            }
            Action::Deny => {
                let because = verdict.because.0;
                self.out.push(Effect::Drop(id.clone()));
                self.emit(Event::ApprovalDecided {
                    call: id.clone(),
                    decision: DecisionName::Deny,
                    by: DecidedBy::Policy,
                });
                self.deny(&id, &format!("The rule `{because}` denies this call. {REFUSED}"));
            }
        }
    }

    fn deny(&mut self, id: &CallId, text: &str) {
        let Some(turn) = &mut self.turn else { return };
        turn.denied = true;
        if let Some(call) = turn.call_mut(id) {
            let outcome = Outcome {
                status: CallStatus::Denied,
                ..Outcome::error("denied", text)
            };
            call.phase = Phase::Over { outcome, took_ms: 0 };
        }
    }

    /// Runs a call. One that changes the world is logged as started first: a sudden end then shows "result unknown".
    fn run(&mut self, id: &CallId, decision: Decision) {
        let Some(turn) = &mut self.turn else { return };
        let turn_id = turn.id;
        let Some(call) = turn.call_mut(id) else { return };
        call.phase = Phase::Running;
        let started = Body::CallStarted {
            call: id.clone(),
            tool: call.tool.clone(),
            title: call.title.clone(),
        };
        let changes_the_world = matches!(
            call.effect,
            Some(EffectClass::Writes | EffectClass::Executes | EffectClass::Network)
        );
        if changes_the_world {
            self.log(turn_id, started);
        }
        self.move_to(TurnState::ToolRunning);
        self.out.push(Effect::Run {
            call: id.clone(),
            decision,
        });
    }

    pub(super) fn on_decided(&mut self, id: &CallId, decision: Decision, by: DecidedBy) {
        if self
            .turn
            .as_ref()
            .is_some_and(|turn| turn.asking_to_go_on.as_ref() == Some(id))
        {
            self.on_go_on(id, &decision, by);
            return;
        }
        if self.is_validation(id) {
            self.on_validation_decided(id, decision, by);
            return;
        }
        let Some(turn) = &mut self.turn else { return };
        let turn_id = turn.id;
        let Some(call) = turn.call_mut(id) else { return };
        let Phase::Asking { verdict } = &call.phase else { return };
        let because = verdict.because.0.clone();
        let decision = within_offer(decision, verdict);
        let tool = call.tool.clone();
        self.emit(Event::ApprovalDecided {
            call: id.clone(),
            decision: decision.name(),
            by,
        });
        self.log(
            turn_id,
            Body::Approval {
                call: id.clone(),
                tool,
                decision: decision.clone(),
                by,
                because,
            },
        );
        match decision {
            Decision::Deny { reason } => {
                self.out.push(Effect::Drop(id.clone()));
                self.deny(id, &denial(by, reason.as_deref()));
            }
            Decision::Always { scope, kept } => {
                self.out.push(Effect::Remember(scope));
                self.run(id, Decision::Once { kept });
            }
            Decision::Once { .. } | Decision::Answer { .. } => self.run(id, decision),
        }
        self.advance();
    }

    fn on_go_on(&mut self, id: &CallId, decision: &Decision, by: DecidedBy) {
        self.emit(Event::ApprovalDecided {
            call: id.clone(),
            decision: decision.name(),
            by,
        });
        let go_on = matches!(decision, Decision::Answer { answers } if answers.iter().any(|answer| answer == "go on"));
        let Some(turn) = &mut self.turn else { return };
        turn.asking_to_go_on = None;
        if go_on {
            turn.step_limit = turn.steps + self.rules.max_steps;
            self.call_model();
        } else {
            self.finish(TurnOutcome::Limit);
        }
    }

    pub(super) fn on_output(&mut self, id: CallId, text: String) {
        if self.turn.as_mut().is_some_and(|turn| turn.call_mut(&id).is_some()) || self.is_validation(&id) {
            self.emit(Event::ToolOutput { call: id, text });
        }
    }

    pub(super) fn on_finished(&mut self, id: &CallId, outcome: Outcome, took_ms: u64) {
        if self.cancelled.remove(id) {
            // Too late to be a result, but what it changed is told all the same.
            self.log_changes(self.last_turn, id, outcome.changes);
            return;
        }
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) else {
            return;
        };
        if !matches!(call.phase, Phase::Running) {
            return;
        }
        call.phase = Phase::Over { outcome, took_ms };
        self.advance();
    }

    fn log_changes(&mut self, turn: TurnId, call: &CallId, changes: Vec<AppliedChange>) {
        if changes.is_empty() {
            return;
        }
        let bodies: Vec<Body> = changes
            .iter()
            .map(|change| Body::Change {
                call: call.clone(),
                path: change.path.clone(),
                before: change.before.as_deref().map(BlobId::of),
                after: change.after.as_deref().map(BlobId::of),
                added: change.added,
                removed: change.removed,
            })
            .collect();
        self.out.push(Effect::Keep(changes));
        for body in bodies {
            self.log(turn, body);
        }
    }

    /// Stores the results that are over, as far as the order of the calls allows.
    fn store_results(&mut self) {
        while let Some((call, outcome, took_ms)) = self.take_next_result() {
            self.store_result(call, outcome, took_ms);
        }
    }

    fn take_next_result(&mut self) -> Option<(Finished, Outcome, u64)> {
        let turn = self.turn.as_mut()?;
        let call = turn
            .calls
            .iter_mut()
            .find(|call| !matches!(call.phase, Phase::Stored))?;
        match std::mem::replace(&mut call.phase, Phase::Stored) {
            Phase::Over { outcome, took_ms } => Some((Finished::of(call), outcome, took_ms)),
            other => {
                call.phase = other;
                None
            }
        }
    }

    pub(super) fn store_result(&mut self, call: Finished, mut outcome: Outcome, took_ms: u64) {
        let Some(turn) = &mut self.turn else { return };
        let id = turn.id;
        let changed = matches!(call.effect, Some(EffectClass::Writes | EffectClass::Executes));
        if outcome.status == CallStatus::Ok && changed {
            turn.denied = false;
        }
        if !outcome.changes.is_empty() {
            turn.unvalidated = true;
        }
        let notes = std::mem::take(&mut turn.notes);
        let shell = matches!(turn.origin, Origin::Shell { .. });
        self.log_changes(id, &call.id, std::mem::take(&mut outcome.changes));
        if let Some(list) = outcome.todo.take() {
            self.set_todo(list);
        }
        self.emit(Event::ToolFinished {
            call: call.id.clone(),
            tool: call.tool.clone(),
            status: outcome.status,
            summary: outcome.summary.clone(),
            output: outcome.output.clone(),
            truncated: outcome.truncated,
        });
        let body = if shell {
            Body::Shell {
                command: call.title_of_command(),
                output: outcome.output,
                summary: outcome.summary,
                status: outcome.status,
            }
        } else {
            Body::ToolResult {
                call: call.id,
                tool: call.tool,
                title: call.title,
                status: outcome.status,
                summary: outcome.summary,
                output: outcome.output,
                truncated: outcome.truncated,
                notes,
                took_ms,
            }
        };
        self.log(id, body);
    }

    /// Every call of the reply has its result.
    fn after_calls(&mut self) {
        let Some(turn) = &self.turn else { return };
        match turn.origin {
            Origin::Prompt => self.call_model(),
            Origin::Shell { .. } => self.finish_by_itself(),
        }
    }
}

/// What is left of a call when its result is stored.
pub(super) struct Finished {
    pub(super) id: CallId,
    pub(super) tool: String,
    pub(super) title: String,
    pub(super) effect: Option<EffectClass>,
    command: Option<String>,
}

impl Finished {
    pub(super) fn of(call: &Call) -> Self {
        let command = match &call.call.arguments {
            Arguments::Object(map) => map.get("command").and_then(|value| value.as_str()).map(str::to_owned),
            Arguments::Raw(_) => None,
        };
        Self {
            id: call.call.id.clone(),
            tool: call.tool.clone(),
            title: call.title.clone(),
            effect: call.effect,
            command,
        }
    }

    fn title_of_command(&self) -> String {
        self.command.clone().unwrap_or_else(|| self.title.clone())
    }
}

/// "Always" counts only where it was offered, and only for exactly what was offered.
fn within_offer(decision: Decision, verdict: &Verdict) -> Decision {
    match decision {
        Decision::Always { scope, kept } if verdict.scope.as_ref() != Some(&scope) => Decision::Once { kept },
        other => other,
    }
}

/// What the model reads of a denial.
pub(super) fn denial(by: DecidedBy, reason: Option<&str>) -> String {
    let who = match by {
        DecidedBy::User => "The user refused this call",
        DecidedBy::Policy => "Nobody is here to approve this call, so it was denied",
        DecidedBy::Timeout => "Nobody answered, so this call was denied",
    };
    match reason.map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("{who}: {reason}\n{REFUSED}"),
        None => format!("{who}. {REFUSED}"),
    }
}

/// A few words from arguments that no tool understood.
fn brief(arguments: &Arguments) -> String {
    let text = match arguments {
        Arguments::Object(map) => map.values().find_map(|value| value.as_str()).unwrap_or_default(),
        Arguments::Raw(text) => text,
    };
    text.lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(TITLE_CHARS)
        .collect()
}
