//! A row of a fenced code block, with background, name of the language, and syntax colours.

use std::borrow::Cow;

use ratatui::layout::Rect;

use crate::brush::{Brush, columns};
use crate::highlight::{Cache, Code, Key, row_parts};
use benchdog_app::line::Line;
use benchdog_app::markdown::CodeBlock;
use benchdog_theme::Scope;

/// Whether this line shows the name of the language. The first line with enough space shows it.
fn names_language(source: &CodeBlock, line: usize, room: u16) -> bool {
    let has_room = |line: &String| columns(line) <= room;
    !source.lang.is_empty() && source.lines.iter().position(has_room) == Some(line)
}

pub(crate) fn colour(source: &CodeBlock, key: Key, line: &Line, area: Rect, brush: &mut Brush, cache: &mut Cache) {
    let Some(place) = line.code else { return };
    let y = area.y;
    let at = |line: usize| Cow::Borrowed(source.lines.get(line).map_or("", String::as_str));
    let code = Code {
        key,
        language: &source.lang,
        count: source.lines.len(),
        line: &at,
    };
    let row = Rect { height: 1, ..area };
    brush.tint(row, Scope::TextCode);
    let lead: u16 = line.spans.iter().take(line.lead).map(|span| columns(&span.text)).sum();
    let room = area.width.saturating_sub(lead + columns(&source.lang) + 3);
    if place.start == 0 && names_language(source, place.line, room) {
        brush.right(
            area.right().saturating_sub(1),
            y,
            area.width,
            &source.lang,
            Scope::TextDim,
        );
    }
    let Some(parts) = cache.parts(&code, place.line) else {
        return;
    };
    let mut x = area.x;
    for span in line.spans.iter().take(line.lead) {
        x += columns(&span.text);
    }
    let shown: String = line
        .spans
        .iter()
        .skip(line.lead)
        .map(|span| span.text.as_str())
        .collect();
    for (range, scope) in row_parts(parts, place.start, shown.len()) {
        if let (Some(before), Some(word)) = (shown.get(..range.start), shown.get(range.clone())) {
            let from = x + columns(before);
            brush.tint(Rect::new(from, y, columns(word), 1).intersection(row), scope);
        }
    }
}

#[cfg(test)]
mod tests;
