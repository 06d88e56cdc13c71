//! Edits the focused text: the prompt, a reason, or a free text answer.

use super::prompt::draft;
use super::{request, typing};
use crate::op::Op;
use crate::panes::prompt::buffer::{Buffer, Move};
use crate::state::State;
use benchdog_keys::action::{Action, PromptAction, TextAction};
use benchdog_lang::{self as lang, Word, word};

pub(super) fn act(state: &mut State, action: TextAction, ops: &mut Vec<Op>) {
    match action {
        TextAction::Copy => copy(state, ops),
        TextAction::Cut => {
            copy(state, ops);
            edit_here(
                state,
                |buffer| {
                    if buffer.delete_selected() {
                        Edited::Text
                    } else {
                        Edited::Caret
                    }
                },
                ops,
            );
        }
        TextAction::Mark => {
            let mut marking = false;
            let mark = |buffer: &mut Buffer| {
                marking = buffer.mark();
                Edited::Caret
            };
            edit_here(state, mark, ops);
            let said = if marking {
                Word::MovingSelects
            } else {
                Word::MovingMoves
            };
            state.say(word(said), false);
        }
        TextAction::Paste if state.copied.is_empty() => {
            let image = state.keymap.hint(Action::Prompt(PromptAction::PasteImage));
            state.say(lang::message::toast_nothing_to_paste(&image), false);
        }
        TextAction::Paste => {
            let copied = state.copied.clone();
            typing::paste(state, &copied, ops);
        }
        _ => edit_here(state, |buffer| edit(buffer, action), ops),
    }
}

fn edit_here(state: &mut State, change: impl FnOnce(&mut Buffer) -> Edited, ops: &mut Vec<Op>) {
    if let Some(buffer) = request::text(state) {
        change(buffer);
        return;
    }
    match change(&mut state.screen.prompt.buffer) {
        Edited::Text => draft::changed(state, ops),
        Edited::Caret if state.screen.prompt.completion.is_some() => draft::refresh_completion(state, ops),
        Edited::Caret => {}
    }
}

fn copy(state: &mut State, ops: &mut Vec<Op>) {
    let selected = match request::text(state) {
        Some(buffer) => buffer.selected(),
        None => state.screen.prompt.buffer.selected(),
    };
    match selected {
        Some(text) => ops.push(Op::Copy {
            text: text.into(),
            what: word(Word::CopiedSelection).to_owned(),
        }),
        None => state.say(word(Word::NothingSelected), false),
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
        TextAction::SelectLeft => buffer.select(Move::Left),
        TextAction::SelectRight => buffer.select(Move::Right),
        TextAction::SelectUp => buffer.select_up(),
        TextAction::SelectDown => buffer.select_down(),
        TextAction::SelectWordLeft => buffer.select(Move::WordLeft),
        TextAction::SelectWordRight => buffer.select(Move::WordRight),
        TextAction::SelectLineStart => buffer.select(Move::LineStart),
        TextAction::SelectLineEnd => buffer.select(Move::LineEnd),
        TextAction::SelectStart => buffer.select(Move::TextStart),
        TextAction::SelectEnd => buffer.select(Move::TextEnd),
        TextAction::SelectAll => buffer.select_all(),
        // These actions need more than the text, so the callers handle them.
        TextAction::Mark | TextAction::Copy | TextAction::Cut | TextAction::Paste => {}
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
