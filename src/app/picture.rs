//! The part of the screen to render again. Most key presses change only the rows of the prompt.

use super::focus::{Holder, keyboard};
use super::layout::Pane;
use super::state::State;

/// The parts of the screen that are out of date, from none to all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Old {
    #[default]
    Nothing,
    Prompt,
    All,
}

impl State {
    pub fn take_old(&mut self) -> Old {
        match (std::mem::take(&mut self.dirty), std::mem::take(&mut self.wrote)) {
            (true, _) => Old::All,
            (false, true) => Old::Prompt,
            (false, false) => Old::Nothing,
        }
    }

    /// Whether typing a character changes only the rows of the prompt. For this, the prompt must not be empty, and no
    /// timer, message, completion, question or selection may be visible.
    pub(super) fn shows_letters_in_prompt_alone(&self) -> bool {
        keyboard(self) == Holder::Pane(Pane::Prompt)
            && !self.screen.prompt.buffer.is_empty()
            && self.screen.prompt.completion.is_none()
            && !self.screen.approvals.asks()
            && !self.screen.turn.busy()
            && self.screen.turn.awaited.is_empty()
            && !self.screen.context.awaited
            && self.screen.jobs.is_empty()
            && self.screen.dialog.is_none()
            && self.screen.marking.is_none()
            && self.screen.toast.is_none()
            && self.stroke.is_none()
    }
}
