//! A question of the model: options to choose from, and an answer in one's own words.

use ratatui::layout::{Position, Rect};

use super::paragraph;
use crate::app::dialogs::question::QuestionView;
use crate::theme::Scope;
use crate::ui::brush::Brush;
use crate::ui::widgets::input;

pub(super) fn draw(view: &QuestionView, area: Rect, brush: &mut Brush) -> Option<Position> {
    let shown = crate::base::text::reveal(&view.question.text);
    let mut y = paragraph(&shown, area, Scope::TextBright, brush) + 1;
    for (place, option) in view.question.options.iter().enumerate() {
        if y >= area.bottom() {
            return None;
        }
        let chosen = view.chosen.get(place).copied().unwrap_or(false);
        let mark = match (view.question.multiple, chosen) {
            (true, true) => "[x] ",
            (true, false) => "[ ] ",
            (false, _) => "",
        };
        let scope = if place == view.selected {
            Scope::TextBright
        } else {
            Scope::Text
        };
        let sign = if place == view.selected { "› " } else { "  " };
        brush.run(
            area.x,
            y,
            area.right(),
            &[(sign, Scope::TextAccent), (mark, Scope::TextAccent), (option, scope)],
        );
        y += 1;
    }
    if y >= area.bottom() {
        return None;
    }
    let own = view.selected == view.question.options.len();
    let sign = if own { "› " } else { "  " };
    let x = brush.run(area.x, y, area.right(), &[(sign, Scope::TextAccent)]);
    let rest = Rect {
        x,
        y,
        width: area.right().saturating_sub(x),
        height: area.bottom() - y,
    };
    if view.own.is_empty() {
        brush.scoped(x, y, rest.width, "in your own words", Scope::TextDim);
    }
    let caret = input::buffer(view.own.view(), rest, brush);
    own.then_some(caret)
}
