//! The help dialog with its filter line.

use ratatui::layout::{Position, Rect};

use crate::brush::Brush;
use crate::widgets::frame::{self, Head};
use crate::widgets::input;
use crate::widgets::scroll::{self, Extent};
use benchdog_app::dialogs::help::{Help, HelpRow};
use benchdog_app::layout;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

pub(crate) fn draw(help: &Help, closes: &str, area: Rect, brush: &mut Brush) -> Option<Position> {
    let (filter, list) = layout::filter_and_list(area);
    let rows = help.rows();
    let last = (help.top + usize::from(list.height)).min(rows.len());
    // If everything is visible, show the exit key instead of the position.
    let place = lang::some_of(last, rows.len());
    let is_whole = help.top == 0 && last == rows.len();
    let head = Head {
        title: &[(word(Word::KeysValidNow), Scope::BorderTitleFocused)],
        note: if is_whole { closes } else { &place },
        line: Scope::BorderFocused,
    };
    frame::draw(&head, area, brush);
    if filter.height == 0 {
        return None;
    }
    let caret = input::line(&help.filter, filter, brush);
    if help.filter.is_empty() {
        brush.scoped(filter.x, filter.y, filter.width, word(Word::Find), Scope::TextDim);
    }
    if rows.is_empty() {
        brush.scoped(list.x, list.y, list.width, word(Word::NotFound), Scope::TextDim);
    }
    for (y, row) in (list.y..list.bottom()).zip(rows.iter().skip(help.top)) {
        match row {
            HelpRow::Heading(title) => {
                brush.scoped(list.x, y, list.width, title, Scope::TextHeading);
            }
            HelpRow::Entry { keys, title, column } => {
                brush.scoped(list.x, y, *column, keys, Scope::DialogKey);
                let x = list.x + column;
                brush.scoped(x, y, list.right().saturating_sub(x), title, Scope::Text);
            }
        }
    }
    let extent = Extent {
        first: help.top,
        shown: usize::from(list.height),
        all: rows.len(),
    };
    scroll::bar(extent, list, area.right().saturating_sub(1), brush);
    Some(caret)
}
