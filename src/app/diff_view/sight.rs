//! Chooses the current hunk. A hunk that is not visible must not be accepted or discarded. If any hunk has a changed
//! row in the viewport, the current hunk therefore has a changed row in the viewport.

use std::ops::Range;

use super::DiffView;

impl DiffView {
    /// Whether a changed row of the current hunk is visible. In a file without hunks, any row of the file counts.
    pub(crate) fn hunk_is_seen(&self) -> bool {
        let Some((file, hunk)) = self.current else { return true };
        let of = self.files.get(file);
        let has_rows = of.is_some_and(|diff| diff.is_text() && hunk < diff.sides().hunks.len());
        self.rows_in_view().any(|row| match has_rows {
            true => self.hunk_of_row(row) == Some((file, hunk)),
            false => self.file_of_row(row) == Some(file),
        })
    }

    pub(crate) fn bring_hunk(&mut self) {
        if let Some((file, hunk)) = self.current {
            self.go_to_hunk(file, hunk);
            self.hunk_into_view();
        }
    }

    /// Chooses the current hunk after a movement: the nearest visible hunk of the file, or else the nearest hunk.
    pub(super) fn mean_hunk(&mut self) {
        let row = self.cursor;
        let seen = self.file_of_row(row).and_then(|file| self.nearest_in_view(file));
        self.current = seen.or_else(|| self.nearest_hunk(row)).or(self.current);
    }

    pub(super) fn mean_what_is_seen(&mut self) {
        if !self.hunk_is_seen() {
            self.current = self.nearest_in_view(self.file()).or(self.current);
        }
    }

    fn nearest_in_view(&self, file: usize) -> Option<(usize, usize)> {
        let seen = self.rows_in_view();
        let seen = seen.filter_map(|row| Some((row, self.hunk_of_row(row)?)));
        let own = seen.filter(|(_, (of, _))| *of == file);
        // If two hunks are equally near, choose the hunk above.
        let nearest = own.min_by_key(|(row, _)| (row.abs_diff(self.cursor), *row));
        nearest.map(|(_, hunk)| hunk)
    }

    fn rows_in_view(&self) -> Range<usize> {
        let all = self.row_count();
        let room = usize::from(self.height) + self.top.sub;
        let (mut end, mut height) = (self.top.row, 0);
        while end < all && height < room {
            height += self.row_height(end);
            end += 1;
        }
        self.top.row..end
    }
}
