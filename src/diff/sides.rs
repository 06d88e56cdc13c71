//! Two texts compared, and which of their lines stand side by side.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::hunks::{Hunk, between, total};
use super::rows::{DiffRow, one_column, rows};
use super::text::Text;

/// Two texts compared once, for everything a view asks about them.
#[derive(Debug, Clone)]
pub(crate) struct Sides {
    pub(crate) before: Text,
    pub(crate) after: Text,
    pub(crate) hunks: Vec<Hunk>,
}

impl Sides {
    /// A file that does not exist is an empty text.
    pub(crate) fn of(before: Option<Arc<[u8]>>, after: Option<Arc<[u8]>>) -> Self {
        let before = Text::of(before.unwrap_or_default());
        let after = Text::of(after.unwrap_or_default());
        let hunks = between(&before.lines(), &after.lines());
        Self { before, after, hunks }
    }

    /// Added and removed lines.
    pub(crate) fn counts(&self) -> (u32, u32) {
        total(&self.hunks)
    }

    /// The rows of two columns, with `context` equal lines around each hunk; `usize::MAX` folds nothing.
    pub(crate) fn side_by_side(&self, context: usize) -> Vec<DiffRow> {
        two_columns(&self.before, &self.after, &self.hunks, context)
    }

    /// The rows of one column, with `context` equal lines around each hunk; `usize::MAX` folds nothing.
    pub(crate) fn unified(&self, context: usize) -> Vec<DiffRow> {
        rows(&self.hunks, self.before.len(), context, one_column)
    }

    /// A line of the left side as it is shown.
    pub(crate) fn left(&self, line: usize) -> Cow<'_, str> {
        self.before.shown(line)
    }

    /// A line of the right side as it is shown.
    pub(crate) fn right(&self, line: usize) -> Cow<'_, str> {
        self.after.shown(line)
    }
}

fn two_columns(before: &Text, after: &Text, hunks: &[Hunk], context: usize) -> Vec<DiffRow> {
    let mut effort = MOST_EFFORT;
    rows(hunks, before.len(), context, |rows, index, hunk| {
        let (old, new) = (&hunk.before, &hunk.after);
        let possible = old.len().saturating_mul(new.len());
        let pairs = if possible <= MOST_PAIRS.min(effort) {
            effort -= possible;
            align((before, old), (after, new))
        } else {
            Vec::new()
        };
        pair_rows(rows, old, new, index, &pairs);
    })
}

/// Rows of one hunk: the pairs stand side by side, and what lies between two pairs is matched from the top.
fn pair_rows(rows: &mut Vec<DiffRow>, old: &Range<usize>, new: &Range<usize>, hunk: usize, pairs: &[(usize, usize)]) {
    let mut at = (old.start, new.start);
    let anchors = pairs.iter().map(|(a, b)| (old.start + a, new.start + b));
    for (to_old, to_new) in anchors.chain(std::iter::once((old.end, new.end))) {
        let both = (to_old - at.0).min(to_new - at.1);
        for n in 0..both {
            rows.push(DiffRow::Pair {
                before: at.0 + n,
                after: at.1 + n,
                hunk,
            });
        }
        rows.extend((at.0 + both..to_old).map(|before| DiffRow::Removed { before, hunk }));
        rows.extend((at.1 + both..to_new).map(|after| DiffRow::Added { after, hunk }));
        if to_old < old.end && to_new < new.end {
            rows.push(DiffRow::Pair {
                before: to_old,
                after: to_new,
                hunk,
            });
        }
        at = (to_old + 1, to_new + 1);
    }
}

/// Hunks with more possible pairs than this are matched from the top: nobody reads them pair by pair.
const MOST_PAIRS: usize = 4096;
/// Possible pairs looked at in all hunks together; hunks behind that are matched from the top, too.
const MOST_EFFORT: usize = 1_000_000;

/// Which removed line became which added line: the order-keeping choice with the most in common. Lines that share less
/// than two fifths of their words are not called the same line.
fn align((before, old): (&Text, &Range<usize>), (after, new): (&Text, &Range<usize>)) -> Vec<(usize, usize)> {
    let (rows, columns) = (old.len(), new.len());
    if rows == 0 || columns == 0 {
        return Vec::new();
    }
    let bags = |text: &Text, lines: &Range<usize>| lines.clone().map(|line| word_bag(text.line(line))).collect();
    let (old, new): (Vec<Vec<u64>>, Vec<Vec<u64>>) = (bags(before, old), bags(after, new));
    let width = columns + 1;
    let mut best = vec![0_u32; (rows + 1) * width];
    let mut shared = vec![0_u32; rows * columns];
    let cell = |table: &[u32], row: usize, column: usize| table.get(row * width + column).copied().unwrap_or(0);
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let likeness = likeness(a, b);
            let pair = if likeness >= 400 {
                likeness + cell(&best, i + 1, j + 1)
            } else {
                0
            };
            let value = pair.max(cell(&best, i + 1, j)).max(cell(&best, i, j + 1));
            if let Some(slot) = best.get_mut(i * width + j) {
                *slot = value;
            }
            if let Some(slot) = shared.get_mut(i * columns + j) {
                *slot = pair;
            }
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < rows && j < columns {
        let value = cell(&best, i, j);
        if value == 0 {
            break;
        }
        if shared.get(i * columns + j).copied() == Some(value) {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if cell(&best, i + 1, j) == value {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// The words of a line as sorted hashes; punctuation counts one by one, white space not at all.
fn word_bag(line: &[u8]) -> Vec<u64> {
    let mut bag = Vec::new();
    let mut word = 0_u64;
    for &byte in line {
        if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 {
            word = (word ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).max(1);
            continue;
        }
        if word != 0 {
            bag.push(std::mem::take(&mut word));
        }
        if !byte.is_ascii_whitespace() {
            bag.push(u64::from(byte));
        }
    }
    if word != 0 {
        bag.push(word);
    }
    bag.sort_unstable();
    bag
}

/// How much two bags share, in thousandths.
fn likeness(a: &[u64], b: &[u64]) -> u32 {
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
        }
    }
    let all = a.len() + b.len();
    let share = (common * 2000).checked_div(all).unwrap_or(1000);
    u32::try_from(share).unwrap_or(0)
}

#[cfg(test)]
mod tests;
