//! Focus and visibility of the panes.

use crate::focus::{Holder, keyboard};
use crate::layout::{Pane, has_column};
use crate::op::Op;
use crate::panes::conversation::FindFrom;
use crate::state::State;
use benchdog_domain::review::FileChange;
use benchdog_lang::{Word, word};
use benchdog_protocol::{Command, Everyday};

/// Moves the focus to a pane in its column. In a narrow window, shows the pane in place of the conversation.
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

/// Moves the focus to a pane without showing its column.
fn go(state: &mut State, pane: Pane) {
    state.screen.approvals.leave();
    state.screen.focus = pane;
    state.screen.over = None;
    let shown = match pane {
        Pane::Files => state.shown.files,
        Pane::Changes | Pane::Todo | Pane::Context => state.shown.side,
        Pane::Conversation | Pane::Prompt => true,
    };
    if !(shown && has_column(pane, state.width)) {
        state.screen.over = Some(pane);
    }
    if pane != Pane::Changes {
        state.screen.changes.open = None;
        state.screen.changes.awaited = None;
    }
    if pane != Pane::Conversation {
        state.screen.conversation.selected = None;
    }
    if pane != Pane::Files {
        state.screen.files.filter_close();
    }
}

pub(super) fn next(state: &mut State) {
    let shown: Vec<Pane> = Pane::ALL
        .into_iter()
        .filter(|pane| state.layout.of(*pane).is_some())
        .collect();
    let at = shown
        .iter()
        .position(|pane| *pane == state.screen.focus)
        .map_or(0, |at| at + 1);
    let over = state.screen.over;
    if let Some(next) = shown.get(at % shown.len().max(1)).copied() {
        to_pane(state, next);
        if next == Pane::Prompt {
            // While the user types, keep the pane over the conversation visible.
            state.screen.over = over;
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
    if state.screen.over.take() == Some(pane) {
        state.screen.focus = Pane::Prompt;
    } else {
        to_pane(state, pane);
    }
}

fn put_away(state: &mut State) {
    if state.screen.focus != Pane::Conversation {
        state.screen.focus = Pane::Prompt;
    }
}

pub(super) fn close_change(state: &mut State) -> bool {
    let open = state.screen.changes.open.take();
    if let Some(open) = &open {
        to_pane(state, open.from);
    }
    open.is_some()
}

pub(super) fn find(state: &mut State) {
    if state.screen.conversation.find.is_none() {
        state.screen.conversation.find_from = Some(match state.screen.approvals.has_focus() {
            true => FindFrom::Review,
            false => FindFrom::Pane(state.screen.focus),
        });
    }
    state.screen.approvals.leave();
    state.screen.over = None;
    state.screen.changes.open = None;
    if state.screen.focus != Pane::Prompt {
        state.screen.focus = Pane::Conversation;
    }
    state.screen.conversation.find_open();
}

/// Closes the find line of the conversation. Restores the previous focus, unless the focus has moved elsewhere since.
pub(super) fn find_close(state: &mut State) {
    let from = state.screen.conversation.find_from.take();
    let is_here = keyboard(state) == Holder::Find || state.screen.focus == Pane::Conversation;
    state.screen.conversation.find_close();
    match from.filter(|_| is_here) {
        Some(FindFrom::Pane(pane)) => to_pane(state, pane),
        Some(FindFrom::Review) => {
            state.screen.focus = Pane::Prompt;
            state.screen.approvals.refocus();
        }
        None => {}
    }
}

pub(super) fn compare(state: &mut State, only: Option<&str>, ops: &mut Vec<Op>) {
    let files = state.screen.changes.made_files(only);
    if files.is_empty() {
        return state.say(word(Word::NothingChanged), false);
    }
    await_diff(state);
    ops.push(Op::Send(Command::Compare { files }));
}

pub(super) fn count(state: &mut State, ops: &mut Vec<Op>) {
    let files = state.screen.changes.take_uncounted();
    let number = state.screen.changes.asked;
    ops.extend(files.map(|files| Op::Send(Command::Count { number, files })));
}

pub(super) fn diff(state: &mut State, of: &str, ops: &mut Vec<Op>) {
    await_diff(state);
    ops.push(Op::Send(Command::Everyday(Everyday::Diff { of: of.to_owned() })));
}

fn await_diff(state: &mut State) {
    let from = state.screen.focus;
    // Do not show the side column, because the diff is shown in place of the conversation.
    go(state, Pane::Changes);
    state.screen.changes.awaited = Some(from);
}

pub(super) fn no_difference(state: &mut State) {
    if let Some(from) = state.screen.changes.awaited.take() {
        to_pane(state, from);
    }
}

/// Shows a requested diff, unless the user no longer waits for it. `nothing` is the message for an empty diff.
pub(super) fn differs(state: &mut State, changes: Vec<FileChange>, title: String, nothing: &str) {
    let Some(from) = state.screen.changes.awaited.take() else {
        return;
    };
    if changes.is_empty() {
        to_pane(state, from);
        return state.say(nothing.to_owned(), false);
    }
    state.screen.changes.show(changes, title, from);
}
