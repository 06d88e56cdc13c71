//! The title of the terminal window.

use crate::op::Op;
use crate::seats::{Standing, others};
use crate::state::{Sight, State};
use benchdog_base::text::{clean, last_part};

/// Updates the window title, which shows in a list of windows whether a request is pending.
pub(in crate::update) fn title(state: &mut State, ops: &mut Vec<Op>) {
    if state.sight == Sight::Background {
        return;
    }
    let waits = others(state).is_some_and(|(standing, _)| standing == Standing::Waits);
    let folder = last_part(&state.screen.session.workspace);
    let mark = match state.screen.turn.state {
        _ if waits || state.screen.approvals.asks() => "◆ ",
        _ if state.screen.turn.busy() => "▸ ",
        _ => "",
    };
    let text = clean(&format!("{mark}benchdog {folder}")).into_owned();
    if state.title != text {
        state.title.clone_from(&text);
        ops.push(Op::Title(text));
    }
}
