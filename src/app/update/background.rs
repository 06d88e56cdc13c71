//! What reaches a seat that is not shown: applied to it whole, without a change of the screen beside the word of how it stands.

use super::seats::to;
use super::title::title;
use super::{events, loops, switchboard};
use crate::app::op::Op;
use crate::app::seats::{Sight, others};
use crate::app::state::State;
use crate::base::clock::Time;
use crate::base::id::SeatId;
use crate::lang;
use crate::protocol::{Answer, Event};

/// What the engine tells of a seat that is put away. The screen changes only where it says how the others stand.
pub(super) fn tell(state: &mut State, seat: SeatId, event: Event, at: Time, ops: &mut Vec<Op>) {
    let (before, dirty) = (others(state), state.dirty);
    let Some(mut parked) = state.parked.remove(&seat) else {
        return;
    };
    if matches!(event, Event::Answer(Answer::Closed)) {
        state.say(lang::seat_closed(&parked.session.title), false);
    } else {
        let mut asked = Vec::new();
        parked.swap(state);
        state.sight = Sight::Background;
        events::event(state, event, at, &mut asked);
        // It may have another number by now.
        let seat = state.seat;
        state.sight = Sight::Shown;
        parked.swap(state);
        ops.extend(asked.into_iter().map(|op| to(seat, op)));
        state.parked.insert(seat, parked);
        state.dirty = dirty;
    }
    state.dirty |= switchboard::seats_changed(state);
    if others(state) != before {
        state.dirty = true;
        title(state, ops);
    }
}

/// Prompts that seats in the background send again and again go on.
pub(super) fn due(state: &mut State, at: Time, ops: &mut Vec<Op>) {
    let due = state
        .parked
        .iter()
        .filter(|(_, parked)| parked.next_loop().is_some_and(|next| next <= at));
    let due: Vec<SeatId> = due.map(|(seat, _)| *seat).collect();
    for seat in due {
        let Some(mut parked) = state.parked.remove(&seat) else {
            continue;
        };
        let (dirty, mut asked) = (state.dirty, Vec::new());
        parked.swap(state);
        state.sight = Sight::Background;
        loops::due(state, at, &mut asked);
        state.sight = Sight::Shown;
        parked.swap(state);
        state.dirty = dirty;
        ops.extend(asked.into_iter().map(|op| to(seat, op)));
        state.parked.insert(seat, parked);
    }
}
