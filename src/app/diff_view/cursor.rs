//! The cursor of a diff: movement by lines, hunks and files, and the decision about the current hunk.

use std::cmp::Ordering;
use std::ops::Range;

use super::cells::LogicalRow;
use super::{DiffView, Position};
use benchdog_diff::{Hunk, Line, Sides, Text};

/// Distance in rows within which the nearest hunk is searched first. After that, all rows of the file are searched.
const NEAR: usize = 16;
const MARGIN: usize = 3;

impl DiffView {
    pub fn hunks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let files = self.files.iter().enumerate();
        files.flat_map(|(file, diff)| (0..diff.kept.len()).map(move |hunk| (file, hunk)))
    }

    pub fn hunk_count(&self) -> usize {
        self.files.iter().map(|file| file.kept.len()).sum()
    }

    /// Returns the number of the current hunk (1-based) and the number of all hunks.
    pub fn hunk_position(&self) -> Option<(usize, usize)> {
        let (file, hunk) = self.current?;
        let before: usize = self.files.iter().take(file).map(|file| file.kept.len()).sum();
        Some((before + hunk + 1, self.hunk_count()))
    }

    pub fn file(&self) -> usize {
        self.current.map_or(0, |(file, _)| file)
    }

    /// Moves the cursor by rows. If the current row is higher than the window, a step scrolls by one screen row.
    pub(crate) fn step(&mut self, by: isize) {
        for _ in 0..by.unsigned_abs() {
            let moves = if by < 0 { self.step_up() } else { self.step_down() };
            if !moves {
                return;
            }
        }
    }

    fn step_down(&mut self) -> bool {
        let (_, below) = self.beyond();
        if below > 0 {
            self.down(1);
        } else if self.cursor + 1 < self.row_count() {
            self.go_to_row(self.cursor + 1);
        } else {
            return false;
        }
        true
    }

    fn step_up(&mut self) -> bool {
        let (above, _) = self.beyond();
        if above > 0 {
            self.up(1);
            return true;
        }
        let Some(row) = self.cursor.checked_sub(1) else {
            return false;
        };
        self.go_to_row(row);
        // When the cursor moves up into a row that is higher than the window, show the end of that row first.
        let sub = self.row_height(row).saturating_sub(usize::from(self.height.max(1)));
        if sub > 0 {
            self.top = Position { row, sub };
        }
        true
    }

    /// Returns the number of rows of the cursor's line above and below the viewport, or 0 for an invisible line.
    pub(super) fn beyond(&self) -> (usize, usize) {
        let shown = self.cursor_rows().len();
        if shown == 0 {
            return (0, 0);
        }
        let above = if self.cursor == self.top.row { self.top.sub } else { 0 };
        let below = self.row_height(self.cursor).saturating_sub(above + shown);
        (above, below)
    }

    pub(crate) fn page(&mut self, pages: isize) {
        let rows = isize::try_from(self.height.saturating_sub(1).max(1)).unwrap_or(1);
        let before = self.top;
        self.scroll(pages * rows);
        if self.top == before {
            self.step(pages * rows);
        }
    }

    pub(crate) fn jump_top(&mut self) {
        self.go_to_row(0);
    }

    pub(crate) fn jump_end(&mut self) {
        self.go_to_row(self.row_count().saturating_sub(1));
    }

    pub(crate) fn step_hunk(&mut self, by: isize) {
        let Some((at, all)) = self.hunk_position() else { return };
        let here = self.current.map_or(0, |(file, hunk)| self.row_of_hunk(file, hunk));
        // Between hunks, the nearest hunk is already current. The first step towards that hunk only moves the cursor.
        let by = match (self.hunk_of_row(self.cursor), here.cmp(&self.cursor)) {
            (None, Ordering::Greater) if by > 0 => by - 1,
            (None, Ordering::Less) if by < 0 => by + 1,
            _ => by,
        };
        let next = (at - 1).saturating_add_signed(by).min(all - 1);
        let hunk = self.hunks().nth(next);
        if let Some((file, hunk)) = hunk {
            self.go_to_hunk(file, hunk);
            self.hunk_into_view();
        }
    }

    pub(crate) fn step_file(&mut self, by: isize) {
        let last = self.files.len().saturating_sub(1);
        self.go_to_file(self.file().saturating_add_signed(by).min(last));
    }

    pub(crate) fn go_to_file(&mut self, file: usize) {
        if file >= self.files.len() {
            return;
        }
        self.go_to_hunk(file, 0);
        self.top = Position {
            row: self.first_row_of(file),
            sub: 0,
        };
        self.follow_cursor();
    }

    pub(super) fn go_to_hunk(&mut self, file: usize, hunk: usize) {
        self.cursor = self.row_of_hunk(file, hunk);
        self.current = Some((file, hunk));
        self.follow_cursor();
    }

    pub(super) fn go_to_row(&mut self, row: usize) {
        self.cursor = row;
        self.follow_cursor();
        self.mean_hunk();
    }

    pub(crate) fn click(&mut self, y: u16) {
        let mut left = usize::from(y) + self.top.sub;
        let mut row = self.top.row;
        while row + 1 < self.row_count() && left >= self.row_height(row) {
            left -= self.row_height(row);
            row += 1;
        }
        self.go_to_row(row);
    }

    pub(super) fn follow_cursor(&mut self) {
        let height = usize::from(self.height.max(1));
        let own = self.row_height(self.cursor).min(height);
        let margin = MARGIN.min(height.saturating_sub(own) / 3);
        let far = self.cursor > self.top.row + height;
        if far || self.cursor < self.top.row || (self.cursor == self.top.row && self.top.sub > 0) {
            self.top = Position {
                row: self.cursor,
                sub: 0,
            };
            self.up(if far { height - own - margin } else { margin });
        }
        let above = self.rows_above_cursor();
        if above < margin {
            self.up(margin - above);
        }
        let end = self.rows_above_cursor() + own + margin;
        self.down(end.saturating_sub(height));
        self.stay_inside();
    }

    fn rows_above_cursor(&self) -> usize {
        let rows: usize = (self.top.row..self.cursor).map(|row| self.row_height(row)).sum();
        rows.saturating_sub(self.top.sub)
    }

    pub(super) fn cursor_into_view(&mut self) {
        let height = usize::from(self.height.max(1));
        let first = self.top.row + usize::from(self.top.sub > 0);
        let mut room = (height + self.top.sub).saturating_sub(self.row_height(self.top.row));
        let mut last = self.top.row;
        while last + 1 < self.row_count() && room >= self.row_height(last + 1) {
            room -= self.row_height(last + 1);
            last += 1;
        }
        let row = self.cursor.clamp(first.min(last), last);
        self.cursor = row;
        self.mean_hunk();
    }

    pub fn cursor_rows(&self) -> Range<usize> {
        if self.cursor < self.top.row || self.cursor > self.top.row + usize::from(self.height) {
            return 0..0;
        }
        let start: usize = (self.top.row..self.cursor).map(|row| self.row_height(row)).sum();
        let end = start + self.row_height(self.cursor);
        let height = usize::from(self.height);
        start.saturating_sub(self.top.sub).min(height)..end.saturating_sub(self.top.sub).min(height)
    }

    pub(super) fn hunk_of_row(&self, row: usize) -> Option<(usize, usize)> {
        match self.row(row)? {
            LogicalRow::Lines { file, hunk, .. } => Some((file, hunk?)),
            LogicalRow::File(_) | LogicalRow::Note(_) | LogicalRow::Folded(_) => None,
        }
    }

    pub(super) fn file_of_row(&self, row: usize) -> Option<usize> {
        let mut end = 0;
        self.files.iter().position(|file| {
            end += self.rows_of(file);
            row < end
        })
    }

    pub(super) fn nearest_hunk(&self, row: usize) -> Option<(usize, usize)> {
        let file = self.file_of_row(row)?;
        let rows = self.first_row_of(file)..self.first_row_of(file + 1);
        // If two hunks are equally near, choose the hunk above.
        let around = (0..NEAR).flat_map(|far| [row.checked_sub(far), row.checked_add(far)]);
        let mut around = around.flatten().filter(|row| rows.contains(row));
        let found = around.find_map(|row| self.hunk_of_row(row));
        found.or_else(|| self.hunk_far_from(file, row))
    }

    /// Returns the hunk of `file` that is nearest to `row`. In a file without hunks, index 0 is the whole file.
    fn hunk_far_from(&self, file: usize, row: usize) -> Option<(usize, usize)> {
        let diff = self.files.get(file)?;
        let head = self.first_row_of(file) + diff.head_rows();
        let rows = diff.rows(self.layout).iter().enumerate();
        let of_hunks = rows.filter_map(|(at, of)| Some((head + at, of.hunk()?)));
        let nearest = of_hunks.min_by_key(|(at, _)| (at.abs_diff(row), *at));
        let hunk = nearest.map_or(0, |(_, hunk)| hunk);
        (!diff.kept.is_empty()).then_some((file, hunk))
    }

    /// Returns the lines under the cursor. If a row has two lines, the new line comes first.
    pub(crate) fn lines_at_cursor(&self) -> Option<(usize, Vec<Line>)> {
        match self.row(self.cursor)? {
            LogicalRow::Lines { file, left, right, .. } => {
                let lines = right.map(Line::After).into_iter().chain(left.map(Line::Before));
                Some((file, lines.collect()))
            }
            LogicalRow::File(_) | LogicalRow::Note(_) | LogicalRow::Folded(_) => None,
        }
    }

    pub(crate) fn new_text(&self) -> Option<String> {
        let (sides, hunk) = self.hunk_at_cursor()?;
        joined(&sides.after, hunk.after.clone())
    }

    pub(crate) fn old_text(&self) -> Option<String> {
        let (sides, hunk) = self.hunk_at_cursor()?;
        joined(&sides.before, hunk.before.clone())
    }

    fn hunk_at_cursor(&self) -> Option<(&Sides, &Hunk)> {
        let (file, hunk) = self.current?;
        let sides = self.files.get(file)?.sides();
        Some((sides, sides.hunks.get(hunk)?))
    }

    /// Returns the position of the cursor's line in the accepted text (0-based).
    pub(crate) fn proposed_line(&self) -> usize {
        let file = self.file();
        let Some(diff) = self.files.get(file) else { return 0 };
        let head = self.first_row_of(file) + diff.head_rows();
        diff.proposed_lines(self.layout, self.cursor.saturating_sub(head))
    }

    pub(crate) fn go_to_line(&mut self, file: usize, line: usize) {
        let Some(diff) = self.files.get(file) else { return };
        let head = diff.head_rows();
        self.go_to_row(self.first_row_of(file) + head + diff.row_of_proposed(self.layout, line));
    }

    /// Accepts or discards the current hunk. Returns `false` if the file can only be decided as a whole.
    pub(crate) fn toggle_hunk(&mut self) -> bool {
        let Some((file, hunk)) = self.current else { return true };
        self.files.get_mut(file).is_none_or(|diff| diff.toggle_hunk(hunk))
    }

    pub(crate) fn toggle_file(&mut self) {
        let file = self.file();
        if let Some(diff) = self.files.get_mut(file) {
            diff.toggle();
        }
    }

    /// Accepts or discards the line under the cursor. Returns `false` if this is impossible for the line alone.
    pub(crate) fn toggle_line(&mut self) -> bool {
        let Some((file, hunk)) = self.hunk_of_row(self.cursor) else {
            return false;
        };
        let Some((_, lines)) = self.lines_at_cursor() else {
            return false;
        };
        self.files
            .get_mut(file)
            .is_some_and(|diff| diff.toggle_lines(hunk, &lines))
    }
}

fn joined(text: &Text, lines: Range<usize>) -> Option<String> {
    let bytes: Vec<u8> = lines.flat_map(|line| text.line(line)).copied().collect();
    (!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned())
}
