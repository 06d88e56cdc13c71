//! A session that ended suddenly while a person was asked: what was proposed is shown again, and the turn goes on with the answer.

use super::left_open::about;
use super::turn::{Call, Ending, Phase, Start, Turn};
use super::{AtPause, Machine};
use crate::base::id::CallId;
use crate::domain::history::{CallProgress, History};
use crate::domain::message::ToolCall;
use crate::domain::permission::Action;
use crate::protocol::TurnState;

impl Machine {
    /// The calls that may be proposed again: where somebody is there to answer, and none of them was begun.
    pub(super) fn can_be_taken_up(&self, history: &History) -> Vec<ToolCall> {
        let is_whole = history.open_turn() && history.last_prompt().is_some();
        let unbegun = history.open_calls().all(|open| open.progress == CallProgress::Waiting);
        if self.rules.at_pause == AtPause::End || !is_whole || !unbegun {
            return Vec::new();
        }
        history.open_calls().map(|open| open.call.clone()).collect()
    }

    /// Whether a turn waits for the person and for nothing else, so that it may be left as it is and taken up later.
    pub(crate) fn waits_to_be_taken_up(&self, history: &History) -> bool {
        self.turn.as_ref().is_some_and(only_asks) && !self.can_be_taken_up(history).is_empty()
    }

    /// Looks at the first of them again. The others follow once it is decided.
    pub(super) fn on_taken_up(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let (Some(left), false) = (&self.left, waiting.is_empty() || self.turn.is_some()) else {
            return;
        };
        let prompt = left.prompt().to_owned();
        let list = self.keeper_of(&prompt);
        let calls = waiting.into_iter().map(|call| {
            let title = about(&call.arguments);
            Call {
                title,
                ..super::model::of_model(call)
            }
        });
        self.turn = Some(Turn {
            calls: calls.collect(),
            list,
            // The results of these calls are what the model reads next.
            notes: std::mem::take(&mut self.pending_notes),
            is_unanswered: true,
            told: std::mem::take(&mut self.left_beside),
            ..Turn::new(self.last_turn, Start::Prompt, prompt, self.rules.steps())
        });
        self.move_to(TurnState::Planning);
        self.advance();
    }

    /// A person who sends something in place of an answer goes another way: what waited is closed, and nothing waits behind it.
    pub(super) fn close_unanswered(&mut self) {
        if self.turn.as_ref().is_some_and(|turn| turn.is_unanswered) {
            self.end_early(Ending::Killed);
        }
    }

    /// The first call was looked at. Where nobody is asked about it, nobody was when the session ended, and nothing goes on by
    /// itself. Returns whether the turn ends with that.
    pub(super) fn ends_unasked(&mut self, id: &CallId, asks: Option<Action>) -> bool {
        let unanswered = self.turn.as_ref().is_some_and(|turn| turn.is_unanswered) && !self.is_beside(id);
        let ends = asks != Some(Action::Ask) && unanswered;
        if ends {
            self.end_early(Ending::Killed);
        }
        ends
    }
}

/// Whether a person is asked, and nothing else is under way. The state of the turn does not tell: it stays once the person has said no.
fn only_asks(turn: &Turn) -> bool {
    let is_still = |call: &Call| match call.phase {
        Phase::Asking { .. } | Phase::Waiting | Phase::Held { .. } | Phase::Stored => true,
        Phase::Preparing
        | Phase::BeforeHooks { .. }
        | Phase::Running
        | Phase::AfterHooks { .. }
        | Phase::Stopping
        | Phase::Over { .. } => false,
    };
    let asks = |call: &Call| matches!(call.phase, Phase::Asking { .. });
    turn.calls.iter().any(asks) && turn.calls.iter().all(is_still) && !turn.beside.iter().any(Call::is_running)
}
