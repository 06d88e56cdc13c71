//! Undo: requests the reversal of a change. The approval request may get the focus, because a key press caused it.

use crate::op::Op;
use crate::state::State;
use benchdog_keys::Action;
use benchdog_keys::action::GlobalAction;
use benchdog_lang as lang;
use benchdog_protocol::Command;

pub(super) fn undo(state: &mut State, path: Option<String>, ops: &mut Vec<Op>) {
    let _ = propose(state, Command::Undo { path }, ops);
}

/// Sends a command that proposes an undo. If an undo is already pending, shows a message instead and returns `false`.
pub(super) fn propose(state: &mut State, command: Command, ops: &mut Vec<Op>) -> bool {
    if state.screen.approvals.asks_undo() {
        let key = state.keymap.hint(Action::Global(GlobalAction::Approvals));
        state.say(lang::undo_waits(&key), true);
        return false;
    }
    state.screen.approvals.command_sent();
    ops.push(Op::Send(command));
    // Show the conversation, because the result appears there.
    state.screen.over = None;
    state.screen.changes.open = None;
    state.screen.conversation.sent();
    true
}
