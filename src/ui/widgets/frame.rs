//! The frame of a dialog: a border with title and note, and a row of keys.

use ratatui::layout::Rect;

use crate::brush::{Brush, columns};
use benchdog_app::layout;
use benchdog_theme::Scope;

pub(crate) struct Head<'a> {
    pub title: &'a [(&'a str, Scope)],
    pub note: &'a str,
    pub line: Scope,
}

fn shows_note(width: u16, whole: u16) -> bool {
    width + 8 < whole
}

/// Returns the number of columns of the top border that are not available for the title.
pub(crate) fn beside_title(note: &str, whole: u16) -> u16 {
    let width = columns(note) + 2;
    if note.is_empty() || !shows_note(width, whole) {
        5
    } else {
        width + 7
    }
}

pub(crate) fn draw(head: &Head, area: Rect, brush: &mut Brush) -> Rect {
    brush.clear(area, Scope::Dialog);
    let inside = layout::inside(area);
    if inside == Rect::ZERO {
        return inside;
    }
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    for x in area.x + 1..right {
        brush.scoped(x, area.y, 1, "─", head.line);
        brush.scoped(x, bottom, 1, "─", head.line);
    }
    for y in area.y + 1..bottom {
        brush.scoped(area.x, y, 1, "│", head.line);
        brush.scoped(right, y, 1, "│", head.line);
    }
    for (x, y, glyph) in [
        (area.x, area.y, "┌"),
        (right, area.y, "┐"),
        (area.x, bottom, "└"),
        (right, bottom, "┘"),
    ] {
        brush.scoped(x, y, 1, glyph, head.line);
    }
    let mut end = right.saturating_sub(1);
    if !head.note.is_empty() {
        let width = columns(head.note) + 2;
        if shows_note(width, area.width) {
            let note = format!(" {} ", head.note);
            end = brush
                .right(end, area.y, width, &note, Scope::BorderTitle)
                .saturating_sub(2);
        }
    }
    let mut pieces = vec![(" ", Scope::Dialog)];
    pieces.extend_from_slice(head.title);
    pieces.push((" ", Scope::Dialog));
    brush.run(area.x + 1, area.y, end, &pieces);
    inside
}

pub(crate) fn divider(area: Rect, y: u16, line: Scope, brush: &mut Brush) {
    let right = area.right().saturating_sub(1);
    brush.scoped(area.x, y, 1, "├", line);
    for x in area.x + 1..right {
        brush.scoped(x, y, 1, "─", line);
    }
    brush.scoped(right, y, 1, "┤", line);
}
