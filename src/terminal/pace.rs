//! Computes the time of the next frame. Pure.
//!
//! After a pause, a change is drawn at once, otherwise within 8 ms. Streamed text is drawn every 33 ms.
//!
//! A slow connection buffers frames, which delays the response to a key. Over ssh, or after a delayed frame, the bytes
//! of streamed text per second are therefore limited.

use std::time::Duration;

use tokio::time::Instant;

const GATHER: Duration = Duration::from_millis(8);
const FLOOD: Duration = Duration::from_millis(33);

/// Maximum number of pieces of text since the last frame that do not count as a flood.
const FLOOD_PIECES: usize = 16;

/// Maximum bytes of streamed text per second on a slow connection. `SLOW_MOST` limits the time between frames.
const SLOW_BYTES: u64 = 4 * 1024;
const SLOW_MOST: Duration = Duration::from_millis(250);

const SLOW_FOR: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    Person,
    Text(usize),
    Event,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Link {
    #[default]
    Here,
    Far,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cost {
    pub(super) bytes: usize,
    pub(super) taken: bool,
}

#[derive(Debug, Default)]
pub(super) struct Pace {
    link: Link,
    slow: Option<Instant>,
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

    /// Returns the time of the next frame, possibly in the past. `None` if nothing changed.
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
