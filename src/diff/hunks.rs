//! Hunks: the smallest changes that a person can accept or discard.

use std::ops::Range;

use super::lines::split;
use super::search::{Run, runs};

/// One change: removed lines of `before` and added lines of `after`, 0-based, without context.
///
/// At least one equal line separates two hunks. At most one side is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub before: Range<usize>,
    pub after: Range<usize>,
}

impl Hunk {
    /// Whether the hunk changes any of these lines of `before`, or an adjacent line.
    pub fn touches(&self, lines: &Range<usize>) -> bool {
        self.before.start <= lines.end && lines.start <= self.before.end
    }
}

pub fn hunks(before: impl AsRef<[u8]>, after: impl AsRef<[u8]>) -> Vec<Hunk> {
    let (before, after) = (before.as_ref(), after.as_ref());
    if before == after {
        return Vec::new();
    }
    between(&split(before), &split(after))
}

pub fn new_lines(before: &str, after: &str) -> String {
    let lines: Vec<&str> = after.split_inclusive('\n').collect();
    let hunks = hunks(before, after);
    let new = hunks.into_iter().filter_map(|hunk| lines.get(hunk.after));
    new.flatten().copied().collect()
}

pub fn counts(before: &[u8], after: &[u8]) -> (u32, u32) {
    total(&hunks(before, after))
}

pub(crate) fn total(hunks: &[Hunk]) -> (u32, u32) {
    let sum = |length: fn(&Hunk) -> usize| u32::try_from(hunks.iter().map(length).sum::<usize>()).unwrap_or(u32::MAX);
    (sum(|hunk| hunk.after.len()), sum(|hunk| hunk.before.len()))
}

/// Returns the exact bytes of `after`, except that each hunk is reverted if its value in `kept` is false or missing.
pub fn keep_bytes(before: &[u8], after: &[u8], kept: &[bool]) -> Vec<u8> {
    let (old, new) = (split(before), split(after));
    let hunks = between(&old, &new);
    let mut result = Vec::with_capacity(before.len().max(after.len()));
    let mut at = 0;
    for (index, hunk) in hunks.iter().enumerate() {
        result.extend(old.get(at..hunk.before.start).unwrap_or_default().concat());
        let chosen = if kept.get(index).copied().unwrap_or(false) {
            new.get(hunk.after.clone())
        } else {
            old.get(hunk.before.clone())
        };
        result.extend(chosen.unwrap_or_default().concat());
        at = hunk.before.end;
    }
    result.extend(old.get(at..).unwrap_or_default().concat());
    result
}

pub(super) fn between(before: &[&[u8]], after: &[&[u8]]) -> Vec<Hunk> {
    let prefix = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (_, old) = before.split_at(prefix);
    let (_, new) = after.split_at(prefix);
    let suffix = (old.iter().rev())
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (old, _) = old.split_at(old.len() - suffix);
    let (new, _) = new.split_at(new.len() - suffix);
    let mut at = (0, 0);
    let end = Run {
        old: old.len(),
        new: new.len(),
        len: 0,
    };
    let runs = runs(old, new);
    let mut hunks: Vec<Hunk> = Vec::with_capacity(runs.len() + 1);
    for run in runs.into_iter().chain([end]) {
        if run.old > at.0 || run.new > at.1 {
            hunks.push(Hunk {
                before: prefix + at.0..prefix + run.old,
                after: prefix + at.1..prefix + run.new,
            });
        }
        at = (run.old + run.len, run.new + run.len);
    }
    settle(before, after, &mut hunks);
    hunks
}

/// Shifts blocks that have several equivalent positions. Prefers little indentation after a blank line, so that a whole
/// function appears as one block.
fn settle(before: &[&[u8]], after: &[&[u8]], hunks: &mut [Hunk]) {
    for index in 0..hunks.len() {
        let Some(hunk) = hunks.get(index).cloned() else {
            continue;
        };
        let (lines, block) = match (hunk.before.is_empty(), hunk.after.is_empty()) {
            (true, false) => (after, hunk.after.clone()),
            (false, true) => (before, hunk.before.clone()),
            _ => continue,
        };
        let same = |a: usize, b: usize| lines.get(a) == lines.get(b);
        // The neighbouring hunks limit the shift, because one equal line must stay between two hunks.
        let low = index
            .checked_sub(1)
            .and_then(|at| hunks.get(at))
            .map_or(0, |h| end_on(h, &hunk) + 1);
        let high = hunks.get(index + 1).map_or(lines.len(), |h| start_on(h, &hunk) - 1);
        let mut up = 0;
        while up < FAR && block.start - up > low && same(block.start - up - 1, block.end - up - 1) {
            up += 1;
        }
        let mut down = 0;
        while down < FAR && block.end + down < high && same(block.start + down, block.end + down) {
            down += 1;
        }
        let best = (block.start - up..=block.start + down)
            .max_by_key(|start| (shallowness(lines, *start, *start + block.len()), *start));
        let shift = best.map_or(0, |best| best.cast_signed() - block.start.cast_signed());
        if let Some(slot) = hunks.get_mut(index) {
            for range in [&mut slot.before, &mut slot.after] {
                *range = range.start.saturating_add_signed(shift)..range.end.saturating_add_signed(shift);
            }
        }
    }
}

const FAR: usize = 100;

fn end_on(neighbour: &Hunk, block: &Hunk) -> usize {
    if block.before.is_empty() {
        neighbour.after.end
    } else {
        neighbour.before.end
    }
}

fn start_on(neighbour: &Hunk, block: &Hunk) -> usize {
    if block.before.is_empty() {
        neighbour.after.start
    } else {
        neighbour.before.start
    }
}

/// Rates a position for a block. Higher for little indentation at both edges and for a blank line before.
fn shallowness(lines: &[&[u8]], start: usize, end: usize) -> isize {
    let depth = |at: usize| {
        let line = lines.get(at).copied().unwrap_or_default();
        line.iter()
            .take_while(|byte| **byte == b' ' || **byte == b'\t')
            .count()
            .min(80)
    };
    let blank = |at: Option<usize>| {
        at.and_then(|at| lines.get(at))
            .is_some_and(|line| line.trim_ascii().is_empty())
    };
    let bonus = isize::from(blank(start.checked_sub(1))) - isize::from(blank(Some(start)));
    bonus - 2 * (depth(start) + depth(end)).cast_signed()
}

#[cfg(test)]
mod tests;
