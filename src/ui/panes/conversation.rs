//! The transcript: rows the app laid out, colours for the code among them, the bar, and the find line.

use ratatui::layout::{Position, Rect};

use super::{empty, has_keyboard};
use crate::app::State;
use crate::app::layout::Pane;
use crate::app::line::Line;
use crate::app::panes::conversation::{Sought, WIDEST};
use crate::app::panes::welcome;
use crate::keys::Action;
use crate::keys::action::ConversationAction;
use crate::lang::{self, Word, word};
use crate::theme::Scope;
use crate::ui::brush::Brush;
use crate::ui::highlight::{Cache, Key};
use crate::ui::widgets::scroll::{self, Extent};
use crate::ui::widgets::{code, diff, input, text};

/// Paints the pane; the caret when the find line is being typed in.
pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush, cache: &mut Cache) -> Option<Position> {
    if let Some(open) = &state.changes.open {
        let keyboard = has_keyboard(state, Pane::Changes);
        return diff::draw(&open.view, keyboard, area, brush, cache);
    }
    let conversation = &state.conversation;
    if state.watched.is_some() && conversation.rows().is_empty() {
        empty(word(Word::ReadingFile), area, brush);
    } else if welcome::is_shown(state) {
        super::welcome::draw(state, conversation.rows().len(), area, brush);
    }
    let selected = conversation
        .selected
        .filter(|_| has_keyboard(state, Pane::Conversation));
    // Grounds end with the text.
    let text_area = Rect {
        width: area.width.min(WIDEST),
        ..area
    };
    for (y, (place, row)) in (area.y..area.bottom()).zip(conversation.rows().iter().enumerate()) {
        text::line(&row.line, area, y, brush);
        if conversation.is_of_person(place) {
            brush.tint(
                Rect {
                    y,
                    height: 1,
                    ..text_area
                },
                Scope::OwnWords,
            );
        }
        colours(state, row.block, &row.line, text_area, y, brush, cache);
        if selected == Some(row.block) {
            // In the empty column beside the pane.
            brush.scoped(area.x.saturating_sub(1), y, 1, "▌", Scope::TextAccent);
        }
    }
    let (first, shown, all) = conversation.scroll_bar();
    scroll::bar(Extent { first, shown, all }, area, area.right(), brush);
    find(state, area, brush)
}

fn colours(state: &State, block: usize, line: &Line, area: Rect, y: u16, brush: &mut Brush, cache: &mut Cache) {
    let Some(place) = line.code else { return };
    if let Some(source) = state.conversation.code(block, place.fence) {
        let fence = place.fence;
        code::colour(
            source,
            Key::Fence { block, fence },
            line,
            Rect { y, ..area },
            brush,
            cache,
        );
    }
}

/// The find line lies over the last row of the transcript.
fn find(state: &State, area: Rect, brush: &mut Brush) -> Option<Position> {
    let find = state.conversation.find.as_ref()?;
    let hits = match (find.has_gone(), find.sought, find.hits) {
        // There is nothing to look for, or it may stand in what was not looked through yet.
        (_, None, _) | (false, Some(Sought::Newest(0)), _) => String::new(),
        (false, Some(Sought::All(0)), _) | (true, _, 0) => word(Word::NotFound).to_owned(),
        (false, Some(Sought::All(hits)), _) => lang::lines(hits),
        (false, Some(Sought::Newest(hits)), _) => lang::find_at_least(hits),
        (true, _, hits) => {
            let key = |action| state.keymap.hint(Action::Conversation(action));
            let (next, previous) = (key(ConversationAction::FindNext), key(ConversationAction::FindPrevious));
            lang::find_hits(find.at, hits, &next, &previous)
        }
    };
    let caret = input::find(&find.query, &hits, area, brush)?;
    find.typing.then_some(caret)
}
