//! How much of the picture has to be drawn anew. Most pictures follow a letter of the prompt, and nothing but the prompt's own rows
//! shows it.

use super::focus::{Holder, keyboard};
use super::layout::Pane;
use super::state::State;

/// What of the picture is old, from the least to the most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Old {
    #[default]
    Nothing,
    /// The rows of the prompt.
    Prompt,
    All,
}

impl State {
    /// What changed since the last call; nothing is drawn when nothing did.
    pub(crate) fn take_old(&mut self) -> Old {
        match (std::mem::take(&mut self.dirty), std::mem::take(&mut self.wrote)) {
            (true, _) => Old::All,
            (false, true) => Old::Prompt,
            (false, false) => Old::Nothing,
        }
    }

    /// Whether a letter that is written to the prompt shows in its rows alone: no clock runs, nothing is said, completed, asked or
    /// marked, and the hint of an empty prompt is gone already.
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
