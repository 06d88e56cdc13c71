//! Dragging with the mouse. A drag selects text in the area where it has started.

use ratatui::layout::{Position, Rect};

use crate::layout::Pane;
use crate::panes::prompt::SIGN;
use crate::panes::prompt::buffer::Buffer;
use crate::pointer::DragSource;
use crate::state::State;

pub(super) fn press(state: &mut State, pane: Pane) {
    state.pointer.drag = (pane == Pane::Prompt).then_some(DragSource::Prompt);
}

pub(super) fn drag(state: &mut State, x: u16, y: u16) {
    match state.pointer.drag {
        Some(DragSource::Prompt) => {
            if let Some(area) = state.layout.prompt {
                let area = Rect {
                    x: area.x + SIGN,
                    ..area
                };
                select(&mut state.screen.prompt.buffer, area, x, y);
                state.dirty = true;
            }
        }
        Some(DragSource::Request) => {
            if let Some((buffer, area)) = written(state) {
                select(buffer, area, x, y);
                state.dirty = true;
            }
        }
        None => {}
    }
}

pub(super) fn release(state: &mut State) {
    state.pointer.drag = None;
}

/// Moves the cursor of a text input in a request. Returns `false` if no such input is open.
pub(super) fn press_request(state: &mut State, at: Position) -> bool {
    let Some((buffer, area)) = written(state) else {
        return false;
    };
    if area.contains(at) {
        buffer.click(at.x - area.x, at.y - area.y);
        state.pointer.drag = Some(DragSource::Request);
    }
    true
}

fn written(state: &mut State) -> Option<(&mut Buffer, Rect)> {
    let body = state.layout.approval_body?;
    let waiting = state.screen.approvals.front_mut()?;
    let area = waiting.text_area(body)?;
    Some((waiting.text()?, area))
}

fn select(buffer: &mut Buffer, area: Rect, x: u16, y: u16) {
    if y < area.y {
        buffer.select_up();
    } else if y >= area.bottom() {
        buffer.select_down();
    } else {
        buffer.drag(x.saturating_sub(area.x), y - area.y);
    }
}
