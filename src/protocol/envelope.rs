//! Commands and events with their seat, as sent over the channels.

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

/// An event for every attached front end. Each piece of information is in exactly one of the three kinds.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A stored log entry. A front end that attaches later finds it in the session.
    Fact(Arc<Entry>),
    /// Live state, which is not stored. Consecutive events may be merged under load.
    Live(Live),
    /// An answer to one front end's command, or a question of the engine.
    Answer(Answer),
}

/// The extent of trust in a folder's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustScope {
    Folder,
    /// Also the files of the repository, as they were shown.
    Repository,
}

/// The files that trust in the whole repository covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryAsked {
    pub top: String,
    /// Relative to the top.
    pub files: Vec<String>,
}

/// The time at which a prompt that arrives during a turn is sent.
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
