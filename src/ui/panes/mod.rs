//! The panes, one file each, named like their state in `app/panes`.

mod changes;
mod context;
mod conversation;
mod files;
mod prompt;
mod todo;
mod welcome;

use ratatui::layout::{Position, Rect};

use super::brush::Brush;
use super::highlight::Cache;
use crate::app::State;
use crate::app::focus::{self, Holder};
use crate::app::layout::Pane;
use crate::theme::Scope;

/// Paints every pane that has a place; the caret, when the prompt, the find line or that of the filter has the keyboard.
pub(super) fn draw(state: &State, brush: &mut Brush, cache: &mut Cache) -> Option<Position> {
    let layout = &state.layout;
    let mut caret = None;
    if let Some(area) = layout.conversation {
        caret = conversation::draw(state, area, brush, cache).or(caret);
    }
    if let Some(area) = layout.cards {
        prompt::cards(state, area, brush);
    }
    if let Some(area) = layout.prompt {
        caret = prompt::draw(state, area, brush).or(caret);
    }
    if let Some(area) = layout.files {
        caret = files::draw(state, area, brush).or(caret);
    }
    if let Some(area) = layout.text_of(Pane::Todo) {
        todo::draw(state, area, brush);
    }
    if let Some(area) = layout.text_of(Pane::Context) {
        context::draw(state, area, brush);
    }
    if let Some(area) = layout.text_of(Pane::Changes) {
        changes::draw(state, area, brush);
    }
    caret
}

/// Paints the prompt over itself.
pub(super) fn prompt_anew(state: &State, area: Rect, brush: &mut Brush) -> Option<Position> {
    // The arrow beside it tells that there is more.
    let width = area.width.saturating_add(1);
    brush.clear(Rect { width, ..area }, Scope::Text);
    prompt::draw(state, area, brush)
}

/// What completes a word of the prompt lies over all that is above it, also over a request.
pub(super) fn completion(state: &State, brush: &mut Brush) {
    if let Some(area) = state.layout.completion {
        prompt::completion(state, area, brush);
    }
}

/// Whether this pane's cursor row shows: only where the keyboard is.
fn has_keyboard(state: &State, pane: Pane) -> bool {
    focus::keyboard(state) == Holder::Pane(pane)
}

/// What a pane says while it has nothing to show.
fn empty(words: &str, area: Rect, brush: &mut Brush) {
    let rows = crate::base::text::wrap(words, usize::from(area.width).max(1));
    for (y, row) in (area.y..area.bottom()).zip(rows) {
        brush.scoped(
            area.x,
            y,
            area.width,
            words.get(row).unwrap_or_default(),
            Scope::TextDim,
        );
    }
}
