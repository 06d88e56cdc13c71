//! Selection with the mouse: press, drag and release on text.

use crate::dialogs::Dialog;
use crate::dialogs::approval::RequestView;
use crate::marking::{Marking, Surface};
use crate::op::Op;
use crate::state::State;
use crate::view::surfaces::{area, rows, surface_at, text};
use benchdog_domain::entry::Body;
use benchdog_lang::{Word, word};

pub(super) fn press(state: &mut State, x: u16, y: u16) {
    state.screen.marking = surface_at(state, x, y).and_then(|surface| {
        let at = usize::from(y.checked_sub(area(state, surface)?.y)?);
        let from = rows(state, surface).into_iter().nth(at).flatten()?.letter(x);
        Some(Marking {
            surface,
            upto: from.clone(),
            from,
            dragged: false,
        })
    });
}

/// Extends the selection to the position of the mouse. Beyond the edge of the area, scrolls the text.
pub(super) fn drag(state: &mut State, x: u16, y: u16) {
    let Some(surface) = state.screen.marking.as_ref().map(|marking| marking.surface) else {
        return;
    };
    let Some(area) = area(state, surface).filter(|area| !area.is_empty()) else {
        state.screen.marking = None;
        return;
    };
    let beyond = match y {
        _ if y < area.y => -1,
        _ if y >= area.bottom() => 1,
        _ => 0,
    };
    let inside = y.clamp(area.y, area.bottom() - 1);
    // If the mouse is below the last row of text, the selection ends at that row.
    let mut above = (area.y..=inside).zip(rows(state, surface)).rev();
    let found = above.find_map(|(y, row)| Some((y, row?)));
    if let (Some((at, row)), Some(marking)) = (found, &mut state.screen.marking) {
        let upto = row.letter(if at == inside { x } else { u16::MAX });
        marking.dragged |= upto != marking.from;
        marking.upto = upto;
    }
    if beyond != 0 {
        scroll(state, surface, beyond);
    }
    state.dirty = true;
}

fn scroll(state: &mut State, surface: Surface, by: isize) {
    match surface {
        Surface::Conversation => state.screen.conversation.scroll(by),
        Surface::Viewer => {
            if let Some(Dialog::Viewer(viewer)) = &mut state.screen.dialog {
                viewer.scroll(by);
            }
        }
        Surface::Change(_) => {
            if let Some(open) = &mut state.screen.changes.open {
                open.view.scroll(by);
            }
        }
        Surface::Proposal(_) => {
            if let Some(RequestView::Files(view)) = state.screen.approvals.front_mut().map(|waiting| &mut waiting.view)
            {
                view.scroll(by);
            }
        }
    }
}

/// Copies the selection. The selection stays visible until the next key press or click.
pub(super) fn release(state: &mut State, ops: &mut Vec<Op>) {
    let Some(marking) = state.screen.marking.take_if(|marking| marking.dragged) else {
        state.screen.marking = None;
        return;
    };
    let text = text(state, &marking);
    if !text.is_empty() {
        ops.push(Op::Copy {
            text: text.into(),
            what: word(Word::CopiedSelection).to_owned(),
        });
    }
    state.screen.marking = Some(marking);
}

pub(super) fn end(state: &mut State) {
    state.dirty |= state.screen.marking.take().is_some_and(|marking| marking.dragged);
}

/// Clears the selection if the selected blocks are moved by a compaction.
pub(super) fn entry_came(state: &mut State, body: &Body) {
    let moves = matches!(body, Body::Compaction(_) | Body::CompactionUndone { .. });
    let is_in_it = |marking: &Marking| matches!(marking.surface, Surface::Conversation);
    if moves && state.screen.marking.as_ref().is_some_and(is_in_it) {
        end(state);
    }
}
