//! The prompt: its sign, text, cursor, completion list and cards.

use ratatui::layout::{Position, Rect};

use super::has_keyboard;
use crate::brush::{Brush, columns};
use crate::widgets::input;
use benchdog_app::State;
use benchdog_app::layout::Pane;
use benchdog_app::panes::prompt::SIGN;
use benchdog_app::view::cards::CardRole;
use benchdog_keys::Action;
use benchdog_keys::action::GlobalAction;
use benchdog_lang as lang;
use benchdog_theme::Scope;

pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush) -> Option<Position> {
    let keyboard = has_keyboard(state, Pane::Prompt);
    // `:` marks the command mode of vi. Commands need no sign, because `!` and `/` are part of the text.
    let sign = if state.screen.prompt.commands() { ":" } else { "›" };
    let scope = if keyboard { Scope::TextAccent } else { Scope::TextDim };
    brush.scoped(area.x, area.y, 1, sign, scope);
    let inside = Rect {
        x: area.x + SIGN,
        width: area.width.saturating_sub(SIGN),
        ..area
    };
    let view = state.screen.prompt.buffer.view();
    let caret = input::buffer(view, inside, brush);
    if state.screen.prompt.buffer.is_empty() && !state.screen.turn.busy() {
        let hint = lang::prompt_hint(&state.keymap.hint(Action::Global(GlobalAction::Palette)));
        brush.scoped(inside.x, inside.y, inside.width, &hint, Scope::TextDim);
    }
    input::arrows(view, area, brush);
    keyboard.then_some(caret)
}

pub(super) fn completion(state: &State, area: Rect, brush: &mut Brush) {
    let Some(completion) = &state.screen.prompt.completion else {
        return;
    };
    brush.clear(area, Scope::TextCode);
    let height = usize::from(area.height);
    if completion.items.is_empty() {
        let text = completion.missed();
        let text = benchdog_base::text::truncate(&text, usize::from(area.width.saturating_sub(SIGN)));
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
        let detail = benchdog_base::text::truncate(&item.detail, usize::from(left));
        let end = brush.right(right, y, left, &detail, Scope::TextDim);
        let room = end.saturating_sub(x + 1);
        let shown = benchdog_base::text::truncate_start(&item.text, usize::from(room));
        brush.scoped(x, y, room, &shown, Scope::Text);
    }
}

pub(super) fn cards(state: &State, area: Rect, brush: &mut Brush) {
    for (y, (row, role)) in (area.y..area.bottom()).zip(&benchdog_app::view::cards::cards(state, area.width)) {
        let scope = match role {
            CardRole::Says => Scope::Text,
            CardRole::Failed => Scope::StatusKey,
            CardRole::Beside => Scope::TextDim,
        };
        let shown = benchdog_base::text::truncate(row, usize::from(area.width));
        brush.scoped(area.x, y, area.width, &shown, scope);
    }
}
