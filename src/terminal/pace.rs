//! When the next frame is due. Pure: time comes in.
//!
//! A change is drawn at once when the screen has been quiet, and within 8 ms otherwise. What a person did is not held
//! up by what the model streams. When text pours in faster than anyone reads, frames come every 33 ms: each costs the
//! terminal kilobytes.
//!
//! A slow link fills buffers nobody sees before it pushes back, and every key then waits behind all of that. Over ssh, and
//! for a while after a terminal did not take a frame at once, text is paced by what its frames cost.

use std::time::Duration;

use tokio::time::Instant;

const GATHER: Duration = Duration::from_millis(8);
const FLOOD: Duration = Duration::from_millis(33);

/// From this many pieces of text since the last frame on, text counts as a flood.
const FLOOD_PIECES: usize = 16;

/// The bytes that text may take on a slow link in a second, and the longest wait of the next piece.
const SLOW_BYTES: u64 = 4 * 1024;
const SLOW_MOST: Duration = Duration::from_millis(250);

/// How long a terminal counts as slow after it did not take a frame at once.
const SLOW_FOR: Duration = Duration::from_secs(2);

/// What made a frame necessary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// A key, the mouse, a resize.
    Person,
    /// Streamed text, in this many pieces.
    Text(usize),
    /// Anything else.
    Event,
}

/// Where the terminal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Link {
    #[default]
    Here,
    /// At the other end of a connection.
    Far,
}

/// What a frame cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cost {
    pub(super) bytes: usize,
    /// The terminal took it at once.
    pub(super) taken: bool,
}

#[derive(Debug, Default)]
pub(super) struct Pace {
    link: Link,
    /// The terminal is slow until then.
    slow: Option<Instant>,
    /// How long text waits after the last frame.
    text_wait: Duration,
    drawn: Option<Instant>,
    drawn_for_person: Option<Instant>,
    person: bool,
    event: bool,
    pieces: usize,
}

impl Pace {
    pub(super) fn over(link: Link) -> Self {
        Self {
            link,
            ..Self::default()
        }
    }

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
        let text = (self.pieces > 0).then(|| after(self.drawn, self.text_wait.max(GATHER)));
        let event = self.event.then(|| after(self.drawn, GATHER));
        [person, text, event].into_iter().flatten().min()
    }

    pub(super) fn drawn(&mut self, now: Instant, cost: Cost) {
        if !cost.taken {
            self.slow = Some(now + SLOW_FOR);
        }
        let flood = if self.pieces >= FLOOD_PIECES { FLOOD } else { GATHER };
        let slow = self.link == Link::Far || self.slow.is_some_and(|until| now < until);
        self.text_wait = if slow {
            let paid = u64::try_from(cost.bytes).unwrap_or(u64::MAX).saturating_mul(1_000) / SLOW_BYTES;
            Duration::from_millis(paid).clamp(flood, SLOW_MOST)
        } else {
            flood
        };
        self.drawn = Some(now);
        if self.person {
            self.drawn_for_person = Some(now);
        }
        (self.person, self.event, self.pieces) = (false, false, 0);
    }
}

#[cfg(test)]
mod tests;
