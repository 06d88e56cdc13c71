//! The list of files beside a diff of several: where it stands, and what it names.

use ratatui::layout::Rect;

use super::{DiffView, SIDE_BY_SIDE_FROM};
use crate::app::names::shortened;

/// Columns of the list; one more is the line between.
const LIST: u16 = 30;

impl DiffView {
    /// The list, where there is room for both and more than one file; and the diff.
    pub(crate) fn list_and_diff(&self, area: Rect) -> (Option<Rect>, Rect) {
        if self.files.len() < 2 || area.width < SIDE_BY_SIDE_FROM + LIST + 1 {
            return (None, area);
        }
        let list = Rect { width: LIST, ..area };
        let diff = Rect {
            x: area.x + LIST + 1,
            width: area.width - LIST - 1,
            ..area
        };
        (Some(list), diff)
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
