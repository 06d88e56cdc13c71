//! What of a hunk is in view where little room is: the lines around it give way first. The first look, a room that becomes smaller and a
//! step to another hunk move the view; whoever scrolled stays where they are for as long as their room does.

use std::ops::Range;

use super::cells::LogicalRow;
use super::{DiffLayout, DiffView, Position};

/// In more rows than this what stands above a hunk stays, however long the hunk is.
const FEW_ROWS: usize = 8;
/// From so many rows on one line above it says where it is.
const ONE_ABOVE_FROM: usize = 4;

/// Where a view stood in the room it had.
pub(super) struct Stood {
    top: Position,
    height: u16,
    looked_at: (u16, u16),
    /// It stands there again for who is on the same line, with the same rows.
    of: (usize, u16, DiffLayout),
}

impl DiffView {
    /// Something opened below it and takes room of it until that is left.
    pub(crate) fn give_way(&mut self) {
        if self.width > 0 && self.stood.is_none() {
            self.stood = Some(Stood {
                top: self.top,
                height: self.height,
                looked_at: self.looked_at,
                of: (self.cursor, self.width, self.layout),
            });
        }
    }

    /// It has its room again and stands where it stood, with what was written about its line meanwhile.
    pub(crate) fn stand_again(&mut self) {
        let now = (self.cursor, self.width, self.layout);
        let Some(stood) = self.stood.take().filter(|stood| stood.of == now) else {
            return;
        };
        (self.top, self.height, self.looked_at) = (stood.top, stood.height, stood.looked_at);
        if self.row_height(self.cursor) <= usize::from(self.height) && self.beyond().1 > 0 {
            self.follow_cursor();
        }
    }

    /// Brings the hunk under the cursor into view, where this is the first look or there is less room than there was.
    pub(crate) fn keep_hunk_in_view(&mut self) {
        let now = (self.width, self.height);
        let before = std::mem::replace(&mut self.looked_at, now);
        if now.0 < before.0 || now.1 < before.1 {
            self.hunk_into_view();
        }
    }

    /// Scrolls down as little as possible so that the hunk under the cursor is in view whole, or else from its beginning, with a row of
    /// what it puts in where there can be one.
    pub(super) fn hunk_into_view(&mut self) {
        let height = usize::from(self.height.max(1));
        let Some(hunk) = self.rows_around_cursor(height) else {
            return;
        };
        let all = self.tall(hunk.clone());
        let lead = match all <= height {
            true => height - all,
            false if height > FEW_ROWS => height,
            false => usize::from(height >= ONE_ABOVE_FROM),
        };
        // Down to the first row of what is put in.
        let added = hunk.clone().find(|row| self.puts_in(*row));
        let both = added.map_or(1, |row| self.tall(hunk.start..row) + 1);
        // Of a line that would fit alone, one row less.
        let own = self.row_height(self.cursor);
        let torn = usize::from(self.cursor == hunk.start && both == height + 1 && own == height && own > 1);
        let lead = lead.min(height.saturating_sub(both));
        if self.top.row <= hunk.start {
            let above = self.tall(self.top.row..hunk.start);
            self.down((above + torn).saturating_sub(self.top.sub + lead));
        }
    }

    /// Rows of the window that the hunk under the cursor needs, of `most` there can be.
    pub(crate) fn hunk_rows(&self, most: u16) -> u16 {
        let hunk = self.rows_around_cursor(usize::from(most));
        let rows = hunk.map_or(0, |hunk| self.tall(hunk));
        u16::try_from(rows).unwrap_or(u16::MAX).min(most)
    }

    /// The rows of the hunk that the cursor is on, of a file that had lines before and has some after; none that are out of reach of a window
    /// of this height.
    fn rows_around_cursor(&self, height: usize) -> Option<Range<usize>> {
        let hunk = self.hunk_of_row(self.cursor)?;
        self.files.get(hunk.0).filter(|file| file.has_two_sides())?;
        let is_of = |row: &usize| self.hunk_of_row(*row) == Some(hunk);
        let above = (self.cursor.saturating_sub(height)..self.cursor).rev();
        let below = self.cursor..=self.cursor + height;
        let start = above.take_while(is_of).last().unwrap_or(self.cursor);
        let end = below.take_while(is_of).last().unwrap_or(self.cursor) + 1;
        Some(start..end)
    }

    fn tall(&self, rows: Range<usize>) -> usize {
        rows.map(|row| self.row_height(row)).sum()
    }

    fn puts_in(&self, row: usize) -> bool {
        matches!(self.row(row), Some(LogicalRow::Lines { right: Some(_), .. }))
    }
}
