//! What the session changed is to be taken back: it is shown first, and the request about it is the answer to what was pressed here.

use crate::app::op::Op;
use crate::app::state::State;
use crate::protocol::Command;

/// `path`: only what was made of that file.
pub(super) fn undo(state: &mut State, path: Option<String>, ops: &mut Vec<Op>) {
    state.approvals.command_sent(state.now);
    ops.push(Op::Send(Command::Undo { path }));
    // What comes of it is to be seen.
    state.shown.over = None;
    state.changes.open = None;
    state.conversation.sent();
}
