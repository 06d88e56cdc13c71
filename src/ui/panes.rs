//! The panes. For example, `ui/panes/todo` paints the state in `app/panes/todo`.

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
use benchdog_app::State;
use benchdog_app::focus::{self, Holder};
use benchdog_app::layout::Pane;
use benchdog_theme::Scope;

/// Returns the cursor position if the prompt, the find line or the file filter has the focus.
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

pub(super) fn prompt_anew(state: &State, area: Rect, brush: &mut Brush) -> Option<Position> {
    // Include the column to the right of the prompt, which shows an arrow if there is more text.
    let width = area.width.saturating_add(1);
    brush.clear(Rect { width, ..area }, Scope::Text);
    prompt::draw(state, area, brush)
}

/// Paints the completion list over everything else, including a request.
pub(super) fn completion(state: &State, brush: &mut Brush) {
    if let Some(area) = state.layout.completion {
        prompt::completion(state, area, brush);
    }
}

fn has_keyboard(state: &State, pane: Pane) -> bool {
    focus::keyboard(state) == Holder::Pane(pane)
}

fn empty(words: &str, area: Rect, brush: &mut Brush) {
    let rows = benchdog_base::text::wrap(words, usize::from(area.width).max(1));
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
