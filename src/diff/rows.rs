//! Rows of a comparison in one or two columns, with equal lines folded.

use super::hunks::Hunk;

/// A row of a comparison. Line numbers are 0-based. `hunk` is an index into the hunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffRow {
    Same {
        before: usize,
        after: usize,
    },
    /// A removed line next to the added line that replaces it. Only in two columns.
    Pair {
        before: usize,
        after: usize,
        hunk: usize,
    },
    Removed {
        before: usize,
        hunk: usize,
    },
    Added {
        after: usize,
        hunk: usize,
    },
    Folded {
        before: usize,
        after: usize,
        lines: usize,
    },
}

impl DiffRow {
    pub fn hunk(&self) -> Option<usize> {
        match self {
            Self::Pair { hunk, .. } | Self::Removed { hunk, .. } | Self::Added { hunk, .. } => Some(*hunk),
            Self::Same { .. } | Self::Folded { .. } => None,
        }
    }
}

/// Returns rows with `context` equal lines around each hunk. `usize::MAX` folds nothing. `changed` adds the rows of a
/// hunk. A fold hides at least two lines.
pub(super) fn rows(
    hunks: &[Hunk],
    lines: usize,
    context: usize,
    mut changed: impl FnMut(&mut Vec<DiffRow>, usize, &Hunk),
) -> Vec<DiffRow> {
    // Reserve enough memory, so that a huge list does not move while it grows.
    let of_hunks: usize = hunks.iter().map(|hunk| hunk.before.len() + hunk.after.len()).sum();
    let around = (hunks.len() + 1).saturating_mul(context.saturating_mul(2).saturating_add(1));
    let mut rows = Vec::with_capacity(of_hunks + lines.min(around));
    let mut at = (0, 0);
    for index in 0..=hunks.len() {
        let hunk = hunks.get(index);
        let equal = hunk.map_or(lines, |hunk| hunk.before.start) - at.0;
        let head = if index == 0 { 0 } else { context.min(equal) };
        let tail = if hunk.is_none() { 0 } else { context.min(equal - head) };
        let hidden = equal - head - tail;
        if hidden < 2 || context == usize::MAX {
            same(&mut rows, at, equal);
        } else {
            let (before, after) = (at.0 + head, at.1 + head);
            same(&mut rows, at, head);
            rows.push(DiffRow::Folded {
                before,
                after,
                lines: hidden,
            });
            same(&mut rows, (before + hidden, after + hidden), tail);
        }
        if let Some(hunk) = hunk {
            changed(&mut rows, index, hunk);
            at = (hunk.before.end, hunk.after.end);
        }
    }
    rows
}

pub(super) fn above_first(hunk: &Hunk, context: usize) -> usize {
    let equal = hunk.before.start;
    let hidden = equal - context.min(equal);
    if hidden < 2 { equal } else { equal - hidden + 1 }
}

fn same(rows: &mut Vec<DiffRow>, (before, after): (usize, usize), lines: usize) {
    rows.extend((0..lines).map(|n| DiffRow::Same {
        before: before + n,
        after: after + n,
    }));
}

pub(super) fn one_column(rows: &mut Vec<DiffRow>, hunk: usize, changed: &Hunk) {
    rows.extend(changed.before.clone().map(|before| DiffRow::Removed { before, hunk }));
    rows.extend(changed.after.clone().map(|after| DiffRow::Added { after, hunk }));
}
