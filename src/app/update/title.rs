//! The title of the terminal window.

use crate::op::Op;
use crate::seats::{Sight, Standing, others};
use crate::state::State;
use benchdog_base::text::{clean, last_part};

/// The title tells a user in another window whether something is pending.
pub(in crate::update) fn title(state: &mut State, ops: &mut Vec<Op>) {
    if state.sight == Sight::Background {
        return;
    }
    let waits = others(state).is_some_and(|(standing, _)| standing == Standing::Waits);
    let folder = last_part(&state.session.workspace);
    let mark = match state.turn.state {
        _ if waits || state.approvals.asks() => "◆ ",
        _ if state.turn.busy() => "▸ ",
        _ => "",
    };
    let text = clean(&format!("{mark}benchdog {folder}")).into_owned();
    if state.title != text {
        state.title.clone_from(&text);
        ops.push(Op::Title(text));
    }
}
