//! The prompt: sign, text, cursor, completion list, and cards.

use ratatui::layout::{Position, Rect};

use super::has_keyboard;
use crate::app::State;
use crate::app::cards::CardRole;
use crate::app::layout::Pane;
use crate::app::panes::prompt::SIGN;
use crate::keys::Action;
use crate::keys::action::GlobalAction;
use crate::lang;
use crate::theme::Scope;
use crate::ui::brush::{Brush, columns};
use crate::ui::widgets::input;

pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush) -> Option<Position> {
    let keyboard = has_keyboard(state, Pane::Prompt);
    // The mark of a command line is part of the text.
    let sign = if state.prompt.commands() { ":" } else { "›" };
    let scope = if keyboard { Scope::TextAccent } else { Scope::TextDim };
    brush.scoped(area.x, area.y, 1, sign, scope);
    let inside = Rect {
        x: area.x + SIGN,
        width: area.width.saturating_sub(SIGN),
        ..area
    };
    let view = state.prompt.buffer.view();
    let caret = input::buffer(view, inside, brush);
    if state.prompt.buffer.is_empty() && !state.turn.busy() {
        let hint = lang::prompt_hint(&state.keymap.hint(Action::Global(GlobalAction::Palette)));
        brush.scoped(inside.x, inside.y, inside.width, &hint, Scope::TextDim);
    }
    input::arrows(view, area, brush);
    keyboard.then_some(caret)
}

pub(super) fn completion(state: &State, area: Rect, brush: &mut Brush) {
    let Some(completion) = &state.prompt.completion else {
        return;
    };
    brush.clear(area, Scope::TextCode);
    let height = usize::from(area.height);
    if completion.items.is_empty() {
        let text = completion.missed();
        let text = crate::base::text::truncate(&text, usize::from(area.width.saturating_sub(SIGN)));
        brush.scoped(
            area.x + SIGN,
            area.y,
            area.width.saturating_sub(SIGN),
            &text,
            Scope::TextDim,
        );
        return;
    }
    let top = completion.top(height);
    for (y, (place, item)) in (area.y..area.bottom()).zip(completion.items.iter().enumerate().skip(top)) {
        let row = Rect { y, height: 1, ..area };
        if place == completion.selected {
            brush.tint(row, Scope::Selected);
            brush.scoped(area.x, y, 1, "›", Scope::TextAccent);
        }
        let x = area.x + SIGN;
        let right = area.right().saturating_sub(1);
        let left = right.saturating_sub(x + columns(&item.text) + 2);
        let detail = crate::base::text::truncate(&item.detail, usize::from(left));
        let end = brush.right(right, y, left, &detail, Scope::TextDim);
        let room = end.saturating_sub(x + 1);
        let shown = crate::base::text::truncate_start(&item.text, usize::from(room));
        brush.scoped(x, y, room, &shown, Scope::Text);
    }
}

pub(super) fn cards(state: &State, area: Rect, brush: &mut Brush) {
    for (y, (row, role)) in (area.y..area.bottom()).zip(&crate::app::cards::cards(state, area.width)) {
        let scope = match role {
            CardRole::Says => Scope::Text,
            CardRole::Failed => Scope::StatusKey,
            CardRole::Beside => Scope::TextDim,
        };
        let shown = crate::base::text::truncate(row, usize::from(area.width));
        brush.scoped(area.x, y, area.width, &shown, scope);
    }
}
