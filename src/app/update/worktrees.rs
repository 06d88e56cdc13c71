//! Worktrees: opening one in a seat, listing, and removing after a confirmation.

use super::dialogs::open_picker;
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::op::Op;
use crate::state::State;
use benchdog_base::text::clean;
use benchdog_domain::worktree::Worktree;
use benchdog_keys::Action;
use benchdog_keys::action::GlobalAction;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::Command;

pub(super) fn open(name: &str, ops: &mut Vec<Op>) {
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    ops.push(Op::Send(Command::OpenWorktree { name }));
}

/// Requests to merge the named worktree, or else the worktree of the session. The review that follows gets the focus.
pub(super) fn merge(state: &mut State, name: &str, ops: &mut Vec<Op>) {
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    state.screen.approvals.command_sent();
    state.merge_asked = true;
    ops.push(Op::Send(Command::Merge { name }));
}

pub(super) fn listed(state: &mut State, worktrees: Vec<Worktree>) {
    let key = state.keymap.hint(Action::Global(GlobalAction::CloseSeat));
    let here = state.screen.session.workspace.clone();
    if worktrees.is_empty() && open_picker(state, PickerKind::Worktrees).is_some() {
        state.screen.dialog = None;
        return state.say(word(Word::NoWorktrees), false);
    }
    if let Some(picker) = open_picker(state, PickerKind::Worktrees) {
        let items = worktrees.into_iter().map(|worktree| item(worktree, &here));
        picker.fill(items.collect(), lang::message::worktree_keys(&key));
    }
}

pub(super) fn under_bar(state: &mut State) -> Option<Worktree> {
    match open_picker(state, PickerKind::Worktrees)?.chosen() {
        Some(PickerValue::Worktree(worktree)) => Some(worktree.clone()),
        _ => None,
    }
}

/// Removes an unchanged worktree at once. Otherwise shows what would be lost and asks for confirmation.
pub(super) fn remove(state: &mut State, shown: Worktree, ops: &mut Vec<Op>) {
    if shown.is_spent() {
        return ops.push(Op::Send(Command::RemoveWorktree { shown }));
    }
    let item = |what, value| PickerItem {
        text: word(what).to_owned(),
        detail: String::new(),
        current: false,
        value,
    };
    let note = clean(&lang::would_be_lost(&shown)).into_owned();
    let items = vec![
        item(Word::WorktreeStays, PickerValue::WorktreeStays),
        item(Word::WorktreeGoes, PickerValue::WorktreeGoes(shown)),
    ];
    let mut picker = Picker::new(PickerKind::Removing);
    picker.fill(items, note);
    state.screen.dialog = Some(Dialog::Picker(picker));
}

fn item(worktree: Worktree, here: &str) -> PickerItem {
    PickerItem {
        text: clean(&format!("{}  {}", worktree.name, worktree.branch)).into_owned(),
        detail: lang::only_in(&worktree),
        current: worktree.path == here,
        value: PickerValue::Worktree(worktree),
    }
}
