//! The command palette.

use ratatui::layout::{Position, Rect};

use crate::brush::{Brush, columns};
use crate::widgets::frame::{self, Head};
use crate::widgets::input;
use crate::widgets::scroll::{self, Extent};
use benchdog_app::dialogs::palette::{Palette, PaletteRow};
use benchdog_app::layout;
use benchdog_base::text::truncate_middle;
use benchdog_lang::{Word, word};
use benchdog_theme::Scope;

pub(crate) fn draw(palette: &Palette, area: Rect, brush: &mut Brush) -> Option<Position> {
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

/// Minimum number of columns at which a title is useful.
const TELLS: u16 = 24;

fn paint(row: &PaletteRow, area: Rect, y: u16, brush: &mut Brush) {
    let plain = if row.is_idle { Scope::TextDim } else { Scope::Text };
    let beside = area.width.saturating_sub(columns(&row.keys) + 1);
    // If there is not enough space for title and key, the title is shown without the key.
    let room = if row.keys.is_empty() || beside < columns(row.title).min(TELLS) {
        area.width
    } else {
        let scope = if row.is_idle { plain } else { Scope::DialogKey };
        brush.right(area.right(), y, area.width, &row.keys, scope);
        beside
    };
    let (all, shown) = (row.title.chars().count(), truncate_middle(row.title, usize::from(room)));
    let (count, head) = (shown.chars().count(), same(row.title, &shown));
    let mut x = area.x;
    for (place, c) in shown.chars().enumerate() {
        // To map a character after the omitted part back to the title, count from the end.
        let of_title = if place < head { place } else { all + place - count };
        let is_hit = place != head && row.hits.contains(&of_title);
        let scope = if is_hit { Scope::SelectedMatch } else { plain };
        let mut bytes = [0; 4];
        x += brush.scoped(x, y, area.right().saturating_sub(x), c.encode_utf8(&mut bytes), scope);
    }
}

fn same(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
}
