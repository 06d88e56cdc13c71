//! A row of a fenced block of code: its ground, its language, its colours.

use std::borrow::Cow;

use ratatui::layout::Rect;

use crate::app::line::Line;
use crate::app::markdown::CodeBlock;
use crate::theme::Scope;
use crate::ui::brush::{Brush, columns};
use crate::ui::highlight::{Cache, Code, Key, row_parts};

/// Colours the row of `source` that was painted at the top of `area`.
pub(in crate::ui) fn colour(
    source: &CodeBlock,
    key: Key,
    line: &Line,
    area: Rect,
    brush: &mut Brush,
    cache: &mut Cache,
) {
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
    if place.line == 0 && place.start == 0 {
        let taken = u16::try_from(line.width() + 2).unwrap_or(u16::MAX);
        let room = area.width.saturating_sub(taken);
        brush.right(area.right().saturating_sub(1), y, room, &source.lang, Scope::TextDim);
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
