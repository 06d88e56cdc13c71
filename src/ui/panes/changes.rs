//! The changes pane.

use ratatui::layout::Rect;

use super::{empty, has_keyboard};
use crate::brush::{Brush, columns};
use crate::number;
use benchdog_app::State;
use benchdog_app::layout::Pane;
use benchdog_app::names::shortened;
use benchdog_app::panes::changes::{ChangeRow, ChangeState};
use benchdog_lang::{Word, word};
use benchdog_theme::Scope;

pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush) {
    let changes = &state.screen.changes;
    if changes.rows.is_empty() {
        empty(word(Word::NoChanges), area, brush);
        return;
    }
    let keyboard = has_keyboard(state, Pane::Changes);
    let visible = changes.rows.iter().enumerate().skip(changes.cursor.top);
    let visible: Vec<(usize, &ChangeRow)> = visible.take(usize::from(area.height)).collect();
    let paths: Vec<&str> = visible.iter().map(|(_, row)| row.path.as_str()).collect();
    let room = visible.iter().map(|(_, row)| room(row, area)).min().unwrap_or_default();
    let names = shortened(&paths, 0..paths.len(), room);
    for (y, ((place, row), name)) in (area.y..area.bottom()).zip(visible.into_iter().zip(names)) {
        paint(row, &name, area, y, brush);
        if keyboard && place == changes.cursor.at {
            brush.tint(Rect { y, height: 1, ..area }, Scope::Selected);
        }
    }
}

fn mark(state: &ChangeState) -> (&'static str, Scope, Scope) {
    match state {
        ChangeState::Waiting(_) => ("◆ ", Scope::StateWaiting, Scope::Text),
        ChangeState::Decided(_) | ChangeState::Made => ("", Scope::Text, Scope::Text),
        ChangeState::Earlier => ("· ", Scope::TextDim, Scope::Text),
        ChangeState::Refused => ("✗ ", Scope::TextDim, Scope::TextDim),
        ChangeState::Failed => ("! ", Scope::StateError, Scope::TextDim),
    }
}

fn counts(row: &ChangeRow) -> String {
    if row.is_gone() {
        return word(Word::FileIsGone).to_owned();
    }
    let counts = number::added_removed(row.added, row.removed);
    if row.is_estimate {
        format!("{}{counts}", word(Word::EstimateSign))
    } else {
        counts
    }
}

fn room(row: &ChangeRow, area: Rect) -> usize {
    let taken = columns(&counts(row)) + columns(mark(&row.state).0) + 1;
    usize::from(area.width.saturating_sub(taken))
}

fn paint(row: &ChangeRow, name: &str, area: Rect, y: u16, brush: &mut Brush) {
    let end = brush.right(area.right(), y, area.width, &counts(row), Scope::TextDim);
    let (mark, scope, text) = mark(&row.state);
    let x = area.x;
    let room = end.saturating_sub(x + 1);
    let taken = brush.scoped(x, y, room, mark, scope);
    brush.scoped(x + taken, y, room.saturating_sub(taken), name, text);
}
