//! Subagents that calls have started: their log entries and token usage, and the later calls that wait for them.

use super::Machine;
use super::turn::{Call, Phase};
use crate::effect::Effect;
use benchdog_base::id::CallId;
use benchdog_domain::child::ChildEntry;
use benchdog_domain::entry::Body;
use benchdog_domain::permission::Scope;
use benchdog_domain::tool::EffectClass;
use benchdog_protocol::{Live, TurnState};

pub(super) const MOST_WITH_CHILD: usize = 32;

impl Machine {
    pub(super) fn on_child(&mut self, child: ChildEntry) {
        for spent in child.ended.iter().flat_map(|ended| &ended.spent) {
            self.spend(Some(spent.usage), &spent.model);
        }
        self.log(self.last_turn, Body::Child(child));
    }

    /// Defers a call with side effects while an earlier subagent is running, and returns whether the call was deferred.
    /// A deferred call is prepared again later, so that its review is current.
    pub(super) fn put_behind_child(&mut self, id: &CallId, effect: EffectClass) -> bool {
        let Some(turn) = &mut self.turn else { return false };
        let earlier = turn.calls.iter().take_while(|call| call.call.id != *id);
        let is_own = turn.beside.iter().any(|call| call.call.id == *id);
        let overtakes = is_own || matches!(effect, EffectClass::Reads | EffectClass::Delegates);
        let behind_child = |call: &Call| call.has_child() && !call.is_over();
        if overtakes || !earlier.into_iter().any(behind_child) {
            return false;
        }
        if let Some(call) = turn.call_mut(id) {
            call.phase = Phase::Waiting;
            call.stands_behind = true;
        }
        self.out.push(Effect::Drop(id.clone()));
        true
    }

    pub(super) fn go_on_with_running(&mut self) {
        let Some(turn) = &self.turn else { return };
        let runs = turn.calls.iter().any(Call::is_running);
        if self.state == TurnState::AwaitingPermission && runs && !self.asks() {
            self.move_to(TurnState::ToolRunning);
        }
    }

    pub(super) fn asks(&self) -> bool {
        let mut calls = self.turn.iter().flat_map(|turn| &turn.calls);
        calls.any(|call| matches!(call.phase, Phase::Asking { .. }))
    }

    /// Returns the other pending requests that an "Always allow" with this scope also allows.
    pub(super) fn covered_by(&self, scope: &Scope) -> Vec<CallId> {
        let calls = self.turn.iter().flat_map(|turn| &turn.calls);
        let covered = calls.filter(|call| match &call.phase {
            Phase::Asking {
                verdict,
                question: false,
            } => verdict.scopes.iter().any(|offered| offered.is_within(scope)),
            _ => false,
        });
        covered.map(|call| call.call.id.clone()).collect()
    }

    pub(super) fn judge_again(&mut self, calls: Vec<CallId>) {
        for id in calls {
            let call = self.turn.as_mut().and_then(|turn| turn.call_mut(&id));
            let Some(call) = call.filter(|call| matches!(call.phase, Phase::Asking { .. })) else {
                continue;
            };
            call.phase = Phase::Waiting;
            self.live(Live::ApprovalGone { call: id.clone() });
            self.out.push(Effect::Drop(id));
        }
    }

    pub(crate) fn has_child(&self, id: &CallId) -> bool {
        let mut calls = self.turn.iter().flat_map(|turn| &turn.calls);
        calls.any(|call| call.call.id == *id && call.has_child())
    }

    pub(crate) fn used(&self) -> (u64, f64) {
        let tokens = self.session_usage.total.saturating_add(self.uncounted);
        (tokens, self.session_cost)
    }
}

impl Call {
    pub(super) fn has_child(&self) -> bool {
        self.effect == Some(EffectClass::Delegates)
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Stopping)
    }

    fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over { .. } | Phase::Stored)
    }
}
