//! Wraps the buffer into rows, but only near the viewport. Very long lines are wrapped in parts.

use std::ops::Range;

use super::{Buffer, BufferRow, BufferView};
use benchdog_base::text::{
    Piece, PieceKind, TAB, grapheme_before, grapheme_width, graphemes, is_between_graphemes, is_plain, row_starts,
    width,
};

/// Number of bytes of a long line that are wrapped separately, so that a key press wraps only one part.
const STRETCH: usize = 4 * 1024;

impl Buffer {
    pub fn arrange(&mut self, width: u16, height: u16) {
        self.width = width;
        let height = usize::from(height.max(1));
        let (rows, caret_row) = self.rows_around(height);
        // Keep the scroll position, unless the cursor would then be invisible.
        let earliest = (caret_row + 1).saturating_sub(height);
        let before = match std::mem::take(&mut self.centred) {
            true => caret_row.saturating_sub(height / 2),
            false => rows.iter().rposition(|row| row.start <= self.top).unwrap_or(0),
        };
        let first = before.clamp(earliest, caret_row).min(rows.len().saturating_sub(height));
        let shown = rows.get(first..rows.len().min(first + height)).unwrap_or_default();
        self.top = shown.first().map_or(0, |row| row.start);
        let caret = rows.get(caret_row).map_or(0, |row| self.column(row, self.caret));
        let x = caret.min(usize::from(width.saturating_sub(1)));
        self.view = BufferView {
            above: self.top > 0,
            below: shown.last().is_some_and(|row| row.end < self.text.len()),
            caret: (
                u16::try_from(x).unwrap_or(0),
                u16::try_from(caret_row - first).unwrap_or(0),
            ),
            rows: shown.iter().map(|row| self.shown(row)).collect(),
        };
    }

    pub(crate) fn centre(&mut self) {
        self.centred = true;
    }

    fn rows_around(&self, height: usize) -> (Vec<Range<usize>>, usize) {
        let around = self.stretch(self.caret);
        let mut rows = self.rows_of(&around);
        let mut caret = rows.iter().rposition(|row| row.start <= self.caret).unwrap_or(0);
        let mut first = around.clone();
        while caret + 1 < height
            && let Some(before) = self.stretch_before(&first)
        {
            let mut above = self.rows_of(&before);
            caret += above.len();
            above.append(&mut rows);
            rows = above;
            first = before;
        }
        let mut last = around;
        while rows.len() - caret < height
            && let Some(after) = self.stretch_after(&last)
        {
            rows.extend(self.rows_of(&after));
            last = after;
        }
        (rows, caret)
    }

    pub(crate) fn lines_above_view(&self) -> usize {
        let above = self.text.get(..self.top).unwrap_or_default();
        let ended = above.matches('\n').count();
        ended + usize::from(!above.is_empty() && !above.ends_with('\n'))
    }

    pub(crate) fn rows_needed(&mut self, width: u16, most: usize) -> usize {
        self.width = width;
        let mut last = self.stretch(0);
        let mut count = self.rows_of(&last).len();
        while count < most
            && let Some(after) = self.stretch_after(&last)
        {
            count += self.rows_of(&after).len();
            last = after;
        }
        count.min(most)
    }

    pub(crate) fn up(&mut self) -> bool {
        if self.is_marking() {
            self.select_up();
            return true;
        }
        self.let_go();
        self.row_up()
    }

    pub(crate) fn down(&mut self) -> bool {
        if self.is_marking() {
            self.select_down();
            return true;
        }
        self.let_go();
        self.row_down()
    }

    pub(super) fn row_up(&mut self) -> bool {
        let row = self.row_at(self.caret);
        let target = self.row_before(&row);
        self.vertical(&row, target)
    }

    pub(super) fn row_down(&mut self) -> bool {
        let row = self.row_at(self.caret);
        let target = self.row_after(&row);
        self.vertical(&row, target)
    }

    fn vertical(&mut self, row: &Range<usize>, target: Option<Range<usize>>) -> bool {
        let Some(target) = target else { return false };
        let goal = self.goal.unwrap_or_else(|| self.column(row, self.caret));
        self.caret = self.byte_at(&target, goal);
        self.goal = Some(goal);
        self.seal();
        true
    }

    pub(crate) fn stand_at(&mut self, at: usize) {
        self.caret = at;
    }

    pub(crate) fn click(&mut self, x: u16, y: u16) {
        self.go_to(self.byte_under(x, y));
    }

    pub(crate) fn drag(&mut self, x: u16, y: u16) {
        let from = self.anchor.unwrap_or(self.caret);
        self.select_from(from, self.byte_under(x, y));
    }

    fn byte_under(&self, x: u16, y: u16) -> usize {
        let mut row = self.row_at(self.top);
        for _ in 0..y {
            match self.row_after(&row) {
                Some(next) => row = next,
                None => break,
            }
        }
        self.byte_at(&row, usize::from(x))
    }

    // --- rows: byte ranges without the line break. The next row of a line starts at the end of the previous one ---

    /// Returns the number of columns for text. One column is reserved for the cursor at the end of a full row.
    fn columns(&self) -> usize {
        usize::from(self.width.saturating_sub(1)).max(1)
    }

    /// Returns the range that contains this byte and is wrapped separately: a line, or a part of a long line.
    fn stretch(&self, at: usize) -> Range<usize> {
        let line = self.line_start(at);
        let is_end = self.text.as_bytes().get(at).is_none_or(|next| *next == b'\n');
        let inside = if is_end { at.saturating_sub(1).max(line) } else { at };
        let begun = (inside - line) / STRETCH;
        // If a grapheme crosses the boundary, the next part starts before the grapheme.
        let number = begun + usize::from(self.cut(line, begun + 1).is_some_and(|cut| cut <= inside));
        let start = self.cut(line, number).unwrap_or(line);
        let end = self.cut(line, number + 1).unwrap_or(self.text.len());
        let rest = self.text.get(at..end).unwrap_or_default();
        start..rest.find('\n').map_or(end, |n| at + n)
    }

    fn cut(&self, line: usize, number: usize) -> Option<usize> {
        let at = Some(line + number * STRETCH).filter(|at| *at <= self.text.len())?;
        let at = self.text.floor_char_boundary(at);
        Some(if is_between_graphemes(&self.text, at) {
            at
        } else {
            grapheme_before(&self.text, at)
        })
    }

    fn stretch_before(&self, stretch: &Range<usize>) -> Option<Range<usize>> {
        let last = self.text.floor_char_boundary(stretch.start.checked_sub(1)?);
        Some(self.stretch(last))
    }

    fn stretch_after(&self, stretch: &Range<usize>) -> Option<Range<usize>> {
        let next = self.text.as_bytes().get(stretch.end)?;
        Some(self.stretch(stretch.end + usize::from(*next == b'\n')))
    }

    fn rows_of(&self, stretch: &Range<usize>) -> Vec<Range<usize>> {
        let line = self.text.get(stretch.clone()).unwrap_or_default();
        let starts = if is_plain(line) {
            // Fast path for text with one byte and one column per character.
            if !line.is_empty() && line.len() <= self.columns() {
                return vec![stretch.clone()];
            }
            let letters = (0..line.len()).map(|at| Piece {
                at,
                width: 1,
                kind: PieceKind::of(line.get(at..=at).unwrap_or_default()),
            });
            row_starts(letters, self.columns())
        } else {
            let pieces = graphemes(line).map(|(at, g)| self.piece(at, g));
            row_starts(pieces, self.columns())
        };
        let ends = starts.iter().skip(1).copied().chain([line.len()]);
        let start = stretch.start;
        starts.iter().zip(ends).map(|(a, b)| start + a..start + b).collect()
    }

    fn piece(&self, at: usize, grapheme: &str) -> Piece {
        if grapheme == "\t" {
            return Piece {
                at,
                width: TAB,
                kind: PieceKind::Space,
            };
        }
        match grapheme.chars().next().and_then(|c| self.chip(c)) {
            Some(chip) => Piece {
                at,
                width: width(&chip.label),
                kind: PieceKind::Wide,
            },
            None => Piece {
                at,
                width: grapheme_width(grapheme),
                kind: PieceKind::of(grapheme),
            },
        }
    }

    /// Returns the row of a byte position. At the end of a soft-wrapped row, the position belongs to the next row.
    fn row_at(&self, at: usize) -> Range<usize> {
        let rows = self.rows_of(&self.stretch(at));
        let fallback = at..at;
        rows.into_iter().rev().find(|row| row.start <= at).unwrap_or(fallback)
    }

    fn row_before(&self, row: &Range<usize>) -> Option<Range<usize>> {
        let stretch = self.stretch(row.start);
        if row.start > stretch.start {
            let rows = self.rows_of(&stretch).into_iter();
            return rows.rev().find(|other| other.start < row.start);
        }
        self.rows_of(&self.stretch_before(&stretch)?).pop()
    }

    fn row_after(&self, row: &Range<usize>) -> Option<Range<usize>> {
        let stretch = self.stretch(row.start);
        if row.end < stretch.end {
            return self.rows_of(&stretch).into_iter().find(|other| other.start >= row.end);
        }
        self.rows_of(&self.stretch_after(&stretch)?).into_iter().next()
    }

    fn column(&self, row: &Range<usize>, at: usize) -> usize {
        let before = self.text.get(row.start..at.max(row.start)).unwrap_or_default();
        graphemes(before).map(|(at, g)| self.piece(at, g).width).sum()
    }

    fn byte_at(&self, row: &Range<usize>, column: usize) -> usize {
        let text = self.text.get(row.clone()).unwrap_or_default();
        let soft = self.text.as_bytes().get(row.end).is_some_and(|next| *next != b'\n');
        let mut x = 0;
        let mut last = 0;
        for (at, g) in graphemes(text) {
            let width = self.piece(at, g).width;
            if x + width > column {
                return row.start + at;
            }
            x += width;
            last = at;
        }
        // The end of a soft-wrapped row belongs to the next row, so return the last position in this row.
        row.start + if soft { last } else { text.len() }
    }

    fn shown(&self, row: &Range<usize>) -> BufferRow {
        let mut out = BufferRow {
            begins_line: row.start == self.line_start(row.start),
            bytes: row.clone(),
            ..BufferRow::default()
        };
        let text = self.text.get(row.clone()).unwrap_or_default();
        if is_plain(text) {
            out.text.push_str(text);
        } else {
            self.show_letters(text, &mut out);
        }
        if let Some(selected) = self.selection() {
            out.selected = self.shown_part(&out.bytes, &selected);
            out.selected_on = selected.contains(&row.end) && self.text.as_bytes().get(row.end) == Some(&b'\n');
        }
        out
    }

    fn show_letters(&self, text: &str, out: &mut BufferRow) {
        for (_, g) in graphemes(text) {
            if g == "\t" {
                out.text.extend(std::iter::repeat_n(' ', TAB));
            } else if let Some(chip) = g.chars().next().and_then(|c| self.chip(c)) {
                let start = out.text.len();
                out.text.push_str(&chip.label);
                out.chips.push(start..out.text.len());
            } else {
                out.text.push_str(g);
            }
        }
    }

    pub fn shown_part(&self, row: &Range<usize>, part: &Range<usize>) -> Range<usize> {
        let shown = |upto: usize| {
            let before = self.text.get(row.start..upto.clamp(row.start, row.end));
            let lengths = graphemes(before.unwrap_or_default()).map(|(_, g)| match g.chars().next() {
                Some('\t') => TAB,
                first => first
                    .and_then(|c| self.chip(c))
                    .map_or(g.len(), |chip| chip.label.len()),
            });
            lengths.sum::<usize>()
        };
        shown(part.start)..shown(part.end)
    }
}
