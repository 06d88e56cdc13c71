//! Rendering of Markdown tables. Columns shrink until they fit, and cells wrap.

use super::inline::Inline;
use crate::line::{Line, Role, Span};

/// Number of columns between two cells: space, line, space.
const GAP: usize = 3;
/// Minimum width of a column. If the columns do not fit with this width, the table is rendered as a list.
const NARROW: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Vec<Inline>>,
}

impl Table {
    pub(super) fn lines(&self, width: usize) -> Vec<Line> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        if columns == 0 {
            return Vec::new();
        }
        let room = width.saturating_sub(GAP * (columns - 1));
        if room < columns * NARROW {
            return self.as_list(width);
        }
        let widths = self.widths(columns, room);
        let mut out = Vec::new();
        for (n, row) in self.rows.iter().enumerate() {
            let cells: Vec<Vec<Line>> = widths
                .iter()
                .enumerate()
                .map(|(column, width)| row.get(column).map(|cell| cell.rows(*width)).unwrap_or_default())
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(1);
            for y in 0..height {
                out.push(joined(&cells, &widths, y));
            }
            if n == 0 {
                let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                out.push(Line::of(Role::TableRule, rule.join("─┼─")));
            }
        }
        out
    }

    fn widths(&self, columns: usize, room: usize) -> Vec<usize> {
        let mut widths = vec![1; columns];
        for row in &self.rows {
            for (cell, width) in row.iter().zip(widths.iter_mut()) {
                *width = (*width).max(cell.widths().0);
            }
        }
        while widths.iter().sum::<usize>() > room {
            let over = widths.iter().sum::<usize>() - room;
            let widest = widths.iter().copied().max().unwrap_or(0);
            let next = widths
                .iter()
                .copied()
                .filter(|width| *width < widest)
                .max()
                .unwrap_or(0);
            let count = widths.iter().filter(|width| **width == widest).count();
            let cut = (widest - next).min(over.div_ceil(count)).max(1);
            for width in widths.iter_mut().filter(|width| **width == widest) {
                *width -= cut;
            }
        }
        widths.iter().map(|width| (*width).max(1)).collect()
    }

    fn as_list(&self, width: usize) -> Vec<Line> {
        let mut out = Vec::new();
        let Some((heading, rows)) = self.rows.split_first() else {
            return out;
        };
        for row in rows {
            for (n, cell) in row.iter().enumerate() {
                let mut text = Inline::default();
                for span in heading.get(n).into_iter().flat_map(|cell| &cell.spans) {
                    text.push(Role::Bold, &span.text);
                }
                text.push(Role::Bold, ": ");
                for span in &cell.spans {
                    text.linked(span.role, &span.text, span.link.as_ref());
                }
                out.extend(text.rows(width));
            }
        }
        out
    }
}

fn joined(cells: &[Vec<Line>], widths: &[usize], y: usize) -> Line {
    let mut line = Line::default();
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if column > 0 {
            line.push(Role::TableRule, " │ ");
        }
        let part = cell.get(y).cloned().unwrap_or_default();
        let gap = width.saturating_sub(part.width());
        line.spans.extend(part.spans);
        if column + 1 < widths.len() && gap > 0 {
            line.spans.push(Span::of(Role::Text, " ".repeat(gap)));
        }
    }
    line
}
