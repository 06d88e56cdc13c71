//! Dragging with the mouse: what it began in is what it selects, wherever the pointer goes.

use crate::app::layout::Pane;
use crate::app::panes::prompt::SIGN;
use crate::app::state::State;

/// What the pressed button holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Held {
    /// The text of the prompt.
    Prompt,
}

/// The button went down on a pane.
pub(super) fn press(state: &mut State, pane: Pane) {
    state.held = (pane == Pane::Prompt).then_some(Held::Prompt);
}

pub(super) fn drag(state: &mut State, x: u16, y: u16) {
    match state.held {
        Some(Held::Prompt) => prompt(state, x, y),
        None => {}
    }
}

pub(super) fn release(state: &mut State) {
    state.held = None;
}

/// Above and below the text there may be more of it.
fn prompt(state: &mut State, x: u16, y: u16) {
    let Some(rect) = state.layout.prompt else { return };
    state.dirty = true;
    let buffer = &mut state.prompt.buffer;
    if y < rect.y {
        buffer.select_up();
    } else if y >= rect.bottom() {
        buffer.select_down();
    } else {
        buffer.drag(x.saturating_sub(rect.x + SIGN), y - rect.y);
    }
}
