//! The todo list.

use ratatui::layout::Rect;

use super::{empty, has_keyboard};
use crate::brush::Brush;
use benchdog_app::State;
use benchdog_app::layout::Pane;
use benchdog_base::text::{clean, truncate, wrap};
use benchdog_domain::todo::TodoStatus;
use benchdog_lang::{Word, word};
use benchdog_theme::Scope;

pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush) {
    let todo = &state.screen.todo;
    if todo.items.is_empty() {
        empty(word(Word::NoTasks), area, brush);
        return;
    }
    let keyboard = has_keyboard(state, Pane::Todo);
    let mut y = area.y;
    for (place, item) in todo.items.0.iter().enumerate().skip(todo.cursor.top) {
        if y >= area.bottom() {
            break;
        }
        let (mark, scope) = match item.status {
            TodoStatus::Pending => (Scope::TextDim, Scope::Text),
            TodoStatus::InProgress => (Scope::TextAccent, Scope::TextBright),
            TodoStatus::Completed => (Scope::StateOk, Scope::TextDim),
            TodoStatus::Cancelled => (Scope::TextDim, Scope::DiffDropped),
        };
        let before = todo.mark();
        if before > 0 {
            brush.run(area.x, y, area.right(), &[(item.status.mark(), mark)]);
        }
        let x = area.x + before;
        let room = area.right().saturating_sub(x);
        let text = clean(&item.text);
        let rows = if todo.whole {
            wrap(&text, usize::from(room.max(1)))
                .into_iter()
                .map(|range| text.get(range).unwrap_or_default().to_owned())
                .collect()
        } else {
            vec![truncate(&text, usize::from(room)).into_owned()]
        };
        for row in rows {
            if y >= area.bottom() {
                break;
            }
            brush.scoped(x, y, room, &row, scope);
            if keyboard && place == todo.cursor.at {
                brush.tint(Rect { y, height: 1, ..area }, Scope::Selected);
            }
            y += 1;
        }
    }
}
