//! Repeats the last request after an error, an interrupt, or an unsatisfactory answer.

use super::Machine;
use super::turn::{ListKeeper, Start, Turn};
use benchdog_base::id::TurnId;
use benchdog_domain::entry::Body;
use benchdog_domain::history::History;
use benchdog_domain::notice::Notice;
use benchdog_protocol::{Live, TurnState};

/// The state of the last turn, if the turn can be continued.
#[derive(Debug)]
pub(super) struct Left {
    prompt: String,
    unvalidated: bool,
    failing: bool,
    /// Whether a command or an undo followed the turn. In this case, a retry sends the prompt again, so that the
    /// request also includes the command or the undo.
    is_overtaken: bool,
}

impl Left {
    pub(super) fn of(turn: &Turn) -> Option<Self> {
        (turn.start == Start::Prompt && turn.first.is_none()).then(|| Self {
            prompt: turn.prompt.clone(),
            unvalidated: turn.unvalidated || turn.failing,
            failing: turn.failing,
            is_overtaken: false,
        })
    }

    pub(super) fn overtaken(self) -> Self {
        Self {
            is_overtaken: true,
            ..self
        }
    }

    pub(super) fn prompt(&self) -> &str {
        &self.prompt
    }

    pub(super) fn of_session(history: &History) -> Option<Self> {
        Some(Self {
            prompt: history.newest_prompt()?.to_owned(),
            unvalidated: false,
            failing: false,
            is_overtaken: history.last_prompt().is_none(),
        })
    }
}

impl Machine {
    pub(super) fn on_retry(&mut self) {
        if self.turn.is_some() {
            self.live(Live::Notice(Notice::Busy));
            return;
        }
        let Some(left) = self.left.take() else {
            self.live(Live::Notice(Notice::NothingToRetry));
            return;
        };
        if left.is_overtaken {
            self.start_turn(Start::Prompt, left.prompt);
            return;
        }
        let id = TurnId(self.last_turn.0 + 1);
        self.last_turn = id;
        self.turn = Some(Turn {
            list: self.keeper_of(&left.prompt),
            unvalidated: left.unvalidated,
            failing: left.failing,
            ..Turn::new(id, Start::Prompt, left.prompt, self.rules.steps())
        });
        self.log(id, Body::Retried);
        self.move_to(TurnState::Planning);
        self.call_model();
    }

    pub(super) fn keeper_of(&self, prompt: &str) -> ListKeeper {
        if self.todo.is_task(prompt) {
            ListKeeper::Engine
        } else {
            ListKeeper::Nobody
        }
    }
}
