//! Selection with the mouse in a diff: the text of one side, without line numbers and signs.

use ratatui::layout::Rect;

use super::cells::LogicalRow;
use super::{DiffLayout, DiffView, ScreenRow};
use crate::marking::{Marking, Row, Side, lines};
use benchdog_base::text::shown_line;

impl DiffView {
    pub(crate) fn half(&self, side: Side, area: Rect) -> Option<Rect> {
        let columns = self.columns();
        let half = u16::try_from(columns.number + 3 + columns.text)
            .unwrap_or(u16::MAX)
            .min(area.width);
        match (self.layout(), side) {
            (DiffLayout::Unified, Side::Left) => None,
            (DiffLayout::Unified, Side::Right) => Some(area),
            (DiffLayout::SideBySide, Side::Left) => Some(Rect { width: half, ..area }),
            (DiffLayout::SideBySide, Side::Right) => Some(Rect {
                x: area.x + half,
                width: area.width - half,
                ..area
            }),
        }
    }

    pub(crate) fn marked_rows(&self, side: Side, x: u16) -> Vec<Option<Row>> {
        let rows = self.placed_rows().into_iter();
        rows.map(|(place, row)| self.marked_row(place, row, side, x)).collect()
    }

    fn marked_row(&self, place: usize, row: ScreenRow, side: Side, x: u16) -> Option<Row> {
        let ScreenRow::Lines { left, right, .. } = row else {
            return None;
        };
        let number = self.columns().number;
        let (cell, before) = match (self.layout(), side) {
            (DiffLayout::Unified, _) => (right.or(left)?, 2 * number + 4),
            (DiffLayout::SideBySide, Side::Left) => (left?, number + 3),
            // The separator line takes one column.
            (DiffLayout::SideBySide, Side::Right) => (right?, 1 + number + 3),
        };
        let before = u16::try_from(before + cell.before).unwrap_or(u16::MAX);
        Some(Row {
            place: (place, 0),
            x: x.saturating_add(before),
            text: cell.text,
            start: cell.start,
        })
    }

    pub(crate) fn marked_text(&self, marking: &Marking, side: Side) -> String {
        let ((first, _), (last, _)) = marking.ends();
        let marked = (first.0..=last.0).filter_map(|row| {
            let LogicalRow::Lines { file, left, right, .. } = self.row(row)? else {
                return None;
            };
            let sides = self.files.get(file)?.sides();
            let written = match (self.layout(), side) {
                (DiffLayout::Unified, _) => right
                    .map(|line| sides.right(line))
                    .or(left.map(|line| sides.left(line))),
                (DiffLayout::SideBySide, Side::Left) => left.map(|line| sides.left(line)),
                (DiffLayout::SideBySide, Side::Right) => right.map(|line| sides.right(line)),
            }?;
            Some(((row, 0), shown_line(&written).into_owned(), written))
        });
        lines(marking, marked)
    }
}
