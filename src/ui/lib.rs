//! Rendering: `draw` is a pure function of state, theme and size, and paints into a buffer.
//!
//! Files are named like the state that they paint: `ui/panes/changes` paints `app/panes/changes`. The cache contains
//! only highlighted code, which can be computed again.

mod brush;
mod dialogs;
mod frame;
mod highlight;
mod number;
mod panes;
mod status;
mod widgets;

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use benchdog_app::State;
use benchdog_app::dialogs::Dialog;
use benchdog_app::layout::Pane;
use benchdog_app::view::surfaces;
use benchdog_keys::Action;
use benchdog_keys::action::PickerAction;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::{Scope, Theme};
use brush::{Brush, columns};
pub use frame::Frame;
pub use highlight::{Cache, Done, Request, Worker};

/// The minimum window size. A smaller window shows only a message.
const SMALLEST: (u16, u16) = (20, 5);

/// Paints every cell of the frame. Returns the cursor position. `None` if no text input has the focus.
pub fn draw(state: &State, theme: &Theme, cache: &mut Cache, frame: &mut Frame) -> Option<Position> {
    let area = frame.cells.area;
    frame.links.forget();
    let mut brush = Brush {
        buffer: &mut frame.cells,
        links: &mut frame.links,
        theme,
    };
    brush.clear(area, Scope::Text);
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        brush.scoped(0, 0, area.width, word(Word::TooSmall), Scope::Text);
        return None;
    }
    cache.begin(state);
    paint(state, &mut brush, cache).filter(|caret| area.contains(*caret))
}

/// Paints the prompt over the previous frame. Returns the changed rows and the cursor position.
pub fn draw_prompt(state: &State, theme: &Theme, frame: &mut Frame) -> (Range<u16>, Option<Position>) {
    let area = state.layout.prompt.unwrap_or_default();
    let mut brush = Brush {
        buffer: &mut frame.cells,
        links: &mut frame.links,
        theme,
    };
    (area.top()..area.bottom(), panes::prompt_anew(state, area, &mut brush))
}

fn paint(state: &State, brush: &mut Brush, cache: &mut Cache) -> Option<Position> {
    widgets::border::panes(state, brush);
    let mut caret = panes::draw(state, brush, cache);
    status::draw(state, brush);
    if let Some(area) = state.layout.approval {
        match state.screen.approvals.front() {
            Some(waiting) => caret = dialogs::approval::draw(state, waiting, area, brush, cache).or(caret),
            None => dialogs::approval::draw_empty(state, area, brush),
        }
    }
    panes::completion(state, brush);
    if let (Some(area), Some(dialog)) = (state.layout.dialog, &state.screen.dialog) {
        beside(state, area, brush);
        let closes = lang::closes(&state.keymap.hint(dialog.close()));
        caret = match dialog {
            Dialog::Palette(palette) => dialogs::palette::draw(palette, area, brush),
            Dialog::Picker(picker) => dialogs::picker::draw(picker, area, brush),
            Dialog::Help(help) => dialogs::help::draw(help, &closes, area, brush),
            Dialog::Sheet(sheet) => dialogs::sheet::draw(sheet, &closes, area, brush),
            Dialog::Jobs(shown) => dialogs::jobs::draw(state, shown, &closes, area, brush),
            Dialog::Compaction(shown) => dialogs::compaction::draw(state, shown, &closes, area, brush),
            Dialog::Setup(form) => dialogs::setup::draw(form, &setup_keys(state), area, brush),
            Dialog::Viewer(viewer) => dialogs::viewer::draw(viewer, &closes, area, brush, cache),
        };
    }
    marked(state, brush);
    caret
}

fn setup_keys(state: &State) -> String {
    let keys = [
        PickerAction::Up,
        PickerAction::Down,
        PickerAction::Take,
        PickerAction::Close,
    ];
    let keys = keys.map(|action| state.keymap.hint(Action::Picker(action)));
    lang::setup_keys(keys.each_ref().map(String::as_str))
}

/// Maximum number of columns of text next to a dialog that are too few to read.
const TORN: u16 = 8;

/// Clears the text next to a dialog if at most `TORN` columns of the text would remain visible.
fn beside(state: &State, dialog: Rect, brush: &mut Brush) {
    let panes = Pane::ALL
        .into_iter()
        .filter_map(|pane| Some((state.layout.of(pane)?, true)));
    let others = [state.layout.cards, state.layout.approval_body];
    let others = others.into_iter().flatten().map(|text| (text, false));
    for (text, has_title) in panes.chain(others) {
        let rows = Rect {
            x: text.x,
            width: text.width,
            ..dialog
        };
        let rows = rows.intersection(text);
        for (from, to) in [(text.x, dialog.x), (dialog.right(), text.right())] {
            let gap = to.saturating_sub(from);
            if (1..=TORN).contains(&gap) && text.x < dialog.right() && dialog.x < text.right() {
                let torn = Rect {
                    x: from,
                    width: gap,
                    ..rows
                };
                brush.clear(torn, Scope::Text);
                // The pane's title, in the row above, would be truncated too. Replace the title by the border line.
                if has_title && (dialog.top() + 1..=dialog.bottom()).contains(&text.y) {
                    let from = from.saturating_sub(u16::from(from == text.x));
                    let gap = to.saturating_sub(from);
                    brush.scoped(from, text.y - 1, gap, &"─".repeat(usize::from(gap)), Scope::Border);
                }
            }
        }
    }
}

fn marked(state: &State, brush: &mut Brush) {
    let Some(marking) = state.screen.marking.as_ref().filter(|marking| marking.is_dragged()) else {
        return;
    };
    let Some(area) = surfaces::area(state, marking.surface) else {
        return;
    };
    for (y, row) in (area.y..area.bottom()).zip(surfaces::rows(state, marking.surface)) {
        let Some(row) = row else { continue };
        let Some(bytes) = marking.on(&row) else { continue };
        if let (Some(before), Some(text)) = (row.text.get(..bytes.start), row.text.get(bytes)) {
            let x = row.x.saturating_add(columns(before));
            brush.tint(Rect::new(x, y, columns(text), 1).intersection(area), Scope::Selected);
        }
    }
}

#[cfg(test)]
mod tests;
