//! Rewind: restores the state before a prompt.

use super::undo;
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::layout::Pane;
use crate::op::Op;
use crate::screen::AfterFiles;
use crate::state::State;
use benchdog_base::id::EntryId;
use benchdog_domain::folder::HeadMoved;
use benchdog_domain::rewind::Rewind;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::Command;

/// Rewinds the conversation at once if no file has changed since the prompt. Otherwise asks which parts to rewind.
pub(super) fn take(
    state: &mut State,
    (prompt, head): (EntryId, Option<&HeadMoved>),
    files_change: bool,
    ops: &mut Vec<Op>,
) {
    if !files_change {
        return go(state, prompt, &[Rewind::Conversation], ops);
    }
    let item = |text, what: &'static [Rewind]| PickerItem {
        text: word(text).to_owned(),
        detail: String::new(),
        current: false,
        value: PickerValue::Rewind { prompt, what },
    };
    let items = vec![
        item(Word::RewindBoth, &[Rewind::Both, Rewind::Conversation]),
        item(Word::RewindConversation, &[Rewind::Conversation]),
        item(Word::RewindFiles, &[Rewind::Files]),
    ];
    let mut picker = Picker::new(PickerKind::Rewind);
    let note = head.map_or_else(|| word(Word::RewindStays).to_owned(), lang::head_moved);
    picker.fill(items, note);
    state.screen.dialog = Some(Dialog::Picker(picker));
}

/// Rewinds the parts in `what`. Restores files first, because their review belongs to the current session.
pub(super) fn go(state: &mut State, prompt: EntryId, what: &[Rewind], ops: &mut Vec<Op>) {
    let Some((first, rest)) = what.split_first() else {
        return;
    };
    let command = Command::Rewind { prompt, what: *first };
    match first {
        Rewind::Conversation => {
            state.screen.approvals.leave();
            state.screen.focus = Pane::Prompt;
            ops.push(Op::Send(command));
        }
        Rewind::Files | Rewind::Both => {
            let is_sent = undo::propose(state, command, ops);
            let follows = rest.first().filter(|_| is_sent);
            state.screen.after_files = follows.map(|_| AfterFiles {
                prompt,
                is_restored: false,
            });
        }
    }
}

/// Handles the end of the call that restores files. On success, the conversation is rewound when the turn ends.
pub(super) fn restored(state: &mut State, is_ok: bool) {
    let Some(after) = state.screen.after_files.take() else {
        return;
    };
    if is_ok {
        state.screen.after_files = Some(AfterFiles {
            is_restored: true,
            ..after
        });
    } else {
        state.screen.conversation.remark(word(Word::RewindStopped));
    }
}

pub(super) fn turn_ended(state: &mut State, ops: &mut Vec<Op>) {
    if let Some(after) = state.screen.after_files.take()
        && after.is_restored
    {
        go(state, after.prompt, &[Rewind::Conversation], ops);
    }
}

/// Rewinds the conversation at once, because no file must be restored.
pub(super) fn nothing_to_restore(state: &mut State, ops: &mut Vec<Op>) {
    restored(state, true);
    turn_ended(state, ops);
}
