//! What this session changed and what waits, with counts.

use ratatui::layout::Rect;

use super::{empty, has_keyboard};
use crate::app::State;
use crate::app::layout::Pane;
use crate::app::panes::changes::{ChangeRow, ChangeState};
use crate::lang::{Word, word};
use crate::theme::Scope;
use crate::ui::brush::{Brush, columns};
use crate::ui::number;

pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush) {
    let changes = &state.changes;
    if changes.rows.is_empty() {
        empty(word(Word::NoChanges), area, brush);
        return;
    }
    let keyboard = has_keyboard(state, Pane::Changes);
    for (y, (place, row)) in (area.y..area.bottom()).zip(changes.rows.iter().enumerate().skip(changes.cursor.top)) {
        paint(row, area, y, brush);
        if keyboard && place == changes.cursor.at {
            brush.tint(Rect { y, height: 1, ..area }, Scope::Selected);
        }
    }
}

fn paint(row: &ChangeRow, area: Rect, y: u16, brush: &mut Brush) {
    let counts = number::added_removed(row.added, row.removed);
    let end = brush.right(area.right(), y, area.width, &counts, Scope::TextDim);
    let (mark, scope, text) = match row.state {
        ChangeState::Waiting(_) => ("◆ ", Scope::StateWaiting, Scope::Text),
        ChangeState::Decided(_) | ChangeState::Made => ("", Scope::Text, Scope::Text),
        ChangeState::Earlier => ("· ", Scope::TextDim, Scope::Text),
        ChangeState::Refused => ("✗ ", Scope::TextDim, Scope::TextDim),
        ChangeState::Failed => ("! ", Scope::StateError, Scope::TextDim),
    };
    let x = area.x;
    let room = end.saturating_sub(x + 1);
    let taken = brush.scoped(x, y, room, mark, scope);
    let path = crate::base::text::truncate_start(&row.path, usize::from(room.saturating_sub(columns(mark))));
    brush.scoped(x + taken, y, room.saturating_sub(taken), &path, text);
}
