//! Undo: requests the inverse of a change. Its approval request responds to the key press.

use crate::op::Op;
use crate::state::State;
use benchdog_keys::Action;
use benchdog_keys::action::GlobalAction;
use benchdog_lang as lang;
use benchdog_protocol::Command;

/// `path` limits the undo to one file.
pub(super) fn undo(state: &mut State, path: Option<String>, ops: &mut Vec<Op>) {
    let _ = propose(state, Command::Undo { path }, ops);
}

/// Sends a command whose answer is the proposal of an undo. A pending undo must be answered first, so nothing is sent then.
pub(super) fn propose(state: &mut State, command: Command, ops: &mut Vec<Op>) -> bool {
    if state.screen.approvals.asks_undo() {
        let key = state.keymap.hint(Action::Global(GlobalAction::Approvals));
        state.say(lang::undo_waits(&key), true);
        return false;
    }
    state.screen.approvals.command_sent();
    ops.push(Op::Send(command));
    // Show the conversation, where the result appears.
    state.screen.over = None;
    state.screen.changes.open = None;
    state.screen.conversation.sent();
    true
}
