//! Runs the command lines of a custom command one after the other, and then sends the prompt. If a line does not run,
//! the prompt returns to the person.

use std::collections::VecDeque;

use super::Machine;
use super::turn;
use crate::effect::Effect;
use benchdog_domain::call::{self, Origin, Wanted};
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::notice::Notice;
use benchdog_domain::tool::{CallStatus, EffectClass};
use benchdog_protocol::{Answer, TurnState};

#[derive(Debug, Default)]
pub(super) struct First {
    rest: VecDeque<String>,
    unrun: Option<String>,
}

impl First {
    /// Records a line that was denied, was stopped, or could not be prepared (`effect` is `None`). Does not record a
    /// line that ran and failed.
    pub(super) fn note(&mut self, line: &str, effect: Option<EffectClass>, status: CallStatus) {
        if effect.is_none() || matches!(status, CallStatus::Denied | CallStatus::Cancelled) {
            self.unrun = Some(line.to_owned());
        }
    }
}

impl Machine {
    pub(super) fn run_first(&mut self, lines: VecDeque<String>, told: Vec<Notice>) {
        let Some(turn) = &mut self.turn else { return };
        let id = turn.id;
        turn.first = Some(First {
            rest: lines,
            unrun: None,
        });
        self.last_turn = id;
        self.log_first_agent(id);
        told.into_iter().for_each(|notice| self.notice(notice));
        self.move_to(TurnState::Planning);
        self.after_first();
    }

    pub(super) fn after_first(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let Some(first) = &mut turn.first else { return };
        let prompt = turn.prompt.clone();
        if let Some(line) = first.unrun.take() {
            let name = prompt.split_whitespace().next().unwrap_or_default().to_owned();
            self.notice(Notice::NotSent { name, line });
            return self.finish_unsent(TurnOutcome::Denied);
        }
        let Some(line) = first.rest.pop_front() else {
            turn.calls.clear();
            self.move_to(TurnState::Planning);
            return self.weigh(prompt, true);
        };
        let call = call::Call {
            id: self.fresh_call_id(),
            origin: Origin::OwnCommand,
            wanted: Wanted::Command(line),
        };
        if let Some(turn) = &mut self.turn {
            turn.calls = vec![turn::Call::new(call)];
        }
        self.move_to(TurnState::Planning);
        self.advance();
    }

    pub(super) fn finish_unsent(&mut self, outcome: TurnOutcome) {
        let turn = self.turn.as_ref().filter(|turn| turn.first.is_some());
        let unsent = turn.map(|turn| turn.prompt.clone());
        self.unlogged_changed |= unsent.is_some();
        self.finish(outcome);
        if let Some(text) = unsent {
            self.out.push(Effect::Answer(Answer::Unqueued { text }));
        }
    }
}
