//! Comparison of two texts, and the pairs of lines to show side by side.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::alike::Aligner;
use super::chosen::Line;
use super::hunks::{Hunk, between, total};
use super::rows::{DiffRow, above_first, one_column, rows};
use super::text::Text;

#[derive(Debug, Clone)]
pub struct Sides {
    pub before: Text,
    pub after: Text,
    pub hunks: Vec<Hunk>,
}

impl Sides {
    pub fn of(before: Option<Arc<[u8]>>, after: Option<Arc<[u8]>>) -> Self {
        let before = Text::of(before.unwrap_or_default());
        let after = Text::of(after.unwrap_or_default());
        let hunks = between(&before.lines(), &after.lines());
        Self { before, after, hunks }
    }

    pub fn counts(&self) -> (u32, u32) {
        total(&self.hunks)
    }

    /// Returns the rows for two columns, with `context` equal lines around each hunk. `usize::MAX` folds nothing.
    pub fn side_by_side(&self, context: usize) -> Vec<DiffRow> {
        two_columns(&self.before, &self.after, &self.hunks, context)
    }

    pub fn unified(&self, context: usize) -> Vec<DiffRow> {
        rows(&self.hunks, self.before.len(), context, one_column)
    }

    pub fn rows_above_first(&self, context: usize) -> usize {
        self.hunks.first().map_or(0, |hunk| above_first(hunk, context))
    }

    pub fn side(&self, line: Line) -> (&Text, usize) {
        match line {
            Line::Before(at) => (&self.before, at),
            Line::After(at) => (&self.after, at),
        }
    }

    pub fn left(&self, line: usize) -> Cow<'_, str> {
        self.before.shown(line)
    }

    pub fn right(&self, line: usize) -> Cow<'_, str> {
        self.after.shown(line)
    }
}

fn two_columns(before: &Text, after: &Text, hunks: &[Hunk], context: usize) -> Vec<DiffRow> {
    let mut effort = MOST_EFFORT;
    let mut aligner = Aligner::default();
    rows(hunks, before.len(), context, |rows, index, hunk| {
        let (old, new) = (&hunk.before, &hunk.after);
        let possible = old.len().saturating_mul(new.len());
        let pairs = if possible <= MOST_PAIRS.min(effort) {
            effort -= possible;
            aligner.pairs((before, old), (after, new))
        } else {
            Vec::new()
        };
        pair_rows(rows, old, new, index, &pairs);
    })
}

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

/// The maximum number of line pairs to compare per hunk. A larger hunk is paired from the top, because nobody compares
/// it line by line.
const MOST_PAIRS: usize = 4096;
/// The maximum number of line pairs to compare in all hunks. Later hunks are paired from the top.
const MOST_EFFORT: usize = 500_000;

#[cfg(test)]
mod tests;
