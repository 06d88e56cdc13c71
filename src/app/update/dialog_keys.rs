//! Keys while a dialog that the person opened, or the find line, has the keyboard.

use super::keys::{changed, edit_line, into_prompt, meaning, typed};
use super::perform;
use crate::app::dialogs::Dialog;
use crate::app::dialogs::picker::{PickerKind, PickerValue};
use crate::app::layout::Pane;
use crate::app::op::Op;
use crate::app::panes::prompt::completion::mention;
use crate::app::state::State;
use crate::keys::{Action, Key, KeyCode};
use crate::protocol::Command;

/// Paths asked for in the file picker.
const FILES: usize = 200;

pub(super) fn dialog(state: &mut State, key: Key, ops: &mut Vec<Op>) {
    match state.dialog.as_ref() {
        Some(Dialog::Palette(_) | Dialog::Picker(_)) => filtered(state, key, ops),
        Some(Dialog::Help(_) | Dialog::Viewer(_)) => plain(state, key, ops),
        None => {}
    }
}

fn filtered(state: &mut State, key: Key, ops: &mut Vec<Op>) {
    let by = match meaning(state, key) {
        Some(Action::PickUp) => -1,
        Some(Action::PickDown) => 1,
        Some(Action::PickPageUp) => -10,
        Some(Action::PickPageDown) => 10,
        Some(Action::Pick) => return take(state, ops),
        Some(Action::PickClose | Action::ClearOrLeave) => {
            state.dialog = None;
            return;
        }
        _ => {
            let key = typed(state, key).map_or(key, Key::char);
            return edit_filter(state, |text| edit_line(text, key), ops);
        }
    };
    match state.dialog.as_mut() {
        Some(Dialog::Palette(palette)) => palette.step(by),
        Some(Dialog::Picker(picker)) => picker.step(by),
        Some(Dialog::Help(_) | Dialog::Viewer(_)) | None => {}
    }
}

fn edit_filter(state: &mut State, change: impl FnOnce(&mut String) -> bool, ops: &mut Vec<Op>) {
    match state.dialog.as_mut() {
        Some(Dialog::Palette(palette)) => palette.edit(&state.keymap, |text| {
            change(text);
        }),
        Some(Dialog::Picker(picker)) => {
            let before = picker.filter.clone();
            picker.edit(|text| {
                change(text);
            });
            if picker.kind == PickerKind::Files && picker.filter != before {
                picker.loading = true;
                ops.push(Op::Send(Command::FindFiles {
                    query: picker.filter.clone(),
                    limit: FILES,
                }));
            }
        }
        Some(Dialog::Help(_) | Dialog::Viewer(_)) | None => {}
    }
}

pub(super) fn paste(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    let text = text.to_owned();
    match state.dialog.as_ref() {
        Some(Dialog::Palette(_) | Dialog::Picker(_)) => edit_filter(
            state,
            |filter| {
                filter.push_str(&text);
                true
            },
            ops,
        ),
        // Nothing there takes text, and nothing pasted is lost.
        Some(Dialog::Help(_) | Dialog::Viewer(_)) | None => {
            state.prompt.paste(&text);
            changed(state, ops);
        }
    }
}

/// Does what the row under the cursor says.
fn take(state: &mut State, ops: &mut Vec<Op>) {
    match state.dialog.take() {
        Some(Dialog::Palette(palette)) => {
            if let Some(action) = palette.chosen() {
                perform::from_palette(state, action, ops);
            }
        }
        Some(Dialog::Picker(picker)) => match picker.chosen().cloned() {
            Some(PickerValue::Model(id)) => ops.push(Op::Send(Command::SetModel { id })),
            Some(PickerValue::Server { base_url, model }) => ops.push(Op::Send(Command::UseServer { base_url, model })),
            Some(PickerValue::Session(session)) => ops.push(Op::Send(Command::Resume { session })),
            Some(PickerValue::File(path)) => into_prompt(state, &format!("{} ", mention(&path)), ops),
            Some(PickerValue::Prompt(text)) => {
                state.focus = Pane::Prompt;
                state.prompt.buffer.set(&text);
                changed(state, ops);
            }
            None => {}
        },
        other => state.dialog = other,
    }
}

fn plain(state: &mut State, key: Key, ops: &mut Vec<Op>) {
    let by = match (meaning(state, key), key.code) {
        (Some(Action::DialogClose | Action::ClearOrLeave | Action::Help), _) => {
            state.dialog = None;
            return;
        }
        (Some(Action::DialogUp), _) => -1,
        (Some(Action::DialogDown), _) => 1,
        (_, KeyCode::PageUp) => -20,
        (_, KeyCode::PageDown) => 20,
        (_, KeyCode::Home) => isize::MIN / 2,
        (_, KeyCode::End) => isize::MAX / 2,
        _ => {
            // Typing closes it and is typing: nothing that came up by itself swallows a sentence.
            if let Some(c) = typed(state, key) {
                state.dialog = None;
                state.focus = Pane::Prompt;
                super::keys::type_char(state, c, ops);
            }
            return;
        }
    };
    match state.dialog.as_mut() {
        Some(Dialog::Help(help)) => help.scroll(by),
        Some(Dialog::Viewer(viewer)) => viewer.scroll(by),
        Some(Dialog::Palette(_) | Dialog::Picker(_)) | None => {}
    }
}

pub(super) fn find(state: &mut State, key: Key, ops: &mut Vec<Op>) {
    match key.code {
        KeyCode::Esc => state.conversation.find_close(),
        KeyCode::Enter => {
            state.conversation.find_go();
            state.focus = Pane::Conversation;
        }
        _ => {
            let mut edited = false;
            state.conversation.find_edit(|query| edited = edit_line(query, key));
            if edited {
                return;
            }
            if let Some(action) = meaning(state, key) {
                state.conversation.find_close();
                perform::action(state, action, ops);
            } else if let Some(c) = typed(state, key) {
                state.conversation.find_edit(|query| query.push(c));
            }
        }
    }
}
