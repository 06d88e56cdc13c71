//! A question to the person: options to choose from, and an answer in one's own words.

use ratatui::layout::{Position, Rect};

use crate::app::dialogs::question::QuestionView;
use crate::app::dialogs::rows::{self, RequestRow};
use crate::lang::{Word, word};
use crate::theme::Scope;
use crate::ui::brush::Brush;
use crate::ui::widgets::input;
use crate::ui::widgets::scroll::{self, Extent};

pub(super) fn draw(view: &QuestionView, area: Rect, brush: &mut Brush) -> Option<Position> {
    let rows = rows::question(view, area.width);
    let top = rows::question_top(&rows, view.selected, area.height);
    let first_own = rows.iter().position(|row| *row == RequestRow::Own);
    for (y, (place, row)) in (area.y..area.bottom()).zip(rows.iter().enumerate().skip(top)) {
        match row {
            RequestRow::Text(text) => {
                brush.scoped(area.x, y, area.width, text, Scope::TextBright);
            }
            RequestRow::Option { place, first, text } => option(view, *place, *first, text, Rect { y, ..area }, brush),
            RequestRow::Own if first_own == Some(place) && view.on_own() => {
                brush.scoped(area.x, y, 1, "›", Scope::TextAccent);
            }
            RequestRow::Own | RequestRow::Part { .. } | RequestRow::Field { .. } => {}
        }
    }
    let extent = Extent {
        first: top,
        shown: usize::from(area.height),
        all: rows.len(),
    };
    // In the line to the right of the air.
    scroll::bar(extent, area, area.right() + 1, brush);
    own(view, first_own?.saturating_sub(top), area, brush).filter(|_| view.on_own())
}

fn option(view: &QuestionView, place: usize, first: bool, text: &str, row: Rect, brush: &mut Brush) {
    let under = place == view.selected;
    let sign = if under && first { "› " } else { "  " };
    let chosen = view.chosen.get(place).copied().unwrap_or(false);
    // What is chosen is what Enter answers, wherever the cursor is then: it must show.
    let mark = match (view.multiple, chosen) {
        _ if !first => "    ",
        (true, true) => "[x] ",
        (true, false) => "[ ] ",
        (false, true) => "(x) ",
        (false, false) => "( ) ",
    };
    let scope = if under { Scope::TextBright } else { Scope::Text };
    let pieces = [(sign, Scope::TextAccent), (mark, Scope::TextAccent), (text, scope)];
    brush.run(row.x, row.y, row.right(), &pieces);
}

/// The answer in one's own words, from its row down.
fn own(view: &QuestionView, at: usize, area: Rect, brush: &mut Brush) -> Option<Position> {
    let y = area.y.saturating_add(u16::try_from(at).ok()?);
    if y >= area.bottom() {
        return None;
    }
    let rest = Rect {
        x: area.x + 2,
        y,
        width: rows::own_width(area.width),
        height: area.bottom() - y,
    };
    if view.own.is_empty() {
        brush.scoped(rest.x, y, rest.width, word(Word::InYourOwnWords), Scope::TextDim);
    }
    Some(input::buffer(view.own.view(), rest, brush))
}
