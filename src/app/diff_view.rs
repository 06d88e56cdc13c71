//! A diff on screen: one or more files, side by side or unified, wrapped or not, with scroll arithmetic.
//!
//! Rows are computed once; how high a row is under wrap, only for the rows that are looked at. Left and right of a row
//! have the same height, so they stay aligned at every width.

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

use crate::app::find::FindLine;
use crate::diff::Line;
use crate::domain::review::FileChange;
pub(crate) use crate::domain::view::{DiffLayout, DiffLayouts, DiffRoom};
pub(crate) use anew::Moves;
use comments::Comment;
pub(crate) use file::{DiffFile, Mark};
pub(crate) use find::MOST_COUNTED;
use fit::Stood;

/// Below this width the columns of a side-by-side diff would be too narrow to read. A window of 110 columns has so many beside a border.
const SIDE_BY_SIDE_FROM: u16 = 108;

fn room(width: u16) -> DiffRoom {
    if width >= SIDE_BY_SIDE_FROM {
        DiffRoom::Wide
    } else {
        DiffRoom::Narrow
    }
}

/// A diff with more rows than this fills any window.
const MANY_ROWS: usize = 200;
/// Columns that unwrapped lines move sideways at most.
const FARTHEST: usize = 4_000;
/// Equal lines around a hunk.
const CONTEXT: usize = 4;

/// The whole view: build with `new`, size with `arrange`, read with `screen_rows`.
pub(crate) struct DiffView {
    pub(crate) files: Vec<DiffFile>,
    pub(crate) wrap: bool,
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// The columns and rows in which the hunk under the cursor was brought into view last.
    looked_at: (u16, u16),
    /// Where it stood before it gave room to something below it.
    stood: Option<Stood>,
    /// The row one looks at.
    cursor: usize,
    /// The hunk the cursor is on, or the nearest in its file: file, then hunk of that file.
    pub(crate) current: Option<(usize, usize)>,
    /// The find line, while it is open.
    pub(crate) find: Option<FindLine>,
    /// What was looked for last.
    sought: Option<Regex>,
    /// What the person says about lines, by file and line.
    comments: BTreeMap<(usize, Line), Comment>,
    /// What the person asked for with `u` in this diff; otherwise the width decides.
    chosen: Option<DiffLayout>,
    /// What they asked for in another one.
    preferred: DiffLayouts,
    layout: DiffLayout,
    /// The row at the top, and how many of its wrapped rows are above the view.
    top: Position,
    /// Columns scrolled to the right, while lines are not wrapped.
    left: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Position {
    row: usize,
    sub: usize,
}

/// A file, and a line of either of its sides.
type FileLine = (usize, Option<usize>, Option<usize>);

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
    /// What the person says about the line above.
    Comment(String),
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
    /// Columns before it: the further rows of a wrapped line stand as deep as the line.
    pub(crate) before: usize,
    /// The byte of the whole shown line at which `text` begins.
    pub(crate) start: usize,
    /// The line has more, in no row: it is not wrapped, and wider than the column, or longer than what is laid out of a line.
    pub(crate) cut: bool,
    /// Bytes of `text` that stand out; what comes later lies over what comes before.
    pub(crate) marked: Vec<(Why, Range<usize>)>,
}

/// Why some words of a line stand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    Changed,
    /// They are what is looked for.
    Found,
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
            // The first look has less room than this.
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

    pub(crate) fn layout(&self) -> DiffLayout {
        self.layout
    }

    /// Lines that would be added and removed in all files.
    pub(crate) fn counts(&self) -> (u32, u32) {
        let each = self.files.iter().map(DiffFile::counts);
        each.fold((0, 0), |(added, removed), of| (added + of.0, removed + of.1))
    }

    /// Whether any file has two sides: of a new or a deleted file one half would be empty.
    fn compares(&self) -> bool {
        self.files.iter().any(|file| file.has_two_sides())
    }

    /// Whether the title above names the only file whole, so that no row here has to.
    pub(crate) fn named_above(&mut self, is_named: bool) {
        let [file] = self.files.as_mut_slice() else { return };
        if !file.named_above(is_named) {
            return;
        }
        let by = if file.has_name_row() { 1 } else { -1 };
        self.move_along(by);
    }

    /// So many rows more stand at the beginning: what is looked at stays in view.
    fn move_along(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by);
        if self.top.row > 0 {
            self.top.row = self.top.row.saturating_add_signed(by);
        }
    }

    /// Fits the view into a rectangle; the row at the top stays.
    pub(crate) fn arrange(&mut self, width: u16, height: u16) {
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
        // The find line has the last row.
        self.height = height.saturating_sub(u16::from(self.find.is_some()));
        self.stay_inside();
        if self.cursor_rows().is_empty() {
            self.follow_cursor();
        }
        self.mean_what_is_seen();
    }

    /// Answers with what is asked for now, and for which room.
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

    /// What the person asked for in another diff holds here, too, where there are two sides.
    pub(crate) fn prefer(&mut self, layouts: DiffLayouts) {
        self.preferred = layouts;
    }

    pub(crate) fn toggle_wrap(&mut self) {
        self.wrap = !self.wrap;
        self.left = 0;
        self.top.sub = 0;
        self.follow_cursor();
    }

    // --- moving ---

    pub(crate) fn scroll(&mut self, rows: isize) {
        if rows < 0 {
            self.up(rows.unsigned_abs());
        } else {
            self.down(rows.unsigned_abs());
        }
        self.cursor_into_view();
    }

    /// Moves unwrapped lines sideways.
    pub(crate) fn sideways(&mut self, columns: isize) {
        if !self.wrap {
            self.left = self.left.saturating_add_signed(columns).min(FARTHEST);
        }
    }

    /// Puts the person's text in the place of a file's proposal.
    pub(crate) fn replace(&mut self, file: usize, text: String) {
        self.stood = None;
        if let Some(diff) = self.files.get_mut(file) {
            let before = diff.sides().after.bytes().clone();
            diff.replace(text);
            let hunks = crate::diff::hunks(before, diff.sides().after.bytes());
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

    /// The first line of the first hunk, while the cursor is on it and nothing was shown yet: to know it needs no rows.
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
        // So many rows there are at the least; those of a huge diff are not made only to be counted.
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

    /// For a scroll bar: the first row in view and how many rows there are, wrapping left aside.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.top.row, self.row_count())
    }
}

#[cfg(test)]
mod tests;
