//! Undo: requests the inverse of a change. Its approval request responds to the key press.

use crate::app::op::Op;
use crate::app::state::State;
use crate::keys::Action;
use crate::keys::action::GlobalAction;
use crate::lang;
use crate::protocol::Command;

/// Requests an undo. `path` limits it to one file. A pending undo must be answered first.
pub(super) fn undo(state: &mut State, path: Option<String>, ops: &mut Vec<Op>) {
    if state.approvals.asks_undo() {
        let key = state.keymap.hint(Action::Global(GlobalAction::Approvals));
        return state.say(lang::undo_waits(&key), true);
    }
    state.approvals.command_sent();
    ops.push(Op::Send(Command::Undo { path }));
    // Show the conversation, where the result appears.
    state.shown.over = None;
    state.changes.open = None;
    state.conversation.sent();
}
