//! The context pane: a gauge, the numbers, and the token counts by category.

use ratatui::layout::Rect;

use super::{empty, has_keyboard};
use crate::brush::Brush;
use crate::number;
use benchdog_app::State;
use benchdog_app::layout::Pane;
use benchdog_app::panes::context::{ContextRow, label, name, sign};
use benchdog_base::text::{clean, truncate, truncate_start, width};
use benchdog_domain::budget::{CarriedAs, ContextItem, Ledger, LedgerKind};
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

/// Minimum width of the pane at which a space separates a mark from its text.
const ROOMY: u16 = 20;

/// The prefix of items that are tool calls. The label of a call often ends with a path.
const CALLS: &str = "→ ";

const GAP: u16 = 8;

pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush) {
    let Some(ledger) = &state.screen.context.ledger else {
        empty(word(Word::NoTokens), area, brush);
        return;
    };
    let cursor = state.screen.context.cursor;
    let keyboard = has_keyboard(state, Pane::Context);
    let rows = state.screen.context.rows().enumerate().skip(cursor.top);
    for (y, (place, row)) in (area.y..area.bottom()).zip(rows) {
        match row {
            ContextRow::Gauge => gauge(ledger, area, y, brush),
            ContextRow::Numbers => numbers(ledger, area, y, brush),
            ContextRow::Kind(kind) => {
                let sign = if state.screen.context.is_opened(kind.kind) {
                    "▾"
                } else {
                    "▸"
                };
                let gap = if area.width < ROOMY { "" } else { " " };
                let text = format!("{sign}{gap}{}", name(kind.kind));
                brush.scoped(area.x, y, area.width, &text, Scope::TextDim);
                let text = number::tokens(kind.tokens);
                brush.right(area.right(), y, area.width, &text, Scope::TextDim);
            }
            ContextRow::Item(item) => self::item(item, area, y, brush),
        }
        if keyboard && place == cursor.at {
            brush.tint(Rect { y, height: 1, ..area }, Scope::Selected);
        }
    }
}

fn item(item: &ContextItem, area: Rect, y: u16, brush: &mut Brush) {
    let scope = match item.carried {
        CarriedAs::Whole => Scope::Text,
        CarriedAs::Part | CarriedAs::Line => Scope::TextDim,
    };
    brush.scoped(area.x, y, area.width, sign(item), Scope::TextAccent);
    let room = area.width.saturating_sub(GAP);
    let called = label(item);
    let text = clean(&called);
    // Truncate paths at the start, because the end of a path is its most informative part.
    let text = match item.kind {
        LedgerKind::Files | LedgerKind::Rules | LedgerKind::Mentions | LedgerKind::Images => {
            truncate_start(&text, usize::from(room))
        }
        _ => match text.strip_prefix(CALLS) {
            Some(calls) => {
                let room = usize::from(room).saturating_sub(CALLS.chars().count());
                format!("{CALLS}{}", truncate_start(calls, room)).into()
            }
            None => truncate(&text, usize::from(room)),
        },
    };
    brush.scoped(area.x + 2, y, room, &text, scope);
    let tokens = number::tokens(item.tokens);
    brush.right(area.right(), y, area.width, &tokens, Scope::TextDim);
}

fn numbers(ledger: &Ledger, area: Rect, y: u16, brush: &mut Brush) {
    let sign = lang::about(ledger);
    let used = number::tokens(ledger.used);
    let limit = if ledger.limit == 0 {
        "?".to_owned()
    } else {
        number::tokens(ledger.limit)
    };
    let text = format!("{sign}{used} / {limit}");
    brush.right(area.right(), y, area.width, &text, Scope::Text);
    let reserve = lang::message::ledger_reserve(&number::tokens(ledger.reserve));
    let left = usize::from(area.width).saturating_sub(text.chars().count() + 1);
    let reserve = Some(reserve).filter(|_| ledger.reserve > 0);
    let kept = ledger
        .cached
        .map(|kept| lang::message::context_kept(&number::tokens(kept)));
    let both = kept.iter().chain(&reserve).map(String::as_str).collect::<Vec<_>>();
    let both = Some(both.join(" · "));
    if let Some(said) = [both, kept, reserve]
        .into_iter()
        .flatten()
        .find(|said| width(said) <= left)
    {
        brush.scoped(area.x, y, area.width, &said, Scope::TextDim);
    }
}

fn gauge(ledger: &Ledger, area: Rect, y: u16, brush: &mut Brush) {
    let width = u64::from(area.width);
    // Round up, so that at least one cell of the gauge is filled if any tokens are used.
    let full = (width * ledger.used.min(ledger.limit)).div_ceil(ledger.limit.max(1));
    let free = width.saturating_sub((width * ledger.reserve).checked_div(ledger.limit).unwrap_or(0));
    for place in 0..width {
        let x = area.x + u16::try_from(place).unwrap_or(0);
        let (glyph, scope) = match place {
            place if place < full => ("▇", Scope::GaugeFull),
            place if place < free => ("░", Scope::GaugeEmpty),
            // This part of the context window is reserved for the answer.
            _ => ("·", Scope::GaugeEmpty),
        };
        brush.scoped(x, y, 1, glyph, scope);
    }
}
