//! Commands and events with the id of their seat, as sent over the channels.

use std::sync::Arc;

use super::{Answer, Command, Live};
use benchdog_base::id::SeatId;
use benchdog_domain::entry::Entry;
use benchdog_domain::message::Delta;

#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    pub seat: SeatId,
    pub command: Command,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub seat: SeatId,
    pub event: Event,
}

/// An event for every attached front end. A piece of information is never sent as two kinds of events.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A log entry. A front end that attaches later reads it from the log.
    Fact(Arc<Entry>),
    /// Live state, which is not logged. Consecutive events may be merged if the front end is slow.
    Live(Live),
    /// An answer to a command of one front end, or a question of the engine.
    Answer(Answer),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustScope {
    Folder,
    /// The files of the whole repository, as they were shown.
    Repository,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryAsked {
    pub top: String,
    /// Paths relative to the top of the repository.
    pub files: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Queue,
    Steer,
}

impl From<Delta> for Live {
    fn from(delta: Delta) -> Self {
        match delta {
            Delta::Text(text) => Self::Text(text),
            Delta::Reasoning(text) => Self::Reasoning(text),
        }
    }
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
