//! When the next frame is due. Pure: time comes in.
//!
//! A change is drawn at once when the screen has been quiet, and within 8 ms otherwise. What a person did is not held
//! up by what the model streams. When text pours in faster than anyone reads, frames come every 33 ms: each costs the
//! terminal kilobytes.

use std::time::Duration;

use tokio::time::Instant;

const GATHER: Duration = Duration::from_millis(8);
const FLOOD: Duration = Duration::from_millis(33);

/// So many pieces of text since the last frame are a flood.
const FLOOD_PIECES: usize = 16;

/// What made a frame necessary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// A key, the mouse, a resize.
    Person,
    /// Streamed text; so many pieces of it.
    Text(usize),
    /// Anything else.
    Event,
}

#[derive(Debug, Default)]
pub(super) struct Pace {
    drawn: Option<Instant>,
    drawn_for_person: Option<Instant>,
    person: bool,
    event: bool,
    pieces: usize,
    /// The last frame showed a flood.
    flooded: bool,
}

impl Pace {
    pub(super) fn changed(&mut self, cause: Cause) {
        match cause {
            Cause::Person => self.person = true,
            Cause::Text(pieces) => self.pieces += pieces,
            Cause::Event => self.event = true,
        }
    }

    /// When a frame may be drawn; in the past when it may be now. `None`: nothing changed.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        let after = |last: Option<Instant>, wait| last.map_or(now, |last| last + wait);
        let person = self.person.then(|| after(self.drawn_for_person, GATHER));
        let text = (self.pieces > 0).then(|| after(self.drawn, if self.flooded { FLOOD } else { GATHER }));
        let event = self.event.then(|| after(self.drawn, GATHER));
        [person, text, event].into_iter().flatten().min()
    }

    pub(super) fn drawn(&mut self, now: Instant) {
        self.flooded = self.pieces >= FLOOD_PIECES;
        self.drawn = Some(now);
        if self.person {
            self.drawn_for_person = Some(now);
        }
        (self.person, self.event, self.pieces) = (false, false, 0);
    }
}

#[cfg(test)]
mod tests;
