//! What the session changed is to be taken back: it is shown first, and the request about it is the answer to what was pressed here.

use crate::app::op::Op;
use crate::app::state::State;
use crate::keys::Action;
use crate::keys::action::GlobalAction;
use crate::lang;
use crate::protocol::Command;

/// `path`: only what was made of that file. One that waits for an answer is answered first.
pub(super) fn undo(state: &mut State, path: Option<String>, ops: &mut Vec<Op>) {
    if state.approvals.asks_undo() {
        let key = state.keymap.hint(Action::Global(GlobalAction::Approvals));
        return state.say(lang::undo_waits(&key), true);
    }
    state.approvals.command_sent();
    ops.push(Op::Send(Command::Undo { path }));
    // What comes of it is to be seen.
    state.shown.over = None;
    state.changes.open = None;
    state.conversation.sent();
}
