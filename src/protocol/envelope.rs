//! Commands and events with the seat they are about, as they go over the channels.

use std::sync::Arc;

use super::{Answer, Command, Live};
use crate::base::id::SeatId;
use crate::domain::entry::Entry;

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

/// What the engine tells every attached front end, in three lanes. Nothing is said in two of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Event {
    /// An entry of the log: it happened, and it is durable. A front end that was not there finds it when it opens the session.
    Fact(Arc<Entry>),
    /// What goes on at this moment. It leaves no trace; neighbouring pieces may be gathered under pressure.
    Live(Live),
    /// Belongs to one question of the front end, or is one that the engine has.
    Answer(Answer),
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
