//! Every action by name, filtered as one types, with its key beside it.

use ratatui::layout::{Position, Rect};

use crate::app::dialogs::palette::{Palette, PaletteRow};
use crate::app::layout;
use crate::lang::{Word, word};
use crate::theme::Scope;
use crate::ui::brush::{Brush, columns};
use crate::ui::widgets::frame::{self, Head};
use crate::ui::widgets::input;
use crate::ui::widgets::scroll::{self, Extent};

pub(in crate::ui) fn draw(palette: &Palette, area: Rect, brush: &mut Brush) -> Option<Position> {
    let head = Head {
        title: &[(word(Word::AllCommands), Scope::BorderTitleFocused)],
        note: "",
        line: Scope::BorderFocused,
    };
    frame::draw(&head, area, brush);
    let (filter, list) = layout::filter_and_list(area);
    if filter.height == 0 {
        return None;
    }
    let caret = input::line(&palette.filter, filter, brush);
    if palette.rows.is_empty() {
        brush.scoped(
            list.x,
            list.y,
            list.width,
            word(Word::NoCommandOfThatName),
            Scope::TextDim,
        );
    }
    for (y, (place, row)) in (list.y..list.bottom()).zip(palette.rows.iter().enumerate().skip(palette.cursor.top)) {
        paint(row, list, y, brush);
        if place == palette.cursor.at {
            brush.tint(Rect { y, height: 1, ..list }, Scope::Selected);
        }
    }
    let extent = Extent {
        first: palette.cursor.top,
        shown: usize::from(list.height),
        all: palette.rows.len(),
    };
    scroll::bar(extent, list, area.right().saturating_sub(1), brush);
    Some(caret)
}

fn paint(row: &PaletteRow, area: Rect, y: u16, brush: &mut Brush) {
    // Where both do not fit, what it is called is read whole.
    let room = area.width.saturating_sub(columns(row.title) + 1);
    let end = if columns(&row.keys) <= room {
        brush.right(area.right(), y, room, &row.keys, Scope::DialogKey)
    } else {
        area.right() + 1
    };
    let mut x = area.x;
    for (place, c) in row.title.chars().enumerate() {
        let scope = if row.hits.contains(&place) {
            Scope::SelectedMatch
        } else {
            Scope::Text
        };
        let mut bytes = [0; 4];
        x += brush.scoped(x, y, end.saturating_sub(x + 1), c.encode_utf8(&mut bytes), scope);
    }
}
