//! What the engine tells, into the panes: facts, what goes on, answers.

mod answers;
mod facts;
mod live;

use crate::app::op::Op;
use crate::app::state::State;
use crate::base::clock::Time;
use crate::base::text::clean;
use crate::protocol::Event;

pub(super) fn event(state: &mut State, event: Event, at: Time, ops: &mut Vec<Op>) {
    match event {
        Event::Fact(entry) => facts::fact(state, &entry, at, ops),
        Event::Live(live) => live::live(state, live, at, ops),
        Event::Answer(answer) => answers::answer(state, answer, ops),
    }
}

/// The window's title says what a person in another window needs to know.
fn title(state: &mut State, ops: &mut Vec<Op>) {
    let folder = state.session.workspace.rsplit('/').next().unwrap_or_default();
    let mark = match state.turn.state {
        _ if !state.approvals.waiting.is_empty() => "◆ ",
        _ if state.turn.busy() => "▸ ",
        _ => "",
    };
    let text = clean(&format!("{mark}benchdog {folder}")).into_owned();
    if state.title != text {
        state.title.clone_from(&text);
        ops.push(Op::Title(text));
    }
}
