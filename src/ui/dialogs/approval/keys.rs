//! The key hints of a request.

use ratatui::layout::Rect;

use crate::brush::Brush;
use benchdog_app::State;
use benchdog_app::dialogs::approval::Waiting;
use benchdog_app::view::request_keys::{Look, placed};
use benchdog_theme::Scope;

/// The prefix of keys that are temporarily disabled.
const DISABLED: &str = "…";

pub(super) fn draw(state: &State, waiting: &Waiting, row: Rect, brush: &mut Brush) {
    let hints = placed(state, waiting, row);
    if hints.iter().any(|hint| hint.look == Look::Disabled) {
        brush.scoped(row.x, row.y, 1, DISABLED, Scope::TextDim);
    }
    for hint in hints {
        let [key, between, words] = match hint.look {
            Look::Pressed => [Scope::Selected; 3],
            Look::Disabled => [Scope::DialogKeyAsleep, Scope::Dialog, Scope::TextDim],
            Look::Plain => [Scope::DialogKey, Scope::Dialog, Scope::TextDim],
        };
        let pieces = [(hint.key.as_str(), key), (" ", between), (hint.text, words)];
        brush.run(hint.x, row.y, row.right(), &pieces);
    }
}
