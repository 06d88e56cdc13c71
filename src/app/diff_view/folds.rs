//! Folding and unfolding of unchanged lines.

use std::sync::OnceLock;

use super::{DiffFile, DiffLayout, DiffView};
use benchdog_diff::{DiffRow, Line};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fold {
    before: usize,
    after: usize,
    lines: usize,
}

impl Fold {
    fn holds(&self, line: Line) -> bool {
        let (start, line) = match line {
            Line::Before(line) => (self.before, line),
            Line::After(line) => (self.after, line),
        };
        (start..start + self.lines).contains(&line)
    }

    pub(super) fn show(&self, rows: &mut Vec<DiffRow>) {
        let at = rows
            .iter()
            .position(|row| matches!(row, DiffRow::Folded { before, .. } if *before == self.before));
        if let Some(at) = at {
            rows.splice(at..=at, self.shown());
        }
    }

    fn shown(&self) -> impl Iterator<Item = DiffRow> {
        let (before, after) = (self.before, self.after);
        (0..self.lines).map(move |n| DiffRow::Same {
            before: before + n,
            after: after + n,
        })
    }
}

impl DiffFile {
    fn made(&mut self) -> impl Iterator<Item = &mut Vec<DiffRow>> {
        let layouts = [&mut self.side_by_side, &mut self.unified];
        layouts.into_iter().filter_map(OnceLock::get_mut)
    }

    fn unfold(&mut self, fold: Fold) {
        for rows in self.made() {
            fold.show(rows);
        }
        self.unfolded.push(fold);
    }

    fn fold(&mut self, fold: Fold) {
        for rows in self.made() {
            let at = rows
                .iter()
                .position(|row| matches!(row, DiffRow::Same { before, .. } if *before == fold.before));
            if let Some(at) = at {
                let row = DiffRow::Folded {
                    before: fold.before,
                    after: fold.after,
                    lines: fold.lines,
                };
                rows.splice(at..at + fold.lines, [row]);
            }
        }
        self.unfolded.retain(|unfolded| *unfolded != fold);
    }

    fn folds(&self, layout: DiffLayout) -> impl Iterator<Item = (usize, Fold)> {
        let rows = self.rows(layout).iter().enumerate();
        rows.filter_map(|(place, row)| match *row {
            DiffRow::Folded { before, after, lines } => Some((place, Fold { before, after, lines })),
            DiffRow::Same { .. } | DiffRow::Pair { .. } | DiffRow::Removed { .. } | DiffRow::Added { .. } => None,
        })
    }
}

impl DiffView {
    /// Closes the open fold at the cursor, or else opens the nearest fold. Returns `false` if the file has no fold.
    pub(crate) fn toggle_fold(&mut self) -> bool {
        let Some(file) = self.file_of_row(self.cursor) else {
            return false;
        };
        let open = self.lines_at_cursor().and_then(|(_, lines)| {
            let unfolded = self.files.get(file)?.unfolded.iter();
            unfolded
                .copied()
                .find(|fold| lines.iter().any(|line| fold.holds(*line)))
        });
        if let Some(fold) = open {
            self.close_fold(file, fold);
            return true;
        }
        let Some((row, fold)) = self.nearest_fold(file) else {
            return false;
        };
        self.open_fold(file, row, fold);
        true
    }

    pub(super) fn uncover(&mut self, file: usize, line: Line) -> usize {
        let over = self.folds_of(file).find(|(_, fold)| fold.holds(line));
        if let Some((row, fold)) = over {
            self.open_fold(file, row, fold);
        }
        let (left, right) = match line {
            Line::Before(line) => (Some(line), None),
            Line::After(line) => (None, Some(line)),
        };
        self.row_of_line((file, left, right))
    }

    fn open_fold(&mut self, file: usize, row: usize, fold: Fold) {
        if let Some(diff) = self.files.get_mut(file) {
            diff.unfold(fold);
        }
        // Keep the rows below at their position on screen.
        for at in [&mut self.cursor, &mut self.top.row] {
            if *at > row {
                *at += fold.lines - 1;
            }
        }
        self.follow_cursor();
    }

    fn close_fold(&mut self, file: usize, fold: Fold) {
        let row = self.row_of_line((file, Some(fold.before), None));
        if let Some(diff) = self.files.get_mut(file) {
            diff.fold(fold);
        }
        self.cursor = row;
        if self.top.row > row {
            self.top.row = row.max((self.top.row + 1).saturating_sub(fold.lines));
            self.top.sub = 0;
        }
        self.follow_cursor();
    }

    fn folds_of(&self, file: usize) -> impl Iterator<Item = (usize, Fold)> {
        let first = self.first_row_of(file);
        self.files.get(file).into_iter().flat_map(move |diff| {
            let first = first + diff.head_rows();
            diff.folds(self.layout).map(move |(row, fold)| (first + row, fold))
        })
    }

    fn nearest_fold(&self, file: usize) -> Option<(usize, Fold)> {
        self.folds_of(file).min_by_key(|(row, _)| row.abs_diff(self.cursor))
    }
}
