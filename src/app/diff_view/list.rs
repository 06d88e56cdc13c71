//! The list of files next to a diff.

use ratatui::layout::Rect;

use super::{DiffView, SIDE_BY_SIDE_FROM};
use crate::names::shortened;
use benchdog_base::text::width as columns;

/// Minimum and maximum width of the list, without the separator line.
const LIST: (u16, u16) = (30, 70);
const BESIDE_NAME: u16 = 14;

impl DiffView {
    /// Returns the areas of list and diff. The list is omitted for a single file and in a narrow window.
    pub fn list_and_diff(&self, area: Rect) -> (Option<Rect>, Rect) {
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

    fn list_width(&self, room: u16) -> u16 {
        let longest = self.files.iter().map(|file| columns(&file.path)).max().unwrap_or(0);
        let wanted = u16::try_from(longest).unwrap_or(u16::MAX).saturating_add(BESIDE_NAME);
        wanted.clamp(LIST.0, LIST.1).min(room)
    }

    pub fn first_listed(&self, rows: usize) -> usize {
        let last = self.files.len().saturating_sub(rows);
        self.file().saturating_sub(rows / 2).min(last)
    }

    pub fn names(&self, first: usize, count: usize, columns: usize) -> Vec<String> {
        let paths: Vec<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        let end = paths.len().min(first + count);
        shortened(&paths, first.min(end)..end, columns)
    }
}
