//! A diff on screen: one or more files, side by side or unified, wrapped or not, with scroll arithmetic.
//!
//! Rows are computed once; how high a row is under wrap, only for the rows that are looked at. Left and right of a row
//! have the same height, so they stay aligned at every width.

pub(crate) mod cells;
pub(crate) mod file;

use std::ops::Range;

use crate::domain::review::FileChange;
pub(crate) use file::DiffFile;

/// Below this width the columns of a side-by-side diff would be too narrow to read. A window of 110 columns has so many beside a border.
const SIDE_BY_SIDE_FROM: u16 = 108;
/// A diff with more rows than this fills any window.
const MANY_ROWS: usize = 200;
/// Equal lines around a hunk.
const CONTEXT: usize = 4;

/// The whole view: build with `new`, size with `arrange`, read with `screen_rows`.
pub(crate) struct DiffView {
    pub(crate) files: Vec<DiffFile>,
    pub(crate) wrap: bool,
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// The hunk the cursor is on: file, then hunk of that file.
    pub(crate) current: Option<(usize, usize)>,
    /// What the person asked for with `u` in this diff; otherwise the width decides.
    chosen: Option<DiffLayout>,
    /// What they asked for in another one.
    preferred: Option<DiffLayout>,
    layout: DiffLayout,
    /// The row at the top, and how many of its wrapped rows are above the view.
    top: Position,
    /// Columns scrolled to the right, while lines are not wrapped.
    left: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiffLayout {
    SideBySide,
    Unified,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Position {
    row: usize,
    sub: usize,
}

/// How the columns of the view divide its width; the same for every row.
///
/// Side by side: `number` digits, space, sign, space, `text`, one column for the line between, and the same again.
/// Unified: two times `number` digits with a space after each, sign, space, `text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) number: usize,
    pub(crate) text: usize,
}

/// One row of the screen, ready to paint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScreenRow {
    /// The first row of a file, by its index in `files`.
    File(usize),
    /// Unchanged lines that are folded away.
    Folded { lines: usize },
    /// `matched after ignoring white space`, `not text: 2,048 bytes`.
    Note(String),
    /// Side by side: each side, where it has a line. Unified: a removed row has only `left`, an added row only `right`,
    /// an equal row both, of which `right` carries the text and `left` only its number.
    Lines {
        file: usize,
        left: Option<SideCell>,
        right: Option<SideCell>,
        /// The hunk it belongs to, by index in `DiffFile::kept`.
        hunk: Option<usize>,
    },
}

/// One side of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SideCell {
    /// The line's number from 1; `None` on the further rows of a wrapped line.
    pub(crate) number: Option<usize>,
    /// The line's index from 0, for highlighting.
    pub(crate) line: usize,
    pub(crate) kind: CellKind,
    /// Tabs expanded, hostile characters made visible, no wider than the column.
    pub(crate) text: String,
    /// The byte of the whole shown line at which `text` begins.
    pub(crate) start: usize,
    /// Bytes of `text` that changed within the line.
    pub(crate) changed: Vec<Range<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellKind {
    Same,
    Added,
    Removed,
}

impl DiffView {
    pub(crate) fn new(changes: &[FileChange]) -> Self {
        let mut view = Self {
            files: changes.iter().map(|change| DiffFile::new(change, CONTEXT)).collect(),
            wrap: true,
            width: 0,
            height: 0,
            current: None,
            chosen: None,
            preferred: None,
            layout: DiffLayout::Unified,
            top: Position::default(),
            left: 0,
        };
        let first = view.hunks().next();
        view.current = first;
        view
    }

    pub(crate) fn layout(&self) -> DiffLayout {
        self.layout
    }

    /// Every hunk: its file, then its index in that file.
    fn hunks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let files = self.files.iter().enumerate();
        files.flat_map(|(file, diff)| (0..diff.kept.len()).map(move |hunk| (file, hunk)))
    }

    /// Which hunk the cursor is on and how many there are, from 1.
    pub(crate) fn hunk_position(&self) -> Option<(usize, usize)> {
        let current = self.current?;
        let at = self.hunks().position(|hunk| hunk == current)?;
        Some((at + 1, self.hunks().count()))
    }

    /// Added and removed lines of all files.
    pub(crate) fn counts(&self) -> (u32, u32) {
        let sum = |of: fn(&DiffFile) -> u32| self.files.iter().map(of).sum();
        (sum(|file| file.added), sum(|file| file.removed))
    }

    /// Whether any file has two sides: of a new or a deleted file one half would be empty.
    fn compares(&self) -> bool {
        self.files.iter().any(|file| file.has_two_sides())
    }

    /// Fits the view into a rectangle; the row at the top stays.
    pub(crate) fn arrange(&mut self, width: u16, height: u16) {
        let fits = width >= SIDE_BY_SIDE_FROM && self.compares();
        let by_width = if fits {
            DiffLayout::SideBySide
        } else {
            DiffLayout::Unified
        };
        let preferred = self.preferred.filter(|_| fits);
        let layout = self.chosen.or(preferred).unwrap_or(by_width);
        if layout != self.layout {
            let line = self.top_line();
            self.layout = layout;
            self.top = Position {
                row: line.map_or(0, |line| self.row_of_line(line)),
                sub: 0,
            };
        }
        if width != self.width {
            self.width = width;
            self.top.sub = self.top.sub.min(self.row_height(self.top.row).saturating_sub(1));
        }
        self.height = height;
        self.stay_inside();
    }

    /// Answers with what is asked for now.
    pub(crate) fn toggle_layout(&mut self) -> DiffLayout {
        let other = match self.layout {
            DiffLayout::SideBySide => DiffLayout::Unified,
            DiffLayout::Unified => DiffLayout::SideBySide,
        };
        self.chosen = Some(other);
        self.arrange(self.width, self.height);
        other
    }

    /// What the person asked for in another diff holds here, too, where there is room for both.
    pub(crate) fn prefer(&mut self, layout: Option<DiffLayout>) {
        self.preferred = layout;
    }

    pub(crate) fn toggle_wrap(&mut self) {
        self.wrap = !self.wrap;
        self.left = 0;
        self.top.sub = 0;
        self.stay_inside();
    }

    // --- moving ---

    pub(crate) fn scroll(&mut self, rows: isize) {
        if rows < 0 {
            self.up(rows.unsigned_abs());
        } else {
            self.down(rows.unsigned_abs());
        }
    }

    pub(crate) fn page(&mut self, pages: isize) {
        let rows = isize::try_from(self.height.saturating_sub(1).max(1)).unwrap_or(1);
        self.scroll(pages * rows);
    }

    pub(crate) fn jump_top(&mut self) {
        self.top = Position::default();
    }

    pub(crate) fn jump_end(&mut self) {
        self.top = self.last_top();
    }

    /// Moves unwrapped lines sideways.
    pub(crate) fn sideways(&mut self, columns: isize) {
        if !self.wrap {
            self.left = self.left.saturating_add_signed(columns).min(4_000);
        }
    }

    /// To the next (`1`) or previous (`-1`) hunk, which comes a few rows below the top.
    pub(crate) fn step_hunk(&mut self, by: isize) {
        let hunks: Vec<_> = self.hunks().collect();
        let Some(last) = hunks.len().checked_sub(1) else { return };
        let now = self
            .current
            .and_then(|current| hunks.iter().position(|hunk| *hunk == current));
        let next = now.map_or(0, |now| now.saturating_add_signed(by).min(last));
        self.current = hunks.get(next).copied();
        if let Some((file, hunk)) = self.current {
            self.top = Position {
                row: self.row_of_hunk(file, hunk),
                sub: 0,
            };
            self.up(2);
            self.stay_inside();
        }
    }

    /// Keeps or drops the hunk under the cursor.
    pub(crate) fn toggle_hunk(&mut self) {
        if let Some((file, hunk)) = self.current
            && let Some(kept) = self.files.get_mut(file).and_then(|file| file.kept.get_mut(hunk))
        {
            *kept = !*kept;
        }
    }

    /// Puts the person's text in the place of a file's proposal.
    pub(crate) fn replace(&mut self, file: usize, text: String) {
        if let Some(diff) = self.files.get_mut(file) {
            diff.replace(text);
        }
        let first = self.hunks().next();
        self.current = first;
        self.stay_inside();
    }

    fn up(&mut self, mut rows: usize) {
        while rows > 0 {
            if self.top.sub > 0 {
                let step = self.top.sub.min(rows);
                self.top.sub -= step;
                rows -= step;
            } else if self.top.row > 0 {
                self.top.row -= 1;
                self.top.sub = self.row_height(self.top.row).saturating_sub(1);
                rows -= 1;
            } else {
                return;
            }
        }
    }

    fn down(&mut self, mut rows: usize) {
        let last = self.last_top();
        while rows > 0 && self.top < last {
            let left = self.row_height(self.top.row).saturating_sub(self.top.sub);
            if rows >= left {
                rows -= left;
                self.top = Position {
                    row: self.top.row + 1,
                    sub: 0,
                };
            } else {
                self.top.sub += rows;
                rows = 0;
            }
        }
        self.top = self.top.min(last);
    }

    /// The position at which the last row stands at the bottom. Looks at one screen of rows.
    fn last_top(&self) -> Position {
        let mut room = usize::from(self.height.max(1));
        let mut row = self.row_count();
        while row > 0 {
            let height = self.row_height(row - 1);
            if height >= room {
                return Position {
                    row: row - 1,
                    sub: height - room,
                };
            }
            room -= height;
            row -= 1;
        }
        Position::default()
    }

    fn stay_inside(&mut self) {
        self.top = self.top.min(self.last_top());
    }

    /// Rows that show all of it, where it is small enough to ask; more than any screen has otherwise.
    pub(crate) fn rows_wanted(&self) -> usize {
        let rows = self.row_count();
        if rows > MANY_ROWS {
            return rows;
        }
        (0..rows).map(|row| self.row_height(row)).sum()
    }

    /// For a scroll bar: the first row in view and how many rows there are, wrapping left aside.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.top.row, self.row_count())
    }
}

#[cfg(test)]
mod tests;
