//! A diff of one or more files, side by side or unified, with wrapping and scrolling.
//!
//! Rows are computed once. Their wrapped heights are computed only for visible rows. Both sides of a row have the same
//! height, so they stay aligned.

mod anew;
pub(crate) mod cells;
mod comments;
mod cursor;
pub(crate) mod file;
mod find;
mod fit;
mod folds;
mod laid;
mod list;
mod marking;
mod sight;

use std::collections::BTreeMap;
use std::ops::Range;

use regex::Regex;

use crate::find::FindLine;
pub(crate) use anew::Moves;
use benchdog_diff::Line;
use benchdog_domain::review::FileChange;
pub use benchdog_domain::view::{DiffLayout, DiffLayouts, DiffRoom};
use comments::Comment;
pub use file::{DiffFile, Mark};
pub use find::MOST_COUNTED;
use fit::Stood;

/// Minimum width for two readable columns. A window of 110 columns has this width inside its border.
const SIDE_BY_SIDE_FROM: u16 = 108;

fn room(width: u16) -> DiffRoom {
    if width >= SIDE_BY_SIDE_FROM {
        DiffRoom::Wide
    } else {
        DiffRoom::Narrow
    }
}

/// Number of rows from which a diff is assumed to fill any window.
const MANY_ROWS: usize = 200;
const FARTHEST: usize = 4_000;
const CONTEXT: usize = 4;

pub struct DiffView {
    pub files: Vec<DiffFile>,
    pub wrap: bool,
    pub width: u16,
    pub height: u16,
    /// The size at which the current hunk was last scrolled into view.
    looked_at: (u16, u16),
    /// The scroll position to restore when the step below the diff (such as a comment field) is closed.
    stood: Option<Stood>,
    cursor: usize,
    /// The file and hunk at the cursor. If the cursor is between hunks, the nearest hunk of the file.
    pub current: Option<(usize, usize)>,
    pub find: Option<FindLine>,
    sought: Option<Regex>,
    comments: BTreeMap<(usize, Line), Comment>,
    /// The layout that the user chose with `u`. If `None`, the width decides.
    chosen: Option<DiffLayout>,
    preferred: DiffLayouts,
    layout: DiffLayout,
    /// The first visible row, and the number of its wrapped rows above the viewport.
    top: Position,
    left: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Position {
    row: usize,
    sub: usize,
}

type FileLine = (usize, Option<usize>, Option<usize>);

/// The column widths of all rows. A side-by-side row has `number` digits, space, sign, space and `text` for each side,
/// and a separator between the sides. A unified row has `number` digits and a space twice, then sign, space, `text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    pub number: usize,
    pub text: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScreenRow {
    File(usize),
    Folded {
        lines: usize,
    },
    Note(String),
    Comment(String),
    /// A row of lines. In the unified layout, removed rows have only `left`, and added rows only `right`. Unchanged
    /// rows have both, but `left` then contributes only the line number.
    Lines {
        file: usize,
        left: Option<SideCell>,
        right: Option<SideCell>,
        /// Index in `DiffFile::kept`.
        hunk: Option<usize>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideCell {
    /// The line number, from 1. `None` for all but the first row of a wrapped line.
    pub number: Option<usize>,
    pub line: usize,
    pub kind: CellKind,
    pub text: String,
    pub before: usize,
    pub start: usize,
    /// Whether a part of the line is not shown, because it is too wide without wrapping or exceeds the size limit.
    pub cut: bool,
    /// Byte ranges of `text` to emphasise. If ranges overlap, the later range wins.
    pub marked: Vec<(Why, Range<usize>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    Changed,
    Found,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    Same,
    Added,
    Removed,
}

impl DiffView {
    pub fn new(changes: &[FileChange]) -> Self {
        let mut view = Self {
            files: changes.iter().map(|change| DiffFile::new(change, CONTEXT)).collect(),
            wrap: true,
            width: 0,
            height: 0,
            // No viewport has this size, so the first layout scrolls to the hunk.
            looked_at: (u16::MAX, u16::MAX),
            stood: None,
            cursor: 0,
            current: None,
            find: None,
            sought: None,
            comments: BTreeMap::new(),
            chosen: None,
            preferred: DiffLayouts::default(),
            layout: DiffLayout::Unified,
            top: Position::default(),
            left: 0,
        };
        view.go_to_first();
        view
    }

    pub fn layout(&self) -> DiffLayout {
        self.layout
    }

    pub fn counts(&self) -> (u32, u32) {
        let each = self.files.iter().map(DiffFile::counts);
        each.fold((0, 0), |(added, removed), of| (added + of.0, removed + of.1))
    }

    fn compares(&self) -> bool {
        self.files.iter().any(|file| file.has_two_sides())
    }

    /// Sets whether a title above the diff shows the name of its only file. The diff then omits that name.
    pub(crate) fn named_above(&mut self, is_named: bool) {
        let [file] = self.files.as_mut_slice() else { return };
        if !file.named_above(is_named) {
            return;
        }
        let by = if file.has_name_row() { 1 } else { -1 };
        self.move_along(by);
    }

    fn move_along(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by);
        if self.top.row > 0 {
            self.top.row = self.top.row.saturating_add_signed(by);
        }
    }

    pub fn arrange(&mut self, width: u16, height: u16) {
        let room = room(width);
        let preferred = self.preferred.at(room).unwrap_or(match room {
            DiffRoom::Wide => DiffLayout::SideBySide,
            DiffRoom::Narrow => DiffLayout::Unified,
        });
        let layout = self.chosen.unwrap_or(match self.compares() {
            true => preferred,
            false => DiffLayout::Unified,
        });
        if layout != self.layout {
            let at_start = self.top == Position::default();
            let top = if at_start { None } else { self.line_from(self.top.row) };
            let cursor = self.first_line().or_else(|| self.line_from(self.cursor));
            self.layout = layout;
            let row_of = |line: Option<_>| line.map_or(0, |line| self.row_of_line(line));
            let (top, cursor) = (row_of(top), row_of(cursor));
            self.top = Position { row: top, sub: 0 };
            self.cursor = cursor;
        }
        if width != self.width {
            self.width = width;
            self.top.sub = self.top.sub.min(self.row_height(self.top.row).saturating_sub(1));
        }
        self.height = height.saturating_sub(u16::from(self.find.is_some()));
        self.stay_inside();
        if self.cursor_rows().is_empty() {
            self.follow_cursor();
        }
        self.mean_what_is_seen();
    }

    pub(crate) fn toggle_layout(&mut self) -> (DiffRoom, DiffLayout) {
        let other = match self.layout {
            DiffLayout::SideBySide => DiffLayout::Unified,
            DiffLayout::Unified => DiffLayout::SideBySide,
        };
        self.chosen = Some(other);
        let height = self.height + u16::from(self.find.is_some());
        self.arrange(self.width, height);
        (room(self.width), other)
    }

    pub(crate) fn prefer(&mut self, layouts: DiffLayouts) {
        self.preferred = layouts;
    }

    pub(crate) fn toggle_wrap(&mut self) {
        self.wrap = !self.wrap;
        self.left = 0;
        self.top.sub = 0;
        self.follow_cursor();
    }

    pub(crate) fn scroll(&mut self, rows: isize) {
        if rows < 0 {
            self.up(rows.unsigned_abs());
        } else {
            self.down(rows.unsigned_abs());
        }
        self.cursor_into_view();
    }

    pub(crate) fn sideways(&mut self, columns: isize) {
        if !self.wrap {
            self.left = self.left.saturating_add_signed(columns).min(FARTHEST);
        }
    }

    pub(crate) fn replace(&mut self, file: usize, text: String) {
        self.stood = None;
        if let Some(diff) = self.files.get_mut(file) {
            let before = diff.sides().after.bytes().clone();
            diff.replace(text);
            let hunks = benchdog_diff::hunks(before, diff.sides().after.bytes());
            self.move_comments(file, &hunks);
        }
        self.go_to_file(file);
    }

    fn go_to_first(&mut self) {
        let first = self.hunks().next();
        self.current = first;
        if let Some(file) = self.files.first() {
            let above = file.first_hunk().map_or(0, |(above, ..)| above);
            self.cursor = file.head_rows() + above;
        }
    }

    /// Returns the first line of the first hunk. Called before the first layout, so no rows are computed.
    fn first_line(&self) -> Option<FileLine> {
        let file = self.files.first().filter(|_| self.width == 0)?;
        let (above, before, after) = file.first_hunk()?;
        (self.cursor == file.head_rows() + above).then_some((0, before, after))
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

    /// Returns the maximum scroll position. Computes only the heights of the last screenful.
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

    /// Returns the number of rows needed to show everything. For a long diff, a lower bound is returned.
    pub(crate) fn rows_wanted(&self) -> usize {
        // The exact number would require the layout of a huge diff.
        let changed = |file: &DiffFile| file.added.max(file.removed) as usize;
        let changed: usize = self.files.iter().map(changed).sum();
        if changed > MANY_ROWS {
            return changed;
        }
        let rows = self.row_count();
        if rows > MANY_ROWS {
            return rows;
        }
        (0..rows).map(|row| self.row_height(row)).sum()
    }

    pub fn progress(&self) -> (usize, usize) {
        (self.top.row, self.row_count())
    }
}

#[cfg(test)]
mod tests;
