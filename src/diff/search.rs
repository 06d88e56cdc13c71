//! Finds equal lines of two texts. The effort depends on the sizes of the texts, not on time, so results are
//! reproducible.
//!
//! Myers' greedy algorithm handles few edits. Otherwise lines that occur once on each side are anchors, and the
//! `similar` library compares the rest within limits.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::numbers::{as_place, numbers};
use super::work;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) len: usize,
}

/// The maximum number of edits for Myers' algorithm.
const FEW: usize = 256;
/// The maximum number of line pairs to compare between two anchors. In longer ranges, lines are compared by position.
const MOST_PAIRS: usize = 40_000_000;
/// The number of line pairs up to which it is faster to compare all of them than to mark common lines first.
const FEW_PAIRS: usize = 256;
const SHORT: usize = 512;

pub(super) fn runs(old: &[&[u8]], new: &[&[u8]]) -> Vec<Run> {
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    if let Some(runs) = few_edits(old, new) {
        return runs;
    }
    let (old, new) = numbers(old, new);
    let mut anchored = Anchored {
        seen: vec![Seen::default(); old.len() + new.len()],
        old,
        new,
        runs: Vec::new(),
    };
    anchored.search(0..anchored.old.len(), 0..anchored.new.len());
    anchored.runs
}

/// Finds equal runs with Myers' greedy algorithm. Returns `None` after `FEW` edits or too many passes.
fn few_edits(old: &[&[u8]], new: &[&[u8]]) -> Option<Vec<Run>> {
    let (rows, columns) = (old.len(), new.len());
    if rows.abs_diff(columns) > FEW {
        return None;
    }
    let mut effort = 4 * (rows + columns) + 10_000;
    // `reach[k]` is the furthest position in `old` on diagonal `k - FEW - 1`, or `None` for an unreachable diagonal.
    let middle = FEW + 1;
    let mut reach: Vec<Option<usize>> = vec![None; 2 * middle + 1];
    let mut history: Vec<Vec<Option<usize>>> = Vec::new();
    for edits in 0..=FEW {
        for k in (middle - edits..=middle + edits).step_by(2) {
            // On diagonal `k`, the position in `new` is the position in `old` minus `k - middle`.
            let across = |x: usize| (x + middle).checked_sub(k).filter(|y| x <= rows && *y <= columns);
            let start = if edits == 0 {
                Some(0)
            } else {
                step(&|k| reach.get(k).copied().flatten(), k, &across)
            };
            let place = start.and_then(|x| Some((x, across(x)?)));
            let end = place.map(|(x, y)| {
                let length = equal(old, new, x, y);
                work::compared(length + 1);
                effort = effort.saturating_sub(length + 1);
                x + length
            });
            if let Some(slot) = reach.get_mut(k) {
                *slot = end;
            }
            if end == Some(rows) && across(rows) == Some(columns) {
                return Some(walked_back(&history, k, (rows, columns), middle));
            }
        }
        if effort == 0 {
            return None;
        }
        history.push(reach.get(middle - edits - 1..=middle + edits + 1)?.to_vec());
    }
    None
}

fn equal(old: &[&[u8]], new: &[&[u8]], x: usize, y: usize) -> usize {
    let (old, new) = (old.get(x..).unwrap_or_default(), new.get(y..).unwrap_or_default());
    old.iter().zip(new).take_while(|(a, b)| a == b).count()
}

fn step(reach: &dyn Fn(usize) -> Option<usize>, k: usize, across: &dyn Fn(usize) -> Option<usize>) -> Option<usize> {
    let valid = |x: usize| across(x).is_some();
    let down = reach(k + 1).filter(|x| valid(*x));
    let right = reach(k - 1).map(|x| x + 1).filter(|x| valid(*x));
    down.max(right)
}

/// Follows the found path back and returns its runs. `history[d]` is `reach` after `d` edits, starting at diagonal
/// `middle - d - 1`.
fn walked_back(history: &[Vec<Option<usize>>], end: usize, size: (usize, usize), middle: usize) -> Vec<Run> {
    let mut runs = Vec::new();
    let (mut k, mut x) = (end, size.0);
    for (edits, reach) in history.iter().enumerate().rev() {
        let at = |k: usize| {
            (k + edits + 1)
                .checked_sub(middle)
                .and_then(|at| reach.get(at))
                .copied()
                .flatten()
        };
        let across = |x: usize| (x + middle).checked_sub(k).filter(|y| x <= size.0 && *y <= size.1);
        let start = step(&at, k, &across).unwrap_or(0);
        push(&mut runs, start, (start + middle).saturating_sub(k), x - start);
        if at(k + 1) == Some(start) {
            k += 1;
            x = start;
        } else {
            k -= 1;
            x = start.saturating_sub(1);
        }
    }
    push(&mut runs, 0, 0, x);
    runs.reverse();
    runs
}

fn push(runs: &mut Vec<Run>, old: usize, new: usize, len: usize) {
    if len > 0 {
        runs.push(Run { old, new, len });
    }
}

struct Anchored {
    old: Vec<u32>,
    new: Vec<u32>,
    seen: Vec<Seen>,
    runs: Vec<Run>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    old: u16,
    new: u16,
    at: u32,
}

impl Anchored {
    fn search(&mut self, mut old: Range<usize>, mut new: Range<usize>) {
        let prefix = self.common(old.clone(), new.clone());
        push(&mut self.runs, old.start, new.start, prefix);
        old.start += prefix;
        new.start += prefix;
        let suffix = self.common_end(&old, &new);
        let tail = (old.end - suffix, new.end - suffix);
        let (old, new) = (old.start..tail.0, new.start..tail.1);
        if !old.is_empty() && !new.is_empty() {
            let anchors = if old.len() + new.len() > SHORT {
                self.anchors(old.clone(), new.clone())
            } else {
                Vec::new()
            };
            if anchors.is_empty() {
                self.compare(old, new);
            } else {
                let mut at = (old.start, new.start);
                for anchor in anchors.into_iter().chain([(old.end, new.end)]) {
                    // An earlier range may already include this anchor.
                    if anchor.0 >= at.0 && anchor.1 >= at.1 {
                        self.search(at.0..anchor.0, at.1..anchor.1);
                        at = anchor;
                        let length = self.common(at.0..old.end, at.1..new.end);
                        push(&mut self.runs, at.0, at.1, length);
                        at = (at.0 + length, at.1 + length);
                    }
                }
            }
        }
        push(&mut self.runs, tail.0, tail.1, suffix);
    }

    fn common(&self, old: Range<usize>, new: Range<usize>) -> usize {
        let (old, new) = (
            self.old.get(old).unwrap_or_default(),
            self.new.get(new).unwrap_or_default(),
        );
        old.iter().zip(new).take_while(|(a, b)| a == b).count()
    }

    fn common_end(&self, old: &Range<usize>, new: &Range<usize>) -> usize {
        let old = self.old.get(old.clone()).unwrap_or_default();
        let new = self.new.get(new.clone()).unwrap_or_default();
        old.iter()
            .rev()
            .zip(new.iter().rev())
            .take_while(|(a, b)| a == b)
            .count()
    }

    /// Returns position pairs of lines that occur once on each side, increasing on both sides. Drops as few as
    /// possible.
    fn anchors(&mut self, old: Range<usize>, new: Range<usize>) -> Vec<(usize, usize)> {
        work::compared(old.len() + new.len());
        for at in old.clone() {
            if let Some(seen) = self.old.get(at).and_then(|id| self.seen.get_mut(*id as usize)) {
                seen.old = seen.old.saturating_add(1);
                seen.at = as_place(at);
            }
        }
        for at in new.clone() {
            if let Some(seen) = self.new.get(at).and_then(|id| self.seen.get_mut(*id as usize)) {
                seen.new = seen.new.saturating_add(1);
            }
        }
        let pairs: Vec<(usize, usize)> = new
            .clone()
            .filter_map(|at| {
                let seen = self.seen.get(*self.new.get(at)? as usize)?;
                (seen.old == 1 && seen.new == 1).then_some((seen.at as usize, at))
            })
            .collect();
        for id in self
            .old
            .get(old)
            .unwrap_or_default()
            .iter()
            .chain(self.new.get(new).unwrap_or_default())
        {
            if let Some(seen) = self.seen.get_mut(*id as usize) {
                *seen = Seen::default();
            }
        }
        longest_rising(pairs)
    }

    /// Compares a range line by line at equal positions, because it is too long for a search. With less than half of
    /// the lines equal, treats the range as one change, because chance matches such as braces are useless.
    fn in_place(&mut self, old: Range<usize>, new: Range<usize>) {
        let (a, b) = (
            self.old.get(old.clone()).unwrap_or_default(),
            self.new.get(new.clone()).unwrap_or_default(),
        );
        work::compared(a.len().min(b.len()));
        let same: Vec<bool> = a.iter().zip(b).map(|(a, b)| a == b).collect();
        if same.iter().filter(|same| **same).count() * 2 < old.len().max(new.len()) {
            return;
        }
        let mut at = 0;
        for stretch in same.chunk_by(|a, b| a == b) {
            if stretch.first() == Some(&true) {
                push(&mut self.runs, old.start + at, new.start + at, stretch.len());
            }
            at += stretch.len();
        }
    }

    /// Whether two ranges have a common line. Most ranges between anchors have none.
    fn shares_a_line(&mut self, old: Range<usize>, new: Range<usize>) -> bool {
        let (a, b) = (
            self.old.get(old).unwrap_or_default(),
            self.new.get(new).unwrap_or_default(),
        );
        if a.len().saturating_mul(b.len()) <= FEW_PAIRS {
            return a.iter().any(|id| b.contains(id));
        }
        for id in a {
            if let Some(seen) = self.seen.get_mut(*id as usize) {
                seen.old = 1;
            }
        }
        let shares = b
            .iter()
            .any(|id| self.seen.get(*id as usize).is_some_and(|seen| seen.old > 0));
        for id in a {
            if let Some(seen) = self.seen.get_mut(*id as usize) {
                *seen = Seen::default();
            }
        }
        shares
    }

    fn compare(&mut self, old: Range<usize>, new: Range<usize>) {
        if old.len().saturating_mul(new.len()) > MOST_PAIRS {
            self.in_place(old, new);
            return;
        }
        if !self.shares_a_line(old.clone(), new.clone()) {
            return;
        }
        let (a, b) = (
            self.old.get(old.clone()).unwrap_or_default(),
            self.new.get(new.clone()).unwrap_or_default(),
        );
        work::compared(a.len().saturating_mul(b.len()));
        for op in capture_diff_slices(Algorithm::Myers, a, b) {
            if let DiffOp::Equal {
                old_index,
                new_index,
                len,
            } = op
            {
                push(&mut self.runs, old.start + old_index, new.start + new_index, len);
            }
        }
    }
}

/// Returns the longest subsequence with increasing first positions. The input must be sorted by second position.
fn longest_rising(pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    if pairs.is_sorted_by(|a, b| a.0 < b.0) {
        return pairs;
    }
    // `ends[n]` is the last pair of the best sequence of `n + 1` pairs. `before` holds the predecessor of each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let place = ends.partition_point(|end| pairs.get(*end).is_some_and(|end| end.0 < pair.0));
        before.push(place.checked_sub(1).and_then(|place| ends.get(place)).copied());
        match ends.get_mut(place) {
            Some(slot) => *slot = at,
            None => ends.push(at),
        }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(index) = at {
        chain.extend(pairs.get(index).copied());
        at = before.get(index).copied().flatten();
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests;
