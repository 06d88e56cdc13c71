//! Text inputs with a cursor.

use ratatui::layout::{Position, Rect};

use crate::brush::{Brush, columns};
use benchdog_app::find::FindLine;
use benchdog_app::panes::prompt::buffer::{BufferRow, BufferView};
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

pub(crate) fn buffer(view: &BufferView, area: Rect, brush: &mut Brush) -> Position {
    for (y, row) in (area.y..area.bottom()).zip(&view.rows) {
        brush.scoped(area.x, y, area.width, &row.text, Scope::Text);
        for chip in &row.chips {
            if let (Some(before), Some(label)) = (row.text.get(..chip.start), row.text.get(chip.clone())) {
                let x = area.x.saturating_add(columns(before));
                brush.scoped(x, y, area.right().saturating_sub(x), label, Scope::TextAccent);
            }
        }
        selected(row, area, y, brush);
    }
    let (x, y) = view.caret;
    Position {
        x: area.x.saturating_add(x).min(area.right().saturating_sub(1)),
        y: area.y.saturating_add(y).min(area.bottom().saturating_sub(1)),
    }
}

pub(crate) fn arrows(view: &BufferView, area: Rect, brush: &mut Brush) {
    let last = area.bottom().saturating_sub(1);
    for (more, y, arrow) in [(view.above, area.y, "↑"), (view.below, last, "↓")] {
        if more {
            brush.scoped(area.right(), y, 1, arrow, Scope::TextDim);
        }
    }
}

/// Paints the selected part of a row. A selected line break takes one column.
pub(crate) fn selected(row: &BufferRow, area: Rect, y: u16, brush: &mut Brush) {
    let from = columns(row.text.get(..row.selected.start).unwrap_or_default());
    let width = columns(row.text.get(row.selected.clone()).unwrap_or_default());
    let place = Rect {
        x: area.x.saturating_add(from),
        y,
        width: width.saturating_add(u16::from(row.selected_on)),
        height: 1,
    };
    brush.tint(place.intersection(area), Scope::Selected);
}

/// Paints a single-line input with the cursor at the end. If the text is too long, shows the end of the text.
pub(crate) fn line(text: &str, area: Rect, brush: &mut Brush) -> Position {
    let shown = benchdog_base::text::truncate_start(text, usize::from(area.width.saturating_sub(1)));
    let width = brush.scoped(area.x, area.y, area.width, &shown, Scope::Text);
    Position {
        x: area.x + width,
        y: area.y,
    }
}

pub(crate) fn find_line(find: &FindLine, area: Rect, brush: &mut Brush) -> Option<Position> {
    let hits = match find.hits {
        None => String::new(),
        // The part that was not searched may contain matches.
        Some((_, 0)) if find.goes_on => String::new(),
        Some((0, all)) if find.goes_on => lang::message::find_at_least(all),
        Some((_, 0)) => word(Word::NotFound).to_owned(),
        Some((0, all)) => lang::message::count_lines(all),
        Some((at, all)) => lang::find_hits(at, all, "", ""),
    };
    self::find(&find.query, &hits, area, brush)
}

pub(crate) fn find(query: &str, hits: &str, area: Rect, brush: &mut Brush) -> Option<Position> {
    let y = area.bottom().checked_sub(1)?;
    let row = Rect { y, height: 1, ..area };
    brush.clear(row, Scope::Status);
    let end = brush.right(area.right().saturating_sub(1), y, area.width / 2, hits, Scope::Status);
    let label = [(word(Word::Find), Scope::StatusKey), (" ", Scope::StatusKey)];
    let x = brush.run(area.x + 1, y, end, &label);
    let width = end.saturating_sub(x);
    Some(line(query, Rect { x, width, ..row }, brush))
}
