//! The inline editor of a proposal, with line numbers and syntax highlighting.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::layout::{Position, Rect};

use crate::brush::{Brush, columns};
use crate::highlight::{Cache, Code, Key, row_parts};
use crate::widgets::input;
use benchdog_app::dialogs::approval::{RequestView, Waiting};
use benchdog_app::dialogs::editor::{Beside, Editor};
use benchdog_app::panes::prompt::buffer::BufferRow;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

pub(super) fn draw(
    editor: &Editor,
    waiting: &Waiting,
    area: Rect,
    text: Rect,
    brush: &mut Brush,
    cache: &mut Cache,
) -> Position {
    let path = match &waiting.view {
        RequestView::Files(view) => view.files.get(editor.file).map_or("", |file| file.path.as_str()),
        RequestView::Question(_) | RequestView::Rows { .. } | RequestView::Unseen => "",
    };
    let (first, last, all) = editor.lines();
    let head = match editor.beside {
        None => lang::editing(path, first, last, all),
        Some(Beside::Kept) => word(Word::SavedBesideEdit).to_owned(),
        Some(Beside::Replaced) => word(Word::EditReplacesSaved).to_owned(),
    };
    brush.scoped(area.x, area.y, area.width, &head, Scope::TextHeading);
    for (y, number) in (text.y..text.bottom()).zip(editor.numbers()) {
        let number = number.map_or_else(|| "↪".to_owned(), |number| number.to_string());
        let end = text.x.saturating_sub(2);
        brush.right(end, y, end.saturating_sub(area.x), &number, Scope::DiffNumber);
    }
    let caret = input::buffer(editor.buffer.view(), text, brush);
    colour(editor, path, text, brush, cache);
    for (y, row) in (text.y..text.bottom()).zip(&editor.buffer.view().rows) {
        for hit in editor.found_in(row.bytes.clone()) {
            tint(
                editor,
                row,
                &hit,
                Rect { y, height: 1, ..text },
                Scope::SelectedMatch,
                brush,
            );
        }
        input::selected(row, text, y, brush);
    }
    let found = editor.find.as_ref();
    found
        .and_then(|find| input::find_line(&find.line, area, brush))
        .unwrap_or(caret)
}

fn colour(editor: &Editor, path: &str, area: Rect, brush: &mut Brush, cache: &mut Cache) {
    let text = editor.buffer.text();
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let line = |at: usize| {
        let from = starts.get(at).copied().unwrap_or(text.len());
        let to = starts.get(at + 1).map_or(text.len(), |next| next - 1);
        Cow::Borrowed(text.get(from..to).unwrap_or_default())
    };
    let code = Code {
        key: Key::Edited { path: path.to_owned() },
        language: path,
        count: starts.len(),
        line: &line,
    };
    for (y, row) in (area.y..area.bottom()).zip(&editor.buffer.view().rows) {
        let number = starts
            .partition_point(|start| *start <= row.bytes.start)
            .saturating_sub(1);
        let before = row.bytes.start - starts.get(number).copied().unwrap_or_default();
        let Some(parts) = cache.parts(&code, number) else {
            continue;
        };
        for (part, scope) in row_parts(parts, before, row.bytes.len()) {
            let part = row.bytes.start + part.start..row.bytes.start + part.end;
            tint(editor, row, &part, Rect { y, height: 1, ..area }, scope, brush);
        }
    }
}

fn tint(editor: &Editor, row: &BufferRow, part: &Range<usize>, area: Rect, scope: Scope, brush: &mut Brush) {
    let shown = editor.buffer.shown_part(&row.bytes, part);
    let before = row.text.get(..shown.start).unwrap_or_default();
    let words = row.text.get(shown).unwrap_or_default();
    let place = Rect {
        x: area.x.saturating_add(columns(before)),
        width: columns(words),
        ..area
    };
    brush.tint(place.intersection(area), scope);
}
