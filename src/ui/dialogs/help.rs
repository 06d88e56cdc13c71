//! The keys valid now.

use ratatui::layout::{Position, Rect};

use crate::app::dialogs::help::Help;
use crate::lang::{Word, word};
use crate::theme::Scope;
use crate::ui::brush::Brush;
use crate::ui::widgets::frame::{self, Head};
use crate::ui::widgets::scroll::{self, Extent};

pub(in crate::ui) fn draw(help: &Help, closes: &str, area: Rect, brush: &mut Brush) -> Option<Position> {
    let head = Head {
        title: &[(word(Word::KeysValidNow), Scope::BorderTitleFocused)],
        note: closes,
        line: Scope::BorderFocused,
    };
    let inside = frame::draw(&head, area, brush);
    let rows: Vec<(&str, &str)> = help
        .sections
        .iter()
        .flat_map(|section| {
            let title = std::iter::once((section.title.as_str(), ""));
            title.chain(section.rows.iter().map(|(keys, text)| (keys.as_str(), text.as_str())))
        })
        .collect();
    let column = (inside.width / 2).min(30);
    for (y, (first, text)) in (inside.y..inside.bottom()).zip(rows.iter().skip(help.top)) {
        if text.is_empty() {
            brush.scoped(inside.x, y, inside.width, first, Scope::TextHeading);
            continue;
        }
        let keys = crate::base::text::truncate(first, usize::from(column.saturating_sub(2)));
        brush.scoped(inside.x + 2, y, column, &keys, Scope::DialogKey);
        let x = inside.x + column + 2;
        brush.scoped(x, y, inside.right().saturating_sub(x), text, Scope::Text);
    }
    let extent = Extent {
        first: help.top,
        shown: usize::from(inside.height),
        all: rows.len(),
    };
    scroll::bar(extent, inside, area.right().saturating_sub(1), brush);
    None
}
