//! Applies events of the engine: log entries, live events, and answers.

mod answers;
mod facts;
mod live;

use crate::op::Op;
use crate::state::State;
use crate::update::watch;
use benchdog_base::clock::Time;
use benchdog_protocol::{Answer, Event};

pub(super) fn event(state: &mut State, event: Event, at: Time, ops: &mut Vec<Op>) {
    if let Event::Answer(Answer::Child { session, log }) = event {
        return watch::read(state, &session, log);
    }
    watch::aside(state, ops, |state, ops| match event {
        Event::Fact(entry) => facts::fact(state, &entry, at, ops),
        Event::Live(live) => live::live(state, live, at, ops),
        Event::Answer(answer) => answers::answer(state, answer, ops),
    });
}
