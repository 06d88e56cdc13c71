//! The dialog of a summary: its savings, text, and keys.

use ratatui::layout::{Position, Rect};

use crate::brush::Brush;
use crate::number;
use crate::widgets::frame::{self, Head};
use benchdog_app::State;
use benchdog_app::dialogs::compaction::{ABOVE, BELOW, CompactionPreview};
use benchdog_app::view::dialog_keys::KeyRow;
use benchdog_base::text::clean;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

pub(crate) fn draw(
    state: &State,
    shown: &CompactionPreview,
    closes: &str,
    area: Rect,
    brush: &mut Brush,
) -> Option<Position> {
    let head = Head {
        title: &[(word(Word::CompactionTitle), Scope::BorderTitleFocused)],
        note: closes,
        line: Scope::BorderFocused,
    };
    let inside = frame::draw(&head, area, brush);
    let (before, after) = (
        number::tokens(shown.preview.before),
        number::tokens(shown.preview.after),
    );
    let (says, scope) = match shown.preview.unfit {
        Some(unfit) => (lang::unfit(unfit), Scope::StateError),
        None => (lang::message::compaction_frees(&after, &before), Scope::TextHeading),
    };
    brush.scoped(inside.x, inside.y, inside.width, &says, scope);
    let body = Rect {
        y: inside.y + ABOVE.min(inside.height),
        height: inside.height.saturating_sub(ABOVE + BELOW),
        ..inside
    };
    let lines = shown.lines(body.width);
    for (y, line) in (body.y..body.bottom()).zip(lines.iter().skip(shown.top)) {
        brush.scoped(body.x, y, body.width, &clean(line), Scope::Text);
    }
    let keys = inside.bottom().saturating_sub(1);
    let row = KeyRow::of_compaction(state, shown);
    brush.scoped(inside.x, keys, inside.width, &row.text, Scope::TextDim);
    None
}
