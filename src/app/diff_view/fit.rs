//! Scrolling that keeps the current hunk visible in small viewports. The view scrolls to the hunk at the first layout,
//! when the viewport shrinks, and after a step to another hunk. Otherwise the user's scroll position stays.

use std::ops::Range;

use super::cells::LogicalRow;
use super::{DiffLayout, DiffView, Position};

/// Viewport height above which rows before a hunk stay visible, even if the hunk does not fit.
const FEW_ROWS: usize = 8;
const ONE_ABOVE_FROM: usize = 4;

pub(super) struct Stood {
    top: Position,
    height: u16,
    looked_at: (u16, u16),
    /// Cursor row, width and layout when the position was stored. If one has changed, the position is not restored.
    of: (usize, u16, DiffLayout),
}

impl DiffView {
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

    /// Restores the scroll position. Adjusts it for comments that were added in the meantime.
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

    pub(crate) fn keep_hunk_in_view(&mut self) {
        let now = (self.width, self.height);
        let before = std::mem::replace(&mut self.looked_at, now);
        if now.0 < before.0 || now.1 < before.1 {
            self.hunk_into_view();
        }
    }

    /// Scrolls down as little as possible to show the current hunk. If the hunk is too long, shows its start and, if
    /// possible, its first added row.
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
        let added = hunk.clone().find(|row| self.puts_in(*row));
        let both = added.map_or(1, |row| self.tall(hunk.start..row) + 1);
        // If the removed line fills the viewport, hide one of its wrapped rows to make room for the added row.
        let own = self.row_height(self.cursor);
        let torn = usize::from(self.cursor == hunk.start && both == height + 1 && own == height && own > 1);
        let lead = lead.min(height.saturating_sub(both));
        if self.top.row <= hunk.start {
            let above = self.tall(self.top.row..hunk.start);
            self.down((above + torn).saturating_sub(self.top.sub + lead));
        }
    }

    pub(crate) fn hunk_rows(&self, most: u16) -> u16 {
        let hunk = self.rows_around_cursor(usize::from(most));
        let rows = hunk.map_or(0, |hunk| self.tall(hunk));
        u16::try_from(rows).unwrap_or(u16::MAX).min(most)
    }

    /// Returns the rows of the current hunk, at most `height` on each side of the cursor. `None` for one-sided files.
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
