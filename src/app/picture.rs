//! The part of the screen to render again. Most frames follow a key in the prompt, which only changes the prompt's
//! rows.

use super::focus::{Holder, keyboard};
use super::layout::Pane;
use super::state::State;

/// The stale part of the screen, in ascending order.
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

    /// Whether typing changes only the prompt's rows: the prompt is not empty, and no timer, message, completion,
    /// question or selection is visible.
    pub(super) fn shows_letters_in_prompt_alone(&self) -> bool {
        keyboard(self) == Holder::Pane(Pane::Prompt)
            && !self.prompt.buffer.is_empty()
            && self.prompt.completion.is_none()
            && !self.approvals.asks()
            && !self.turn.busy()
            && self.turn.awaited.is_empty()
            && !self.context.awaited
            && self.jobs.is_empty()
            && self.dialog.is_none()
            && self.marking.is_none()
            && self.toast.is_none()
            && self.stroke.is_none()
    }
}
