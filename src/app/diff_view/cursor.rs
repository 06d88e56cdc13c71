//! The line one looks at in a diff: moving it by lines, hunks and files, and keeping or dropping what it is on.

use std::cmp::Ordering;
use std::ops::Range;

use super::cells::LogicalRow;
use super::{DiffView, Position};
use crate::diff::{Hunk, Line, Sides, Text};

/// A hunk begins so few rows behind a fold, a note or the head of its file.
const NEAR: usize = 16;
/// Rows around the cursor that stay in view, where there is room.
const MARGIN: usize = 3;

impl DiffView {
    /// Every hunk: its file, then its index in that file.
    pub(crate) fn hunks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let files = self.files.iter().enumerate();
        files.flat_map(|(file, diff)| (0..diff.kept.len()).map(move |hunk| (file, hunk)))
    }

    /// How many hunks there are.
    pub(crate) fn hunk_count(&self) -> usize {
        self.files.iter().map(|file| file.kept.len()).sum()
    }

    /// Which hunk the cursor is on and how many there are, from 1.
    pub(crate) fn hunk_position(&self) -> Option<(usize, usize)> {
        let (file, hunk) = self.current?;
        let before: usize = self.files.iter().take(file).map(|file| file.kept.len()).sum();
        Some((before + hunk + 1, self.hunk_count()))
    }

    /// Which file the cursor is in.
    pub(crate) fn file(&self) -> usize {
        self.current.map_or(0, |(file, _)| file)
    }

    // --- moving ---

    /// Moves the cursor by rows. What of its own row lies beyond the window is read on first, a row of the window at a time: of a line that is
    /// higher than the window nothing is leapt over, in either direction.
    pub(crate) fn step(&mut self, by: isize) {
        for _ in 0..by.unsigned_abs() {
            let moves = if by < 0 { self.step_up() } else { self.step_down() };
            if !moves {
                return;
            }
        }
    }

    /// `false`: nothing follows.
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

    /// `false`: nothing stands above.
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
        // Of what is higher than the window the end comes first.
        let sub = self.row_height(row).saturating_sub(usize::from(self.height.max(1)));
        if sub > 0 {
            self.top = Position { row, sub };
        }
        true
    }

    /// Rows of the cursor's own row above the window and below it; none of either where it is not in view at all.
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

    /// To the next (`1`) or previous (`-1`) hunk from where one looks.
    pub(crate) fn step_hunk(&mut self, by: isize) {
        let Some((at, all)) = self.hunk_position() else { return };
        let here = self.current.map_or(0, |(file, hunk)| self.row_of_hunk(file, hunk));
        // Between hunks, the one it is nearest to is itself the next one, or the previous one.
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

    /// To the next (`1`) or previous (`-1`) file.
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

    /// To the row of the window under a click.
    pub(crate) fn click(&mut self, y: u16) {
        let mut left = usize::from(y) + self.top.sub;
        let mut row = self.top.row;
        while row + 1 < self.row_count() && left >= self.row_height(row) {
            left -= self.row_height(row);
            row += 1;
        }
        self.go_to_row(row);
    }

    /// Scrolls as little as possible so that the cursor's row is in view, with some around it.
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

    /// Rows of the window between its top and the cursor's row, which is not above it.
    fn rows_above_cursor(&self) -> usize {
        let rows: usize = (self.top.row..self.cursor).map(|row| self.row_height(row)).sum();
        rows.saturating_sub(self.top.sub)
    }

    /// What is scrolled takes the cursor along, so that it stays where one looks.
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

    /// The rows of the window that show the cursor's row.
    pub(crate) fn cursor_rows(&self) -> Range<usize> {
        if self.cursor < self.top.row || self.cursor > self.top.row + usize::from(self.height) {
            return 0..0;
        }
        let start: usize = (self.top.row..self.cursor).map(|row| self.row_height(row)).sum();
        let end = start + self.row_height(self.cursor);
        let height = usize::from(self.height);
        start.saturating_sub(self.top.sub).min(height)..end.saturating_sub(self.top.sub).min(height)
    }

    // --- what it is on ---

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

    /// The hunk of a row, or the nearest of its file.
    pub(super) fn nearest_hunk(&self, row: usize) -> Option<(usize, usize)> {
        let file = self.file_of_row(row)?;
        let rows = self.first_row_of(file)..self.first_row_of(file + 1);
        // Of two that are as near, the one that was read last.
        let around = (0..NEAR).flat_map(|far| [row.checked_sub(far), row.checked_add(far)]);
        let mut around = around.flatten().filter(|row| rows.contains(row));
        let found = around.find_map(|row| self.hunk_of_row(row));
        found.or_else(|| self.hunk_far_from(file, row))
    }

    /// The hunk of a file that is nearest to a row of it, however far away; of a file without any, what stands for all of it.
    fn hunk_far_from(&self, file: usize, row: usize) -> Option<(usize, usize)> {
        let diff = self.files.get(file)?;
        let head = self.first_row_of(file) + diff.head_rows();
        let rows = diff.rows(self.layout).iter().enumerate();
        let of_hunks = rows.filter_map(|(at, of)| Some((head + at, of.hunk()?)));
        let nearest = of_hunks.min_by_key(|(at, _)| (at.abs_diff(row), *at));
        let hunk = nearest.map_or(0, |(_, hunk)| hunk);
        (!diff.kept.is_empty()).then_some((file, hunk))
    }

    /// The lines under the cursor: of a pair the new one first.
    pub(crate) fn lines_at_cursor(&self) -> Option<(usize, Vec<Line>)> {
        match self.row(self.cursor)? {
            LogicalRow::Lines { file, left, right, .. } => {
                let lines = right.map(Line::After).into_iter().chain(left.map(Line::Before));
                Some((file, lines.collect()))
            }
            LogicalRow::File(_) | LogicalRow::Note(_) | LogicalRow::Folded(_) => None,
        }
    }

    /// What the hunk under the cursor puts in; `None`: nothing.
    pub(crate) fn new_text(&self) -> Option<String> {
        let (sides, hunk) = self.hunk_at_cursor()?;
        joined(&sides.after, hunk.after.clone())
    }

    /// What the hunk under the cursor takes out; `None`: nothing.
    pub(crate) fn old_text(&self) -> Option<String> {
        let (sides, hunk) = self.hunk_at_cursor()?;
        joined(&sides.before, hunk.before.clone())
    }

    fn hunk_at_cursor(&self) -> Option<(&Sides, &Hunk)> {
        let (file, hunk) = self.current?;
        let sides = self.files.get(file)?.sides();
        Some((sides, sides.hunks.get(hunk)?))
    }

    /// Where the line under the cursor stands in the text that is proposed, without what was dropped; 0-based.
    pub(crate) fn proposed_line(&self) -> usize {
        let file = self.file();
        let Some(diff) = self.files.get(file) else { return 0 };
        let head = self.first_row_of(file) + diff.head_rows();
        diff.proposed_lines(self.layout, self.cursor.saturating_sub(head))
    }

    /// To a line of the text that is proposed, or where it is folded away.
    pub(crate) fn go_to_line(&mut self, file: usize, line: usize) {
        let Some(diff) = self.files.get(file) else { return };
        let head = diff.head_rows();
        self.go_to_row(self.first_row_of(file) + head + diff.row_of_proposed(self.layout, line));
    }

    // --- keeping and dropping ---

    /// Keeps or drops the hunk under the cursor. `false`: it stays as it is, because this file can only be kept or dropped whole.
    pub(crate) fn toggle_hunk(&mut self) -> bool {
        let Some((file, hunk)) = self.current else { return true };
        self.files.get_mut(file).is_none_or(|diff| diff.toggle_hunk(hunk))
    }

    /// Keeps or drops the file under the cursor.
    pub(crate) fn toggle_file(&mut self) {
        let file = self.file();
        if let Some(diff) = self.files.get_mut(file) {
            diff.toggle();
        }
    }

    /// Keeps or drops the changed line under the cursor. `false`: there is none, or it cannot be taken out of its hunk.
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
