//! The transcript: rows laid out by the app, colours of code, the scroll bar, and the find line.

use ratatui::layout::{Position, Rect};

use super::{empty, has_keyboard};
use crate::brush::Brush;
use crate::highlight::{Cache, Key};
use crate::widgets::scroll::{self, Extent};
use crate::widgets::{code, diff, input, text};
use benchdog_app::State;
use benchdog_app::layout::Pane;
use benchdog_app::line::Line;
use benchdog_app::panes::conversation::{Sought, WIDEST};
use benchdog_app::panes::welcome;
use benchdog_keys::Action;
use benchdog_keys::action::ConversationAction;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

/// Paints the pane. Returns the cursor position if the find line has the focus.
pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush, cache: &mut Cache) -> Option<Position> {
    if let Some(open) = &state.screen.changes.open {
        let keyboard = has_keyboard(state, Pane::Changes);
        return diff::draw(&open.view, keyboard, area, brush, cache);
    }
    let conversation = &state.screen.conversation;
    if state.screen.watched.is_some() && conversation.rows().is_empty() {
        empty(word(Word::ReadingFile), area, brush);
    } else if welcome::is_shown(state) {
        super::welcome::draw(state, conversation.rows().len(), area, brush);
    }
    let selected = conversation
        .selected
        .filter(|_| has_keyboard(state, Pane::Conversation) || has_keyboard(state, Pane::Prompt));
    // Backgrounds of text end at the maximum text width, not at the edge of the pane.
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
            // The cursor bar is drawn in the empty column to the left of the pane.
            brush.scoped(area.x.saturating_sub(1), y, 1, "▌", Scope::TextAccent);
        }
    }
    let (first, shown, all) = conversation.scroll_bar();
    scroll::bar(Extent { first, shown, all }, area, area.right(), brush);
    find(state, area, brush)
}

fn colours(state: &State, block: usize, line: &Line, area: Rect, y: u16, brush: &mut Brush, cache: &mut Cache) {
    let Some(place) = line.code else { return };
    if let Some(source) = state.screen.conversation.code(block, place.fence) {
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

fn find(state: &State, area: Rect, brush: &mut Brush) -> Option<Position> {
    let find = state.screen.conversation.find.as_ref()?;
    let hits = match (find.has_gone(), find.sought, find.hits) {
        // Show no text for an empty query, or if the part that was not searched may contain matches.
        (_, None, _) | (false, Some(Sought::Newest(0)), _) => String::new(),
        (false, Some(Sought::All(0)), _) | (true, _, 0) => word(Word::NotFound).to_owned(),
        (false, Some(Sought::All(hits)), _) => lang::message::count_lines(hits),
        (false, Some(Sought::Newest(hits)), _) => lang::message::find_at_least(hits),
        (true, _, hits) => {
            let key = |action| state.keymap.hint(Action::Conversation(action));
            let (next, previous) = (key(ConversationAction::FindNext), key(ConversationAction::FindPrevious));
            lang::find_hits(find.at, hits, &next, &previous)
        }
    };
    let caret = input::find(&find.query, &hits, area, brush)?;
    find.typing.then_some(caret)
}
