//! Converts diff rows to cells of the screen: positions, wrapping, and changed words.

use std::ops::Range;
use std::sync::Arc;

use super::laid::Laid;
use super::{CellKind, Columns, DiffFile, DiffLayout, DiffView, FileLine, ScreenRow, SideCell, Why};
use benchdog_base::text::{grapheme_width, graphemes};
use benchdog_diff::{DiffRow, Line, split_end};

pub(super) enum LogicalRow<'a> {
    File(usize),
    Note(&'a str),
    Folded(usize),
    Lines {
        file: usize,
        left: Option<usize>,
        right: Option<usize>,
        hunk: Option<usize>,
    },
}

impl DiffView {
    pub fn columns(&self) -> Columns {
        let most = |file: &DiffFile| file.sides.before.len().max(file.sides.after.len());
        let lines = self.files.iter().map(most).max().unwrap_or(0);
        let number = lines.max(1).ilog10() as usize + 1;
        let number = number.max(3);
        let width = usize::from(self.width);
        let text = match self.layout {
            DiffLayout::SideBySide => (width.saturating_sub(1) / 2).saturating_sub(number + 3),
            DiffLayout::Unified => width.saturating_sub(2 * number + 4),
        };
        Columns {
            number,
            text: text.max(1),
        }
    }

    pub fn screen_rows(&self) -> Vec<ScreenRow> {
        let rows = self.placed_rows().into_iter().map(|(_, row)| row).collect();
        self.files.iter().for_each(DiffFile::painted);
        rows
    }

    pub(super) fn placed_rows(&self) -> Vec<(usize, ScreenRow)> {
        let height = usize::from(self.height);
        let mut out = Vec::with_capacity(height);
        let (mut row, all) = (self.top.row, self.row_count());
        while out.len() < height && row < all {
            let skip = if row == self.top.row { self.top.sub } else { 0 };
            let room = height - out.len();
            let painted = self.paint(row, skip..skip + room).into_iter();
            out.extend(painted.map(|painted| (row, painted)));
            row += 1;
        }
        out
    }

    fn paint(&self, row: usize, part: Range<usize>) -> Vec<ScreenRow> {
        let one = |row| if part.contains(&0) { vec![row] } else { Vec::new() };
        match self.row(row) {
            None => Vec::new(),
            Some(LogicalRow::File(file)) => one(ScreenRow::File(file)),
            Some(LogicalRow::Note(note)) => one(ScreenRow::Note(note.to_owned())),
            Some(LogicalRow::Folded(lines)) => one(ScreenRow::Folded { lines }),
            Some(LogicalRow::Lines {
                file,
                left,
                right,
                hunk,
            }) => {
                let (mut rows, above) = self.paint_lines((file, left, right), hunk, &part);
                let room = part.len() - rows.len();
                let comments = self.comment_rows(row).into_iter();
                let comments = comments.skip(part.start.saturating_sub(above)).take(room);
                rows.extend(comments.map(ScreenRow::Comment));
                rows
            }
        }
    }

    fn paint_lines(
        &self,
        (file, left, right): FileLine,
        hunk: Option<usize>,
        part: &Range<usize>,
    ) -> (Vec<ScreenRow>, usize) {
        let Some(diff) = self.files.get(file) else {
            return (Vec::new(), 0);
        };
        let columns = self.wrapped_at();
        let (old_changed, new_changed) = self.words(diff, hunk, left, right);
        let kind = |changed| if hunk.is_some() { changed } else { CellKind::Same };
        let cells = |line: Option<usize>, of: fn(usize) -> Line, kind, changed: &[Range<usize>]| {
            let Some(line) = line else { return (Vec::new(), 0) };
            let laid = diff.laid(of(line), columns);
            (self.cells(line, kind, &laid, changed, part), laid.rows.len())
        };
        let (mut lefts, mut height) = cells(left, Line::Before, kind(CellKind::Removed), &old_changed);
        let (rights, right_height) = cells(right, Line::After, kind(CellKind::Added), &new_changed);
        if self.layout == DiffLayout::Unified && hunk.is_none() {
            // In an unchanged row, the left cell shows only the line number. The right cell contains the text.
            lefts.retain(|cell| cell.number.is_some());
            lefts.iter_mut().for_each(|cell| cell.text.clear());
            height = height.min(1);
        }
        let shown = lefts.len().max(rights.len());
        let (mut lefts, mut rights) = (lefts.into_iter(), rights.into_iter());
        let rows = (0..shown).map(|_| ScreenRow::Lines {
            file,
            left: lefts.next(),
            right: rights.next(),
            hunk,
        });
        (rows.collect(), height.max(right_height))
    }

    fn words(
        &self,
        diff: &DiffFile,
        hunk: Option<usize>,
        left: Option<usize>,
        right: Option<usize>,
    ) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
        let Some(hunk) = hunk.and_then(|hunk| diff.sides.hunks.get(hunk)) else {
            return Default::default();
        };
        let changed = |before, after| diff.changed(before, after, self.wrapped_at());
        match (left, right) {
            (Some(before), Some(after)) => Arc::unwrap_or_clone(changed(before, after)),
            // In the unified layout, removed and added lines are paired in order if their counts are equal.
            (Some(line), None) if hunk.before.len() == hunk.after.len() => {
                let other = hunk.after.start + (line - hunk.before.start);
                (changed(line, other).0.clone(), Vec::new())
            }
            (None, Some(line)) if hunk.before.len() == hunk.after.len() => {
                let other = hunk.before.start + (line - hunk.after.start);
                (Vec::new(), changed(other, line).1.clone())
            }
            _ => Default::default(),
        }
    }

    fn wrapped_at(&self) -> Option<usize> {
        self.wrap.then(|| self.columns().text)
    }

    fn cells(
        &self,
        line: usize,
        kind: CellKind,
        laid: &Laid,
        changed: &[Range<usize>],
        part: &Range<usize>,
    ) -> Vec<SideCell> {
        let text = laid.text.as_str();
        let found = self.found(text);
        let (all, columns) = (laid.rows.len(), self.columns().text);
        let cell = |(n, row): (usize, &Range<usize>)| {
            let range = if self.wrap {
                row.clone()
            } else {
                window(text, self.left, columns)
            };
            let is_last = if self.wrap {
                n + 1 == all
            } else {
                range.end == text.len()
            };
            SideCell {
                number: (n == 0).then_some(line + 1),
                line,
                kind,
                marked: marked(changed, &found, &range),
                before: if n == 0 { 0 } else { laid.depth },
                start: range.start,
                cut: if is_last { laid.is_cut } else { !self.wrap },
                text: text.get(range).unwrap_or_default().to_owned(),
            }
        };
        let rows = laid.rows.iter().enumerate();
        rows.skip(part.start).take(part.len()).map(cell).collect()
    }

    pub(super) fn rows_of(&self, file: &DiffFile) -> usize {
        file.head_rows() + file.rows(self.layout).len()
    }

    pub(super) fn row_count(&self) -> usize {
        self.files.iter().map(|file| self.rows_of(file)).sum()
    }

    pub(super) fn row(&self, mut row: usize) -> Option<LogicalRow<'_>> {
        let mut at = 0;
        let file = loop {
            let rows = self.rows_of(self.files.get(at)?);
            if row < rows {
                break at;
            }
            row -= rows;
            at += 1;
        };
        let diff = self.files.get(file)?;
        if row == 0 && diff.has_name_row() {
            return Some(LogicalRow::File(file));
        }
        if let Some(note) = diff.notes.get(row - usize::from(diff.has_name_row())) {
            return Some(LogicalRow::Note(note));
        }
        let row = diff.rows(self.layout).get(row - diff.head_rows())?;
        let (left, right) = match *row {
            DiffRow::Folded { lines, .. } => return Some(LogicalRow::Folded(lines)),
            DiffRow::Same { .. } | DiffRow::Pair { .. } | DiffRow::Removed { .. } | DiffRow::Added { .. } => {
                lines_of(row)?
            }
        };
        Some(LogicalRow::Lines {
            file,
            left,
            right,
            hunk: row.hunk(),
        })
    }

    pub(super) fn row_height(&self, row: usize) -> usize {
        self.lines_height(row) + self.comment_rows(row).len()
    }

    fn lines_height(&self, row: usize) -> usize {
        if !self.wrap {
            return 1;
        }
        let Some(LogicalRow::Lines { file, left, right, .. }) = self.row(row) else {
            return 1;
        };
        let Some(diff) = self.files.get(file) else { return 1 };
        let columns = self.columns().text;
        // Most lines are short ASCII text and obviously fit into one row, so they need no layout.
        let is_one_row = |line: &[u8]| {
            let line = split_end(line).0;
            line.len() <= columns && line.iter().all(|b| (b' '..=b'~').contains(b))
        };
        let high = |line: Line, bytes: &[u8]| {
            if is_one_row(bytes) {
                1
            } else {
                diff.laid(line, Some(columns)).rows.len()
            }
        };
        let left = left.map_or(1, |line| high(Line::Before(line), diff.sides.before.line(line)));
        let right = right.map_or(1, |line| high(Line::After(line), diff.sides.after.line(line)));
        left.max(right)
    }

    pub(super) fn is_pair(&self, row: usize) -> bool {
        matches!(
            self.row(row),
            Some(LogicalRow::Lines {
                left: Some(_),
                right: Some(_),
                hunk: Some(_),
                ..
            })
        )
    }

    pub(super) fn first_row_of(&self, file: usize) -> usize {
        self.files.iter().take(file).map(|file| self.rows_of(file)).sum()
    }

    pub(super) fn row_of_hunk(&self, file: usize, hunk: usize) -> usize {
        let Some(diff) = self.files.get(file) else { return 0 };
        let rows = diff.rows(self.layout);
        let at = rows.iter().position(|row| row.hunk() == Some(hunk));
        // In a file without lines, the cursor is on the last note.
        let last = self.rows_of(diff).saturating_sub(1);
        self.first_row_of(file) + last.min(diff.head_rows() + at.unwrap_or(0))
    }

    /// Returns the first line at or below `row`. Used to restore the position after the layout was switched.
    pub(super) fn line_from(&self, row: usize) -> Option<FileLine> {
        let mut first = 0;
        self.files.iter().enumerate().find_map(|(file, diff)| {
            let above = row.saturating_sub(first + diff.head_rows());
            first += self.rows_of(diff);
            let mut rows = diff.rows(self.layout).iter().skip(above);
            let (left, right) = rows.find_map(lines_of)?;
            Some((file, left, right))
        })
    }

    pub(super) fn row_of_line(&self, (file, left, right): FileLine) -> usize {
        let shows = |row: &DiffRow| {
            lines_of(row).is_some_and(|(l, r)| (l.is_some() && l == left) || (r.is_some() && r == right))
        };
        let row = self.files.get(file).and_then(|diff| {
            let row = diff.rows(self.layout).iter().position(shows)?;
            Some(diff.head_rows() + row)
        });
        self.first_row_of(file) + row.unwrap_or(0)
    }
}

fn lines_of(row: &DiffRow) -> Option<(Option<usize>, Option<usize>)> {
    match *row {
        DiffRow::Same { before, after } | DiffRow::Pair { before, after, .. } => Some((Some(before), Some(after))),
        DiffRow::Removed { before, .. } => Some((Some(before), None)),
        DiffRow::Added { after, .. } => Some((None, Some(after))),
        DiffRow::Folded { .. } => None,
    }
}

fn window(text: &str, left: usize, columns: usize) -> Range<usize> {
    let (mut at, mut start, mut end) = (0, text.len(), text.len());
    for (byte, g) in graphemes(text) {
        let w = grapheme_width(g);
        if at >= left && start == text.len() {
            start = byte;
        }
        if start < text.len() && at + w > left + columns {
            end = byte;
            break;
        }
        at += w;
    }
    start..end.max(start)
}

fn marked(changed: &[Range<usize>], found: &[Range<usize>], row: &Range<usize>) -> Vec<(Why, Range<usize>)> {
    let changed = inside(changed, row).into_iter().map(|range| (Why::Changed, range));
    let found = inside(found, row).into_iter().map(|range| (Why::Found, range));
    changed.chain(found).collect()
}

fn inside(changed: &[Range<usize>], row: &Range<usize>) -> Vec<Range<usize>> {
    changed
        .iter()
        .map(|range| range.start.max(row.start)..range.end.min(row.end))
        .filter(|range| range.start < range.end)
        .map(|range| range.start - row.start..range.end - row.start)
        .collect()
}
