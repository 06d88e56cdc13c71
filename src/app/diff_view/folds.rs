//! Equal lines that are folded away, and showing them all the same.

use std::sync::OnceLock;

use super::{DiffFile, DiffLayout, DiffView};
use crate::diff::{DiffRow, Line};

/// Equal lines that lie in a fold; the first of each side.
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

    /// Shows it in the rows of a layout.
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
    /// The rows that were made so far.
    fn made(&mut self) -> impl Iterator<Item = &mut Vec<DiffRow>> {
        let layouts = [&mut self.side_by_side, &mut self.unified];
        layouts.into_iter().filter_map(OnceLock::get_mut)
    }

    /// Shows what lies in a fold.
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

    /// The fold of a row, from the first row of the file.
    fn fold_at(&self, layout: DiffLayout, row: usize) -> Option<Fold> {
        match *self.rows(layout).get(row)? {
            DiffRow::Folded { before, after, lines } => Some(Fold { before, after, lines }),
            DiffRow::Same { .. } | DiffRow::Pair { .. } | DiffRow::Removed { .. } | DiffRow::Added { .. } => None,
        }
    }

    /// The fold that hides a line.
    fn fold_over(&self, layout: DiffLayout, line: Line) -> Option<Fold> {
        let rows = 0..self.rows(layout).len();
        let mut folds = rows.filter_map(|row| self.fold_at(layout, row));
        folds.find(|fold| fold.holds(line))
    }
}

impl DiffView {
    /// Shows what lies in the fold under the cursor or nearest to it; folds it again where the cursor is in it. `false`: there is none.
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

    /// Shows a line that may be folded away; answers with its row.
    pub(super) fn uncover(&mut self, file: usize, line: Line) -> usize {
        let fold = self.files.get(file).and_then(|diff| diff.fold_over(self.layout, line));
        if let Some(fold) = fold {
            let rows = self.first_row_of(file)..self.first_row_of(file + 1);
            let row = rows.into_iter().find(|row| self.fold_of_row(file, *row) == Some(fold));
            self.open_fold(file, row.unwrap_or(0), fold);
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
        // What stands below it stays in view.
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

    fn fold_of_row(&self, file: usize, row: usize) -> Option<Fold> {
        let head = self.first_row_of(file) + self.files.get(file)?.head_rows();
        self.files.get(file)?.fold_at(self.layout, row.checked_sub(head)?)
    }

    fn nearest_fold(&self, file: usize) -> Option<(usize, Fold)> {
        let rows = self.first_row_of(file)..self.first_row_of(file + 1);
        let folds = rows.filter_map(|row| Some((row, self.fold_of_row(file, row)?)));
        folds.min_by_key(|(row, _)| row.abs_diff(self.cursor))
    }
}
