//! Editing a text with a caret, whichever one has the keyboard: the prompt, a reason, an answer in one's own words.

use super::prompt::draft;
use crate::app::focus::{Holder, keyboard};
use crate::app::op::Op;
use crate::app::panes::prompt::buffer::{Buffer, Move};
use crate::app::state::State;
use crate::keys::action::TextAction;

pub(super) fn act(state: &mut State, action: TextAction, ops: &mut Vec<Op>) {
    if let Some(buffer) = in_request(state) {
        edit(buffer, action);
        return;
    }
    match edit(&mut state.prompt.buffer, action) {
        Edited::Text => draft::changed(state, ops),
        Edited::Caret if state.prompt.completion.is_some() => draft::refresh_completion(state, ops),
        Edited::Caret => {}
    }
}

/// The text of a request that has the keyboard.
pub(super) fn in_request(state: &mut State) -> Option<&mut Buffer> {
    match keyboard(state) {
        Holder::Approval | Holder::Question => state.approvals.front_mut()?.text(),
        Holder::Dialog | Holder::Find | Holder::Pane(_) => None,
    }
}

enum Edited {
    Text,
    Caret,
}

fn edit(buffer: &mut Buffer, action: TextAction) -> Edited {
    match action {
        TextAction::Left => buffer.go(Move::Left),
        TextAction::Right => buffer.go(Move::Right),
        TextAction::WordLeft => buffer.go(Move::WordLeft),
        TextAction::WordRight => buffer.go(Move::WordRight),
        TextAction::LineStart => buffer.go(Move::LineStart),
        TextAction::LineEnd => buffer.go(Move::LineEnd),
        TextAction::Start => buffer.go(Move::TextStart),
        TextAction::End => buffer.go(Move::TextEnd),
        TextAction::DeleteLeft => return delete(buffer, Move::Left),
        TextAction::DeleteRight => return delete(buffer, Move::Right),
        TextAction::DeleteWordLeft => return delete(buffer, Move::WordLeft),
        TextAction::DeleteLineLeft => return delete(buffer, Move::LineStart),
        TextAction::DeleteLineRight => return delete(buffer, Move::LineEnd),
        TextAction::Undo => {
            buffer.undo();
            return Edited::Text;
        }
        TextAction::Redo => {
            buffer.redo();
            return Edited::Text;
        }
    }
    Edited::Caret
}

fn delete(buffer: &mut Buffer, way: Move) -> Edited {
    buffer.delete(way);
    Edited::Text
}
