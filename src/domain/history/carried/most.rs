//! Size limit of the parts that requests contain. Without a limit, a log without compactions could become larger than
//! any context window.

use std::collections::BTreeMap;

use super::{Carried, Part};
use crate::entry::{Body, Entry};
use benchdog_base::id::EntryId;

/// Maximum bytes of the parts that requests contain, about three million tokens.
const MOST_BYTES: usize = 12 << 20;

const KEPT_BYTES: usize = MOST_BYTES / 2;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Most {
    /// Upper bound of the bytes of all parts: the last exact count plus later additions.
    bytes: usize,
    looked_at: usize,
    is_stuck: bool,
    left_behind: EntryId,
    pub(super) left_out: BTreeMap<EntryId, usize>,
}

impl Most {
    /// Returns the newest entry dropped because of the limit. All earlier entries are dropped, too.
    pub(super) fn left_behind(&self) -> EntryId {
        self.left_behind
    }

    fn bytes_of(&self, entry: &Entry) -> usize {
        entry.body.bytes() + self.left_out.get(&entry.id).copied().unwrap_or(0)
    }

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
    /// Drops the oldest parts if the limit is exceeded. `newest` is the entry that was just added.
    pub(super) fn leave_behind(&mut self, newest: &Entry) {
        self.most.bytes += self.most.bytes_of(newest);
        let is_due = self.most.bytes > self.most.looked_at || (self.most.is_stuck && can_begin(&newest.body));
        if self.most.bytes <= MOST_BYTES || !is_due {
            return;
        }
        self.most.bytes = self.most.bytes_of_all(&self.parts);
        self.most.is_stuck = self.most.bytes > MOST_BYTES && !self.leave_oldest(newest);
        // A count takes time linear in all parts. Counting after every entry would be quadratic.
        self.most.looked_at = match self.most.bytes {
            0..=MOST_BYTES => 0,
            more => more.saturating_add(more / 2),
        };
    }

    fn leave_oldest(&mut self, newest: &Entry) -> bool {
        let upto = self.first_kept();
        let Some(last) = upto.checked_sub(1).and_then(|last| self.parts.get(last)) else {
            return false;
        };
        self.most.left_behind = last.entry().id;
        // Never drop the summary.
        let mut position = 0..;
        self.parts.retain(|part| {
            let left = position.next().is_some_and(|at| at < upto);
            !left || matches!(part, Part::Replaced(_))
        });
        self.most.bytes = self.most.bytes_of_all(&self.parts);
        self.point = newest.id;
        self.undo = None;
        true
    }

    /// Returns the index of the first part to preserve: a prompt, or otherwise an answer. No result may lose its call.
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
        first(begins_turn).or_else(|| first(can_begin)).unwrap_or_default()
    }
}

fn begins_turn(body: &Body) -> bool {
    matches!(body, Body::User { .. } | Body::Shell { .. })
}

fn can_begin(body: &Body) -> bool {
    begins_turn(body) || matches!(body, Body::Assistant { .. })
}

#[cfg(test)]
mod tests;
