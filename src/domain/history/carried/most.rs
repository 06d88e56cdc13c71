//! What is carried has a bound: a log that was never made shorter can be longer than any model reads, and is not held for it.

use std::collections::BTreeMap;

use super::{Carried, Part};
use crate::base::id::EntryId;
use crate::domain::entry::{Body, Entry};

/// About three million tokens.
const MOST_BYTES: usize = 12 << 20;

/// What stays of them when they are exceeded.
const KEPT_BYTES: usize = MOST_BYTES / 2;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Most {
    /// What was carried at most since it was last counted.
    bytes: usize,
    left_behind: EntryId,
    /// What the outputs hold of entries that came without.
    pub(super) left_out: BTreeMap<EntryId, usize>,
}

impl Most {
    /// The newest entry for which there was no room; nothing before it is carried where it stands.
    pub(super) fn left_behind(&self) -> EntryId {
        self.left_behind
    }

    /// What an entry holds in memory once it is whole.
    fn bytes_of(&self, entry: &Entry) -> usize {
        entry.body.bytes() + self.left_out.get(&entry.id).copied().unwrap_or(0)
    }

    /// What it holds, in whichever form it is carried.
    fn bytes_of_part(&self, part: &Part) -> usize {
        match part {
            Part::Replaced(beginning) => {
                let kept = beginning.kept.iter().map(|part| self.bytes_of_part(part));
                self.bytes_of(&beginning.entry) + kept.sum::<usize>()
            }
            part => self.bytes_of(part.entry()),
        }
    }

    fn bytes_of_all(&self, parts: &[Part]) -> usize {
        parts.iter().map(|part| self.bytes_of_part(part)).sum()
    }
}

impl Carried {
    /// Leaves the oldest of the list behind when it holds more than is ever carried. `newest`: what was just taken in.
    pub(super) fn leave_behind(&mut self, newest: &Entry) {
        self.most.bytes += self.most.bytes_of(newest);
        if self.most.bytes <= MOST_BYTES {
            return;
        }
        self.most.bytes = self.most.bytes_of_all(&self.parts);
        if self.most.bytes <= MOST_BYTES {
            return;
        }
        let upto = self.first_kept();
        let Some(last) = upto.checked_sub(1).and_then(|last| self.parts.get(last)) else {
            return;
        };
        self.most.left_behind = last.entry().id;
        // A summary of what came before stays.
        let mut position = 0..;
        self.parts.retain(|part| {
            let left = position.next().is_some_and(|at| at < upto);
            !left || matches!(part, Part::Replaced(_))
        });
        self.most.bytes = self.most.bytes_of_all(&self.parts);
        self.point = newest.id;
        self.undo = None;
    }

    /// Where the list begins when the rest is left behind: with a turn, or else with an answer, so that no result stands without its call.
    fn first_kept(&self) -> usize {
        let mut room = KEPT_BYTES;
        let fits = |part: &&Part| {
            room = room.saturating_sub(self.most.bytes_of_part(part));
            room > 0
        };
        let from = self.parts.len() - self.parts.iter().rev().take_while(fits).count();
        let first = |begins: fn(&Body) -> bool| {
            let mut later = self.parts.iter().enumerate().skip(from);
            later.find_map(|(at, part)| begins(&part.entry().body).then_some(at))
        };
        first(|body| matches!(body, Body::User { .. } | Body::Shell { .. }))
            .or_else(|| first(|body| matches!(body, Body::Assistant { .. })))
            .unwrap_or_default()
    }
}
