//! What went wrong, why, and what helps.

use ratatui::layout::{Position, Rect};

use super::paragraph;
use crate::app::dialogs::error::ErrorDialog;
use crate::theme::Scope;
use crate::ui::brush::Brush;
use crate::ui::widgets::frame::{self, Head, KeyHint};

pub(in crate::ui) fn draw(error: &ErrorDialog, area: Rect, brush: &mut Brush) -> Option<Position> {
    let title = [("✗ ", Scope::StateError), ("error", Scope::BorderTitleFocused)];
    let code = error.code.replace('_', " ");
    let inside = frame::draw(
        &Head {
            title: &title,
            note: &code,
            line: Scope::BorderFocused,
        },
        area,
        brush,
    );
    let y = paragraph(&error.text, inside, Scope::Text, brush);
    if !error.hint.is_empty() {
        let below = Rect {
            y: y + 1,
            height: inside.bottom().saturating_sub(y + 1),
            ..inside
        };
        paragraph(&error.hint, below, Scope::TextDim, brush);
    }
    if let Some(y) = inside.bottom().checked_sub(1).filter(|y| *y > inside.y) {
        frame::keys(
            &[KeyHint {
                key: "Esc",
                text: "close",
            }],
            inside,
            y,
            Scope::DialogKey,
            brush,
        );
    }
    None
}
