//! The list of files beside a diff of several: where it stands, and what it names.

use ratatui::layout::Rect;

use super::{DiffView, SIDE_BY_SIDE_FROM};
use crate::app::names::shortened;
use crate::base::text::width as columns;

/// Columns of the list, at the least and at the most; one more is the line between.
const LIST: (u16, u16) = (30, 70);
/// Columns of a row beside the name: its sign before, and behind what the file changes.
const BESIDE_NAME: u16 = 14;

impl DiffView {
    /// The list, where there is room for both and more than one file; and the diff.
    pub(crate) fn list_and_diff(&self, area: Rect) -> (Option<Rect>, Rect) {
        if self.files.len() < 2 || area.width < SIDE_BY_SIDE_FROM + LIST.0 + 1 {
            return (None, area);
        }
        let width = self.list_width(area.width - SIDE_BY_SIDE_FROM - 1);
        let list = Rect { width, ..area };
        let diff = Rect {
            x: area.x + width + 1,
            width: area.width - width - 1,
            ..area
        };
        (Some(list), diff)
    }

    /// As wide as the longest name wants, as far as the two sides of the diff leave room.
    fn list_width(&self, room: u16) -> u16 {
        let longest = self.files.iter().map(|file| columns(&file.path)).max().unwrap_or(0);
        let wanted = u16::try_from(longest).unwrap_or(u16::MAX).saturating_add(BESIDE_NAME);
        wanted.clamp(LIST.0, LIST.1).min(room)
    }

    /// The file whose row comes first in a list of so many rows: the one with the cursor is in the middle where it can be.
    pub(crate) fn first_listed(&self, rows: usize) -> usize {
        let last = self.files.len().saturating_sub(rows);
        self.file().saturating_sub(rows / 2).min(last)
    }

    /// The names of `count` files from the `first` on, each in at most `columns`.
    pub(crate) fn names(&self, first: usize, count: usize, columns: usize) -> Vec<String> {
        let paths: Vec<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        let end = paths.len().min(first + count);
        shortened(&paths, first.min(end)..end, columns)
    }
}
