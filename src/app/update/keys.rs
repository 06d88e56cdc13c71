//! A key press: who has the keyboard, what it means there, and where text goes.

use super::{approving, dialog_keys, perform};
use crate::app::focus::{Holder, keyboard, scope};
use crate::app::layout::Pane;
use crate::app::op::Op;
use crate::app::state::State;
use crate::base::clock::Time;
use crate::keys::keymap::Found;
use crate::keys::{Action, Key, KeyCode};
use crate::protocol::Command;

pub(super) fn key(state: &mut State, key: Key, at: Time, ops: &mut Vec<Op>) {
    state.dirty = true;
    // Before anything else: whether a letter would have counted, which this very press ends.
    let lit = state.approvals.key(at);
    match keyboard(state) {
        Holder::Approval | Holder::Question => approving::key(state, key, lit, ops),
        Holder::Dialog => dialog_keys::dialog(state, key, ops),
        Holder::Find => dialog_keys::find(state, key, ops),
        Holder::Pane(pane) => pane_key(state, pane, key, ops),
    }
}

fn pane_key(state: &mut State, pane: Pane, key: Key, ops: &mut Vec<Op>) {
    if let Some(action) = meaning(state, key) {
        perform::action(state, action, ops);
        return;
    }
    if state.stroke.is_some() {
        return;
    }
    // A letter that means nothing in a list is the beginning of a sentence.
    if let Some(c) = typed(state, key) {
        if pane != Pane::Prompt {
            state.focus = Pane::Prompt;
        }
        type_char(state, c, ops);
    }
}

/// What a stroke means where the keyboard is, counting a first stroke that waits for it.
pub(super) fn meaning(state: &mut State, key: Key) -> Option<Action> {
    let scope = scope(state);
    let first = state.stroke.take();
    match state.keymap.find(scope, first, key) {
        Found::Action(action) => Some(action),
        Found::Prefix => {
            state.stroke = Some(key);
            None
        }
        // A second stroke that fits nothing is a stroke of its own; the first one did nothing.
        Found::Nothing if first.is_some() => match state.keymap.find(scope, None, key) {
            Found::Action(action) => Some(action),
            Found::Prefix => {
                state.stroke = Some(key);
                None
            }
            Found::Nothing => None,
        },
        Found::Nothing => None,
    }
}

/// The letter of a press that means nothing else. `Esc` and a letter read together look like Alt and that letter where
/// the terminal did not confirm better; nobody binds to what was not bound, so the letter was typed.
pub(super) fn typed(state: &State, key: Key) -> Option<char> {
    let alt = key.alt && state.terminal.kitty;
    Key { alt, ..key }.printable()
}

pub(super) fn type_char(state: &mut State, c: char, ops: &mut Vec<Op>) {
    state.prompt.buffer.insert(c.encode_utf8(&mut [0; 4]));
    changed(state, ops);
}

/// The prompt's text changed: completion looks at it, and it is to be saved.
pub(super) fn changed(state: &mut State, ops: &mut Vec<Op>) {
    let now = state.now;
    state.prompt.changed(now);
    looked(state, ops);
}

/// The caret moved or the text changed.
pub(super) fn looked(state: &mut State, ops: &mut Vec<Op>) {
    if let Some(query) = state.prompt.complete() {
        ops.push(Op::Send(Command::FindFiles {
            query,
            limit: crate::app::panes::prompt::completion::LIMIT,
        }));
    }
}

/// A paste goes where typing goes; it never decides anything.
pub(super) fn paste(state: &mut State, text: &str, at: Time, ops: &mut Vec<Op>) {
    state.dirty = true;
    state.approvals.key(at);
    let one_line = || text.replace(['\r', '\n'], " ");
    match keyboard(state) {
        Holder::Dialog => dialog_keys::paste(state, &one_line(), ops),
        Holder::Find => state.conversation.find_edit(|query| query.push_str(&one_line())),
        Holder::Approval | Holder::Question => {
            if !approving::paste(state, text) {
                state.approvals.leave();
                into_prompt(state, text, ops);
            }
        }
        Holder::Pane(_) => into_prompt(state, text, ops),
    }
}

pub(super) fn into_prompt(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    state.focus = Pane::Prompt;
    state.prompt.paste(text);
    changed(state, ops);
}

/// Edits a line of text that is no `Buffer`: filters and the find line.
pub(super) fn edit_line(text: &mut String, key: Key) -> bool {
    match key.code {
        KeyCode::Backspace => {
            let end = crate::base::text::graphemes(text).last().map_or(0, |(at, _)| at);
            text.truncate(end);
            true
        }
        KeyCode::Char('u') if key.ctrl => {
            text.clear();
            true
        }
        _ => match key.printable() {
            Some(c) => {
                text.push(c);
                true
            }
            None => false,
        },
    }
}
