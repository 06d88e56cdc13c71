//! Resumes a session that ended while an approval request was pending. The request is shown again.

use super::left_open::about;
use super::turn::{Call, Ending, Phase, Start, Turn};
use super::{AtPause, Machine};
use benchdog_base::id::CallId;
use benchdog_domain::history::{CallProgress, History};
use benchdog_domain::message::ToolCall;
use benchdog_domain::permission::Action;
use benchdog_protocol::TurnState;

impl Machine {
    /// Returns the unfinished calls of a session that can be resumed with them. This requires that a person is present,
    /// and that none of the calls has started.
    pub(super) fn can_be_taken_up(&self, history: &History) -> Vec<ToolCall> {
        let is_whole = history.open_turn() && history.last_prompt().is_some();
        let unbegun = history.open_calls().all(|open| open.progress == CallProgress::Waiting);
        if self.rules.at_pause == AtPause::End || !is_whole || !unbegun {
            return Vec::new();
        }
        history.open_calls().map(|open| open.call.clone()).collect()
    }

    /// Whether the turn waits only for a decision of the person. The session can then be closed and resumed later.
    pub(crate) fn waits_to_be_taken_up(&self, history: &History) -> bool {
        self.turn.as_ref().is_some_and(only_asks) && !self.can_be_taken_up(history).is_empty()
    }

    /// Prepares the first of the unfinished calls, so that its approval request is shown again. The other calls follow
    /// after the decision about the first call.
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
            // The next input of the model contains the results of these calls, and also the pending notes.
            notes: std::mem::take(&mut self.pending_notes),
            is_unanswered: true,
            told: std::mem::take(&mut self.left_beside),
            ..Turn::new(self.last_turn, Start::Prompt, prompt, self.rules.steps())
        });
        self.move_to(TurnState::Planning);
        self.advance();
    }

    /// Ends the resumed turn if the person sends another command instead of a decision.
    pub(super) fn close_unanswered(&mut self) {
        if self.turn.as_ref().is_some_and(|turn| turn.is_unanswered) {
            self.end_early(Ending::Killed);
        }
    }

    /// Ends the resumed turn if its first call no longer needs approval, and returns whether the turn ended. The call
    /// must not run, because the person has decided nothing yet.
    pub(super) fn ends_unasked(&mut self, id: &CallId, asks: Option<Action>) -> bool {
        let unanswered = self.turn.as_ref().is_some_and(|turn| turn.is_unanswered) && !self.is_beside(id);
        let ends = asks != Some(Action::Ask) && unanswered;
        if ends {
            self.end_early(Ending::Killed);
        }
        ends
    }
}

/// Whether the turn waits only for a decision. `TurnState` is no criterion, because it stays the same after a denial.
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
