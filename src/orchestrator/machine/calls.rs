//! Runs calls of all origins. Calls are prepared in order. Reads run in parallel, other calls one after the other.
//! Results are logged in the order of the calls.

use std::sync::Arc;

use super::Machine;
use super::children::MOST_WITH_CHILD;
use super::refusal::{brief, denial, refusal};
use super::results::Finished;
use super::turn::{Call, ListKeeper, Phase, Start};
use crate::effect::Effect;
use benchdog_base::id::CallId;
use benchdog_domain::call::{self, Origin, Wanted};
use benchdog_domain::entry::Body;
use benchdog_domain::message::Arguments;
use benchdog_domain::permission::{Action, Because, DecidedBy, Decision, Kept, Verdict};
use benchdog_domain::review::Review;
use benchdog_domain::todo::{TodoList, TodoStatus};
use benchdog_domain::tool::{EffectClass, Outcome, OutputChunk, Success, ToolFacts};
use benchdog_domain::undo::line_of_changed;
use benchdog_protocol::{Live, OnDisk, TurnState};

const PARALLEL_READS: usize = 4;

enum Step {
    Prepare(CallId),
    Act(CallId),
    AllStored,
    Wait,
}

impl Machine {
    /// Performs all steps that are possible now. Called whenever the state of a call has changed.
    pub(super) fn advance(&mut self) {
        loop {
            self.store_results();
            match self.next_step() {
                Step::Prepare(id) => self.prepare(&id),
                Step::Act(id) => self.act(&id),
                Step::AllStored => {
                    self.after_calls();
                    return;
                }
                Step::Wait => return,
            }
        }
    }

    /// Returns the next possible step, without side effects. A call is prepared only after earlier calls have made
    /// their changes, so that its review shows the current files.
    fn next_step(&self) -> Step {
        let Some(turn) = &self.turn else { return Step::Wait };
        if turn.stream.is_some() {
            return Step::Wait;
        }
        let (mut reading, mut with_child) = (0, 0);
        let mut earlier_over = true;
        for call in &turn.calls {
            let id = || call.call.id.clone();
            match &call.phase {
                Phase::Over { .. } | Phase::Stored => continue,
                Phase::Waiting if call.stands_behind && !earlier_over => return Step::Wait,
                Phase::Waiting if reading < PARALLEL_READS && with_child < MOST_WITH_CHILD => {
                    return Step::Prepare(id());
                }
                Phase::Held { verdict, .. } => {
                    let overtakes = call.has_child() || (call.only_reads() && verdict.action == Action::Allow);
                    return if earlier_over || overtakes {
                        Step::Act(id())
                    } else {
                        Step::Wait
                    };
                }
                Phase::Running if call.only_reads() => reading += 1,
                Phase::Running if call.has_child() => with_child += 1,
                // In a resumed turn, no further call starts before the first decision of the person.
                Phase::Asking { .. } if call.has_child() && !turn.is_unanswered => with_child += 1,
                Phase::Waiting
                | Phase::Preparing
                | Phase::BeforeHooks { .. }
                | Phase::Asking { .. }
                | Phase::Running
                | Phase::AfterHooks { .. }
                | Phase::Stopping => {
                    return Step::Wait;
                }
            }
            earlier_over = false;
        }
        let may_end = turn.ending.is_none() || turn.beside.is_empty();
        if earlier_over && may_end {
            Step::AllStored
        } else {
            Step::Wait
        }
    }

    pub(super) fn prepare(&mut self, id: &CallId) {
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) else {
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
        let asks = match *review {
            Review::Question(_) => Action::Ask,
            _ => verdict.action,
        };
        if self.call_in_preparation(id).is_none() || self.ends_unasked(id, Some(asks)) {
            self.out.push(Effect::Drop(id.clone()));
            return;
        }
        if self.put_behind_child(id, effect) {
            return self.advance_with(id);
        }
        let Some(call) = self.call_in_preparation(id) else {
            return;
        };
        call.title = titled(&call.call).unwrap_or(title);
        call.tool = call.call.shown_as(&tool).to_owned();
        let was_told = call.effect.replace(effect).is_some();
        call.files = review.files_now();
        let origin = call.call.origin;
        let asks_hooks = self.asks_before(id, &verdict);
        match self.turn.as_mut().and_then(|turn| turn.call_mut(id)) {
            Some(call) if !asks_hooks => {
                call.phase = Phase::Held {
                    review: Arc::clone(&review),
                    verdict: verdict.clone(),
                };
            }
            Some(_) | None => {}
        }
        if origin != Origin::Limit && !was_told {
            self.tell_started(id);
        }
        if origin == Origin::Model {
            self.open_list_first(effect);
        }
        if asks_hooks {
            return self.ask_before(id, review, verdict);
        }
        self.advance_with(id);
    }

    fn tell_started(&mut self, id: &CallId) {
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) else {
            return;
        };
        let started = Live::ToolStarted {
            call: id.clone(),
            tool: call.tool.clone(),
            title: call.title.clone(),
        };
        self.live(started);
    }

    fn call_in_preparation(&mut self, id: &CallId) -> Option<&mut Call> {
        let call = self.turn.as_mut()?.call_mut(id)?;
        matches!(call.phase, Phase::Preparing).then_some(call)
    }

    /// Creates a todo list with the task before the first change of a turn, unless the model creates a list. The list
    /// shows the person the progress of the work.
    fn open_list_first(&mut self, effect: EffectClass) {
        let changes = self.rules.opens_list && matches!(effect, EffectClass::Writes | EffectClass::Executes);
        let open = self
            .todo
            .0
            .iter()
            .any(|item| matches!(item.status, TodoStatus::Pending | TodoStatus::InProgress));
        let Some(turn) = &mut self.turn else { return };
        let keeps_list = |call: &Call| ToolFacts::success_of(&self.rules.tools, &call.tool) == Success::ListKept;
        let makes_its_own = turn.calls.iter().any(keeps_list);
        if !changes || open || turn.list != ListKeeper::Nobody || makes_its_own {
            return;
        }
        turn.list = ListKeeper::Engine;
        let list = TodoList::of_task(&turn.prompt);
        let note = format!(
            "A todo list was opened with the task as its only item ({}). Split it with `todowrite` if there are several steps, and keep it current.",
            list.lines().trim_end()
        );
        turn.notes.push(note.into());
        self.set_todo(list);
    }

    pub(super) fn on_refused(&mut self, id: &CallId, tool: &str, outcome: Outcome) {
        if self.call_in_preparation(id).is_none() || self.ends_unasked(id, None) {
            return;
        }
        // The call may become valid when a running subagent has finished. In that case it is prepared again afterwards.
        let effect = ToolFacts::find(&self.rules.tools, tool).map(|tool| tool.effect);
        if effect.is_some_and(|effect| self.put_behind_child(id, effect)) {
            return self.advance();
        }
        let (outcome, is_of_hook) = self.blame_hook(id, outcome);
        let Some(call) = self.call_in_preparation(id) else {
            return;
        };
        if let (Origin::Check, Wanted::Command(line)) = (call.call.origin, &call.call.wanted) {
            let line = line.clone();
            self.on_check_refused(&line, &outcome);
            return;
        }
        call.title = brief(&call.call.wanted);
        call.tool = call.call.shown_as(tool).to_owned();
        call.phase = Phase::Over { outcome, took_ms: 0 };
        let unread = matches!(
            &call.call.wanted,
            Wanted::Tool {
                arguments: Arguments::Raw(_),
                ..
            }
        );
        let was_told = call.effect.is_some();
        if call.call.origin != Origin::Limit && !was_told {
            self.tell_started(id);
        }
        if let Some(turn) = &mut self.turn {
            turn.is_malformed |= unread && !is_of_hook;
        }
        self.advance_with(id);
    }

    pub(super) fn act(&mut self, id: &CallId) {
        let beside = self.is_beside(id);
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) else {
            return;
        };
        let Phase::Held { review, verdict } = std::mem::replace(&mut call.phase, Phase::Waiting) else {
            return;
        };
        // A question always goes to the person, even if the rules allow the tool.
        let question = matches!(*review, Review::Question(_));
        match verdict.action {
            Action::Allow if !question => self.run(id, Decision::Once { kept: Kept::All }, DecidedBy::Policy),
            Action::Allow | Action::Ask => {
                call.phase = Phase::Asking {
                    verdict: verdict.clone(),
                    question,
                };
                let request = call.request(&review, verdict, OnDisk::default());
                if !beside {
                    self.move_to(TurnState::AwaitingPermission);
                }
                self.live(Live::ApprovalRequested(request.into()));
                self.look_ahead(id);
            }
            Action::Deny => self.deny_by_policy(id, verdict.because),
        }
    }

    pub(super) fn deny_by_policy(&mut self, id: &CallId, because: Because) {
        self.out.push(Effect::Drop(id.clone()));
        let refusal = refusal(&because);
        // A tool that is switched off is reported as unknown, not as denied.
        if matches!(&because, Because::Rule(rule) if rule.is_switch()) {
            return self.over(id, Outcome::error("unknown_tool", refusal));
        }
        self.log_decision(id, Decision::Deny { reason: None }, DecidedBy::Policy, because);
        self.deny(id, &refusal);
    }

    /// Applies a new verdict after the permissions changed. A pending request is denied if the new rules deny it.
    /// Otherwise the request stays pending.
    pub(super) fn on_judged(&mut self, id: &CallId, judged: Verdict) {
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) else {
            return;
        };
        match &mut call.phase {
            Phase::Held { verdict, .. } | Phase::BeforeHooks { verdict, .. } => *verdict = judged,
            Phase::Asking { .. } if judged.action == Action::Deny => self.deny_by_policy(id, judged.because),
            _ => return,
        }
        self.advance_with(id);
        self.go_on_with_running();
    }

    fn log_decision(&mut self, id: &CallId, decision: Decision, by: DecidedBy, because: Because) {
        let Some(turn) = &mut self.turn else { return };
        let turn_id = turn.id;
        let Some(call) = turn.call_mut(id) else { return };
        let body = Body::Approval {
            call: id.clone(),
            tool: call.tool.clone(),
            decision,
            by,
            because,
        };
        self.log(turn_id, body);
    }

    pub(super) fn deny(&mut self, id: &CallId, text: &str) {
        self.over(id, Outcome::denied(text));
        if let Some(turn) = &mut self.turn {
            turn.denied |= call_of_model(turn, id);
        }
    }

    fn over(&mut self, id: &CallId, outcome: Outcome) {
        if let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) {
            call.phase = Phase::Over { outcome, took_ms: 0 };
        }
    }

    /// Runs a call. The start of a call with side effects is logged before it runs. After a crash, its result can thus
    /// be shown as unknown.
    fn run(&mut self, id: &CallId, decision: Decision, by: DecidedBy) {
        let beside = self.is_beside(id);
        let Some(turn) = &mut self.turn else { return };
        let turn_id = turn.id;
        let Some(call) = turn.call_mut(id) else { return };
        // The log contains the command now, so remove it from the unlogged prompts.
        self.unlogged_changed |= matches!(call.call.origin, Origin::Person | Origin::Typed);
        call.phase = Phase::Running;
        let checks = call.call.origin == Origin::Check;
        let files = std::mem::take(&mut call.files);
        let started = call.started(&files);
        let changes_the_world = matches!(
            call.effect,
            Some(EffectClass::Writes | EffectClass::Executes | EffectClass::Network | EffectClass::Delegates)
        );
        if changes_the_world || beside {
            let before: Vec<_> = files.into_iter().filter_map(|(_, before)| before).collect();
            if !before.is_empty() {
                self.out.push(Effect::Keep(before));
            }
            self.log(turn_id, started);
        }
        if !self.asks() && !beside {
            self.move_to(if checks {
                TurnState::Validating
            } else {
                TurnState::ToolRunning
            });
        }
        self.out.push(Effect::Run {
            call: id.clone(),
            decision,
            by,
        });
    }

    pub(super) fn on_decided(&mut self, id: &CallId, decision: Decision, by: DecidedBy) {
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) else {
            return;
        };
        let Phase::Asking { verdict, question } = &call.phase else {
            return;
        };
        if matches!(decision, Decision::Answer { .. }) && !question {
            return;
        }
        let because = verdict.because.clone();
        let decision = within_offer(decision, verdict);
        if let Decision::Answer { answers, .. } = &decision {
            call.answers.clone_from(answers);
        }
        self.log_decision(id, decision.clone(), by, because);
        let beside = self.is_beside(id);
        if let Some(turn) = self.turn.as_mut().filter(|_| !beside) {
            turn.is_unanswered = false;
        }
        match decision {
            Decision::Deny { reason } => {
                self.out.push(Effect::Drop(id.clone()));
                self.deny(id, &denial(by, reason.as_deref()));
            }
            Decision::Always { scope, lasts, kept } => {
                let covered = self.covered_by(&scope);
                self.out.push(Effect::Remember { scope, lasts });
                self.run(id, Decision::Once { kept }, by);
                self.judge_again(covered);
            }
            Decision::Once { .. } | Decision::Confined | Decision::Answer { .. } => self.run(id, decision, by),
        }
        self.advance_with(id);
        self.go_on_with_running();
    }

    pub(super) fn on_output(&mut self, chunk: OutputChunk) {
        if self
            .turn
            .as_mut()
            .is_some_and(|turn| turn.call_mut(&chunk.call).is_some())
        {
            self.live(Live::ToolOutput(chunk));
        }
    }

    pub(super) fn on_finished(&mut self, id: &CallId, outcome: Outcome, took_ms: u64) {
        let Some(turn) = self.turn.as_mut() else { return };
        let ending = turn.ending;
        let Some(call) = turn.call_mut(id) else { return };
        let outcome = match (&call.phase, ending) {
            (Phase::Running, _) => outcome,
            (Phase::Stopping, Some(ending)) => ending.last_words(outcome),
            _ => return,
        };
        // Name only the files that were written, because the person may have discarded some of them.
        if let Wanted::Undo { line, files, .. } = &mut call.call.wanted
            && let Some(of_changed) = line_of_changed(files, &outcome.changes)
        {
            *line = of_changed;
        }
        if let Some(outcome) = self.ask_after(id, outcome, took_ms)
            && let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id))
        {
            call.phase = Phase::Over { outcome, took_ms };
        }
        self.advance_with(id);
    }

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

    /// Continues the turn after all calls have results.
    fn after_calls(&mut self) {
        let Some(turn) = &self.turn else { return };
        if let Some(ending) = turn.ending {
            self.end(ending);
            return;
        }
        if turn.at_end.is_asked() {
            return;
        }
        let last = turn.calls.last().map(|call| call.call.origin);
        match (last, turn.start) {
            (Some(Origin::Check), _) => self.after_check(),
            (Some(Origin::Limit), _) => self.after_pause(),
            (Some(Origin::OwnCommand), _) => self.after_first(),
            (Some(Origin::Person | Origin::Typed | Origin::Merge | Origin::Undo | Origin::Review), _)
            | (None, Start::Shell(_)) => self.finish_by_itself(),
            (Some(Origin::Model) | None, Start::Prompt) | (Some(Origin::Model), Start::Shell(_)) => self.after_reply(),
        }
    }
}

fn call_of_model(turn: &super::turn::Turn, id: &CallId) -> bool {
    turn.calls
        .iter()
        .any(|call| call.call.id == *id && call.call.origin == Origin::Model)
}

/// Reduces a decision to the options of the request. An "Always allow" with a scope that was not offered becomes an
/// "Allow once". The choice of an unavailable sandbox becomes a denial.
fn within_offer(decision: Decision, verdict: &Verdict) -> Decision {
    match decision {
        Decision::Always { scope, kept, .. } if !verdict.scopes.contains(&scope) => Decision::Once { kept },
        Decision::Confined if !verdict.confinable => Decision::Deny { reason: None },
        other => other,
    }
}

/// Returns the title of a call if the title does not come from the tool. `None` for other calls.
fn titled(call: &call::Call) -> Option<String> {
    match &call.wanted {
        // The title of a check is its whole command line.
        Wanted::Command(line) if call.origin == Origin::Check => Some(line.clone()),
        // Only this line contains the branch name.
        Wanted::Patch { line, .. } => Some(line.clone()),
        Wanted::Tool { .. }
        | Wanted::Command(_)
        | Wanted::Undo { .. }
        | Wanted::Review { .. }
        | Wanted::Question(_) => None,
    }
}
