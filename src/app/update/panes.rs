//! Where the keyboard goes among the panes, and which panes are on screen.

use crate::app::focus::{Holder, keyboard};
use crate::app::layout::{Pane, has_column};
use crate::app::op::Op;
use crate::app::panes::conversation::FindFrom;
use crate::app::state::State;
use crate::domain::review::FileChange;
use crate::lang::{Word, word};
use crate::protocol::{Command, Everyday};

/// Moves the keyboard to a pane. Its column comes back where there is room for one; else the pane comes over the conversation.
pub(super) fn to_pane(state: &mut State, pane: Pane) {
    if has_column(pane, state.width) {
        match pane {
            Pane::Files => state.shown.files = true,
            Pane::Changes | Pane::Todo | Pane::Context => state.shown.side = true,
            Pane::Conversation | Pane::Prompt => {}
        }
    }
    go(state, pane);
}

/// The same, with columns left as they are.
fn go(state: &mut State, pane: Pane) {
    state.approvals.leave();
    state.focus = pane;
    state.shown.over = None;
    let shown = match pane {
        Pane::Files => state.shown.files,
        Pane::Changes | Pane::Todo | Pane::Context => state.shown.side,
        Pane::Conversation | Pane::Prompt => true,
    };
    if !(shown && has_column(pane, state.width)) {
        state.shown.over = Some(pane);
    }
    if pane != Pane::Changes {
        state.changes.open = None;
        state.changes.awaited = None;
    }
    if pane != Pane::Conversation {
        state.conversation.selected = None;
    }
    if pane != Pane::Files {
        state.files.filter_close();
    }
}

pub(super) fn next(state: &mut State) {
    let shown: Vec<Pane> = Pane::ALL
        .into_iter()
        .filter(|pane| state.layout.of(*pane).is_some())
        .collect();
    let at = shown
        .iter()
        .position(|pane| *pane == state.focus)
        .map_or(0, |at| at + 1);
    let over = state.shown.over;
    if let Some(next) = shown.get(at % shown.len().max(1)).copied() {
        to_pane(state, next);
        if next == Pane::Prompt {
            // The pane over the conversation stays while one writes.
            state.shown.over = over;
        }
    }
}

pub(super) fn toggle_files(state: &mut State) {
    if has_column(Pane::Files, state.width) {
        state.shown.files = !state.shown.files;
        if !state.shown.files {
            put_away(state);
        }
    } else {
        toggle_over(state, Pane::Files);
    }
}

pub(super) fn toggle_side(state: &mut State) {
    if has_column(Pane::Todo, state.width) {
        state.shown.side = !state.shown.side;
        if !state.shown.side {
            put_away(state);
        }
    } else {
        toggle_over(state, Pane::Todo);
    }
}

fn toggle_over(state: &mut State, pane: Pane) {
    if state.shown.over.take() == Some(pane) {
        state.focus = Pane::Prompt;
    } else {
        to_pane(state, pane);
    }
}

/// A pane that was put away has no keyboard.
fn put_away(state: &mut State) {
    if state.focus != Pane::Conversation {
        state.focus = Pane::Prompt;
    }
}

/// The diff of changes goes, and the keyboard with it to where it came from. Whether one was open.
pub(super) fn close_change(state: &mut State) -> bool {
    let open = state.changes.open.take();
    if let Some(open) = &open {
        to_pane(state, open.from);
    }
    open.is_some()
}

/// Opens the find line of the conversation.
pub(super) fn find(state: &mut State) {
    if state.conversation.find.is_none() {
        state.conversation.find_from = Some(match state.approvals.has_focus() {
            true => FindFrom::Review,
            false => FindFrom::Pane(state.focus),
        });
    }
    state.approvals.leave();
    state.shown.over = None;
    state.changes.open = None;
    if state.focus != Pane::Prompt {
        state.focus = Pane::Conversation;
    }
    state.conversation.find_open();
}

/// Closes the find line of the conversation. The focus returns to where it was opened, unless it has gone elsewhere since.
pub(super) fn find_close(state: &mut State) {
    let from = state.conversation.find_from.take();
    let is_here = keyboard(state) == Holder::Find || state.focus == Pane::Conversation;
    state.conversation.find_close();
    match from.filter(|_| is_here) {
        Some(FindFrom::Pane(pane)) => to_pane(state, pane),
        Some(FindFrom::Review) => {
            state.focus = Pane::Prompt;
            state.approvals.refocus();
        }
        None => {}
    }
}

/// Asks for what files are now against what they were before this session changed them.
pub(super) fn compare(state: &mut State, only: Option<&str>, ops: &mut Vec<Op>) {
    let files = state.changes.made_files(only);
    if files.is_empty() {
        return state.say(word(Word::NothingChanged), false);
    }
    await_diff(state);
    ops.push(Op::Send(Command::Compare { files }));
}

/// Asks for how many lines differ in each of those files, where the list may say another number.
pub(super) fn count(state: &mut State, ops: &mut Vec<Op>) {
    let files = state.changes.take_uncounted();
    let number = state.changes.asked;
    ops.extend(files.map(|files| Op::Send(Command::Count { number, files })));
}

/// Asks for what git says differs.
pub(super) fn diff(state: &mut State, of: &str, ops: &mut Vec<Op>) {
    await_diff(state);
    ops.push(Op::Send(Command::Everyday(Everyday::Diff { of: of.to_owned() })));
}

fn await_diff(state: &mut State) {
    let from = state.focus;
    // The diff comes into the middle: no column is wanted for it.
    go(state, Pane::Changes);
    state.changes.awaited = Some(from);
}

/// There is no diff: the keyboard goes back to where it was.
pub(super) fn no_difference(state: &mut State) {
    if let Some(from) = state.changes.awaited.take() {
        to_pane(state, from);
    }
}

/// The diff that was asked for is here, and is shown where it is still waited for. `nothing`: what is said where it is empty.
pub(super) fn differs(state: &mut State, changes: Vec<FileChange>, title: String, nothing: &str) {
    let Some(from) = state.changes.awaited.take() else {
        return;
    };
    if changes.is_empty() {
        to_pane(state, from);
        return state.say(nothing.to_owned(), false);
    }
    state.changes.show(changes, title, from);
}
