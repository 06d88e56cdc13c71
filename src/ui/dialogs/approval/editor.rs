//! A proposal being edited in its place, with the numbers its lines have in the file.

use ratatui::layout::{Position, Rect};

use super::below;
use crate::app::dialogs::approval::{RequestView, Waiting};
use crate::app::dialogs::editor::Editor;
use crate::lang;
use crate::theme::Scope;
use crate::ui::brush::Brush;
use crate::ui::widgets::input;

pub(super) fn draw(editor: &Editor, waiting: &Waiting, area: Rect, brush: &mut Brush) -> Position {
    let path = match &waiting.view {
        RequestView::Files(view) => view.files.get(editor.file).map_or("", |file| file.path.as_str()),
        RequestView::Question(_) | RequestView::Rows { .. } | RequestView::Unseen => "",
    };
    let (first, last, all) = editor.lines();
    let head = lang::editing(path, first, last, all);
    brush.scoped(area.x, area.y, area.width, &head, Scope::TextHeading);
    let text = below(area, area.y.saturating_add(1).min(area.bottom()));
    let gutter = editor.gutter().min(text.width);
    for (y, number) in (text.y..text.bottom()).zip(editor.numbers()) {
        let number = number.map_or_else(|| "↪".to_owned(), |number| number.to_string());
        let end = text.x + gutter.saturating_sub(2);
        brush.right(end, y, gutter.saturating_sub(2), &number, Scope::DiffNumber);
    }
    let inside = Rect {
        x: text.x + gutter,
        width: text.width - gutter,
        ..text
    };
    input::buffer(editor.buffer.view(), inside, brush)
}
