//! Commands and events with the seat they are about, as they go over the channels.

use super::{Answer, Command, Event, Live};
use crate::base::id::SeatId;

/// What a front end asks of one seat.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Order {
    pub(crate) seat: SeatId,
    pub(crate) command: Command,
}

/// What the engine tells of one seat.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    pub(crate) seat: SeatId,
    pub(crate) event: Event,
}

/// When a prompt that comes while a turn works is taken up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    Queue,
    Steer,
}

impl From<Live> for Event {
    fn from(live: Live) -> Self {
        Self::Live(live)
    }
}

impl From<Answer> for Event {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}
