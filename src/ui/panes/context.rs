//! How full the model's window is: a gauge, the numbers, and what the tokens went to.

use ratatui::layout::Rect;

use super::empty;
use crate::app::State;
use crate::app::panes::context::name;
use crate::domain::budget::Ledger;
use crate::lang::{Word, word};
use crate::theme::Scope;
use crate::ui::brush::Brush;
use crate::ui::number;

pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush) {
    let Some(ledger) = &state.context.ledger else {
        empty(word(Word::NoTokens), area, brush);
        return;
    };
    for (y, row) in (area.y..area.bottom()).zip(state.context.top..) {
        match row {
            0 => gauge(ledger, area, y, brush),
            1 => numbers(ledger, area, y, brush),
            _ => {
                let Some(item) = ledger.items.get(row - 2) else { return };
                brush.scoped(area.x, y, area.width, name(item.kind), Scope::TextDim);
                let text = number::tokens(item.tokens);
                brush.right(area.right(), y, area.width, &text, Scope::TextDim);
            }
        }
    }
}

fn numbers(ledger: &Ledger, area: Rect, y: u16, brush: &mut Brush) {
    let sign = if ledger.estimated { "~" } else { "" };
    let used = number::tokens(ledger.used);
    let limit = if ledger.limit == 0 {
        "?".to_owned()
    } else {
        number::tokens(ledger.limit)
    };
    let text = format!("{sign}{used} / {limit}");
    brush.right(area.right(), y, area.width, &text, Scope::Text);
}

fn gauge(ledger: &Ledger, area: Rect, y: u16, brush: &mut Brush) {
    let width = u64::from(area.width);
    // Any use at all fills at least one cell.
    let full = (width * ledger.percent().min(100)).div_ceil(100);
    for place in 0..width {
        let x = area.x + u16::try_from(place).unwrap_or(0);
        let (glyph, scope) = if place < full {
            ("▇", Scope::GaugeFull)
        } else {
            ("░", Scope::GaugeEmpty)
        };
        brush.scoped(x, y, 1, glyph, scope);
    }
}
