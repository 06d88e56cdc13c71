//! Events for seats that are not visible.

use std::mem;

use super::seats::{keep_now, to};
use super::title::title;
use super::{events, loops, prompt, switchboard};
use crate::op::Op;
use crate::screen::SessionScreen;
use crate::seats::others;
use crate::state::{Sight, State};
use benchdog_base::clock::Time;
use benchdog_base::id::SeatId;
use benchdog_lang as lang;
use benchdog_protocol::{Answer, Event};

/// Applies an event to a stored seat. Renders again only if the displayed state of the other seats changes.
pub(super) fn tell(state: &mut State, seat: SeatId, event: Event, at: Time, ops: &mut Vec<Op>) {
    let before = others(state);
    let Some(mut parked) = state.parked.remove(&seat) else {
        return;
    };
    if matches!(event, Event::Answer(Answer::Closed)) {
        state.say(lang::seat_closed(&parked.session.title), false);
    } else {
        within(state, &mut parked, ops, |state, ops| {
            events::event(state, event, at, ops)
        });
        put_back(state, parked);
    }
    state.dirty |= switchboard::seats_changed(state);
    if others(state) != before {
        state.dirty = true;
        title(state, ops);
    }
}

pub(super) fn due(state: &mut State, at: Time, ops: &mut Vec<Op>) {
    let due = state
        .parked
        .iter()
        .filter(|(_, parked)| parked.loops.next().is_some_and(|next| next <= at));
    let due: Vec<SeatId> = due.map(|(seat, _)| *seat).collect();
    for seat in due {
        let Some(mut parked) = state.parked.remove(&seat) else {
            continue;
        };
        within(state, &mut parked, ops, |state, ops| loops::due(state, at, ops));
        put_back(state, parked);
    }
}

pub(super) fn is_open(state: &State, seat: SeatId) -> bool {
    seat == state.screen.seat || state.parked.contains_key(&seat)
}

/// Runs a closure with a seat in place of the visible seat. Saves the draft and texts of a stored seat at once.
pub(super) fn inside(state: &mut State, seat: SeatId, ops: &mut Vec<Op>, apply: impl FnOnce(&mut State, &mut Vec<Op>)) {
    if seat == state.screen.seat {
        return apply(state, ops);
    }
    let Some(mut parked) = state.parked.remove(&seat) else {
        return;
    };
    within(state, &mut parked, ops, |state, ops| {
        apply(state, ops);
        state.screen.approvals.touched(state.now);
        keep_now(state, ops);
    });
    put_back(state, parked);
}

/// Puts a seat back. The seat may have a new id after the event.
fn put_back(state: &mut State, parked: Box<SessionScreen>) {
    state.parked.insert(parked.seat, parked);
}

fn within(
    state: &mut State,
    parked: &mut SessionScreen,
    ops: &mut Vec<Op>,
    apply: impl FnOnce(&mut State, &mut Vec<Op>),
) {
    let (dirty, mut asked) = (state.dirty, Vec::new());
    mem::swap(parked, &mut state.screen);
    state.sight = Sight::Background;
    apply(state, &mut asked);
    prompt::draft::keep_homeless(state, &mut asked);
    let seat = state.screen.seat;
    state.sight = Sight::Shown;
    mem::swap(parked, &mut state.screen);
    state.dirty = dirty;
    ops.extend(asked.into_iter().map(|op| to(seat, op)));
}
