//! Mouse drags. They select in the text where they began.

use ratatui::layout::{Position, Rect};

use crate::app::layout::Pane;
use crate::app::panes::prompt::SIGN;
use crate::app::panes::prompt::buffer::Buffer;
use crate::app::state::State;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Held {
    Prompt,
    Request,
}

pub(super) fn press(state: &mut State, pane: Pane) {
    state.held = (pane == Pane::Prompt).then_some(Held::Prompt);
}

pub(super) fn drag(state: &mut State, x: u16, y: u16) {
    match state.held {
        Some(Held::Prompt) => {
            if let Some(area) = state.layout.prompt {
                let area = Rect {
                    x: area.x + SIGN,
                    ..area
                };
                select(&mut state.prompt.buffer, area, x, y);
                state.dirty = true;
            }
        }
        Some(Held::Request) => {
            if let Some((buffer, area)) = written(state) {
                select(buffer, area, x, y);
                state.dirty = true;
            }
        }
        None => {}
    }
}

pub(super) fn release(state: &mut State) {
    state.held = None;
}

/// Moves the cursor of a request's text input. Returns `false` if there is none.
pub(super) fn press_request(state: &mut State, at: Position) -> bool {
    let Some((buffer, area)) = written(state) else {
        return false;
    };
    if area.contains(at) {
        buffer.click(at.x - area.x, at.y - area.y);
        state.held = Some(Held::Request);
    }
    true
}

fn written(state: &mut State) -> Option<(&mut Buffer, Rect)> {
    let body = state.layout.approval_body?;
    let waiting = state.approvals.front_mut()?;
    let area = waiting.text_area(body)?;
    Some((waiting.text()?, area))
}

/// Extends the selection. Outside of the viewport, the text scrolls.
fn select(buffer: &mut Buffer, area: Rect, x: u16, y: u16) {
    if y < area.y {
        buffer.select_up();
    } else if y >= area.bottom() {
        buffer.select_down();
    } else {
        buffer.drag(x.saturating_sub(area.x), y - area.y);
    }
}
