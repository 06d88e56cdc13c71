//! Typed and pasted text. The text goes to the focused input, or else to the prompt. No text is lost.

use super::prompt::draft;
use super::stroke::typed;
use super::{dialogs, request};
use crate::dialogs::Dialog;
use crate::focus::{Holder, keyboard};
use crate::layout::Pane;
use crate::op::Op;
use crate::panes::prompt::buffer::{Buffer, LONGEST_TEXT};
use crate::state::State;
use benchdog_keys::Key;
use benchdog_lang as lang;

pub(super) fn key(state: &mut State, key: Key, ops: &mut Vec<Op>) {
    if let Some(c) = typed(state, key) {
        letter(state, c, ops);
    }
}

fn letter(state: &mut State, c: char, ops: &mut Vec<Op>) {
    if keyboard(state) == Holder::Pane(Pane::Prompt) && state.screen.prompt.commands() {
        return draft::command(state, c, ops);
    }
    let mut bytes = [0; 4];
    let typed: &str = c.encode_utf8(&mut bytes);
    if elsewhere(state, typed, typed, ops) {
        return;
    }
    if has_room(&state.screen.prompt.buffer, typed) {
        draft::type_char(state, c, ops);
    } else {
        say_full(state);
    }
}

/// Inserts a paste. A paste never decides a request.
pub(super) fn paste(state: &mut State, pasted: &str, ops: &mut Vec<Op>) {
    state.dirty = true;
    state.screen.approvals.note_input();
    state.screen.approvals.take_early();
    let line = pasted.replace(['\r', '\n'], " ");
    if elsewhere(state, pasted, &line, ops) {
        return;
    }
    if has_room(&state.screen.prompt.buffer, pasted) {
        draft::paste(state, pasted, ops);
    } else {
        say_full(state);
    }
}

fn has_room(buffer: &Buffer, typed: &str) -> bool {
    buffer.size() + typed.len() <= LONGEST_TEXT
}

fn say_full(state: &mut State) {
    state.say(lang::text_full(LONGEST_TEXT >> 20), true);
}

/// Inserts a text into the focused input. A single-line input gets `line` instead of `whole`. If no input has the
/// focus, closes the dialog or leaves the request above the prompt, and returns `false`.
fn elsewhere(state: &mut State, whole: &str, line: &str, ops: &mut Vec<Op>) -> bool {
    match keyboard(state) {
        Holder::Dialog => match state.screen.dialog {
            Some(Dialog::Palette(_) | Dialog::Picker(_) | Dialog::Help(_) | Dialog::Setup(_)) => {
                dialogs::write(state, line, ops);
            }
            Some(Dialog::Viewer(_) | Dialog::Sheet(_) | Dialog::Compaction(_) | Dialog::Jobs(_)) | None => {
                state.screen.dialog = None;
                return false;
            }
        },
        Holder::Find | Holder::Filter => dialogs::write(state, line, ops),
        Holder::Approval | Holder::Question => {
            let Some(buffer) = request::text(state) else {
                request::to_prompt(state);
                return false;
            };
            if has_room(buffer, whole) {
                buffer.insert(whole);
            } else {
                say_full(state);
            }
        }
        Holder::Pane(_) => return false,
    }
    true
}
