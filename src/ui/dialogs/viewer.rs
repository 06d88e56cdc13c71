//! The read-only viewer with line numbers.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::layout::{Position, Rect};

use super::paragraph;
use crate::brush::{Brush, columns};
use crate::highlight::{Cache, Code, Coloured, Key};
use crate::widgets::frame::{self, Head};
use benchdog_app::dialogs::viewer::{self, Viewer};
use benchdog_base::text::shown_line;
use benchdog_lang::{Word, word};
use benchdog_theme::Scope;

pub(crate) fn draw(shown: &Viewer, closes: &str, area: Rect, brush: &mut Brush, cache: &mut Cache) -> Option<Position> {
    let title = [(shown.path.as_str(), Scope::BorderTitleFocused)];
    let inside = frame::draw(
        &Head {
            title: &title,
            note: closes,
            line: Scope::BorderFocused,
        },
        area,
        brush,
    );
    match &shown.text {
        None => {
            let reading = word(Word::ReadingFile);
            brush.scoped(inside.x, inside.y, inside.width, reading, Scope::TextDim);
        }
        Some(Err(reason)) => {
            paragraph(reason, inside, Scope::StateError, brush);
        }
        Some(Ok(_)) => lines(shown, inside, brush, cache),
    }
    None
}

fn lines(shown: &Viewer, inside: Rect, brush: &mut Brush, cache: &mut Cache) {
    let lines = &shown.lines;
    let line = |at: usize| Cow::Owned(shown_line(&lines.shown(at)).into_owned());
    let code = Code {
        key: Key::Text {
            id: lines.id(),
            path: shown.path.clone(),
        },
        language: &shown.path,
        count: lines.len(),
        line: &line,
    };
    let width = viewer::text_columns(usize::from(inside.width), lines.len());
    let digits = u16::try_from(viewer::digits(lines.len())).unwrap_or(6);
    let x = inside.x + digits + 2;
    let mut y = inside.y;
    for place in shown.top..lines.len() {
        if y >= inside.bottom() {
            break;
        }
        let number = (place + 1).to_string();
        let is_wanted = shown.wanted == Some(place);
        let scope = if is_wanted {
            Scope::TextAccent
        } else {
            Scope::DiffNumber
        };
        brush.right(inside.x + digits, y, digits, &number, scope);
        if is_wanted {
            brush.scoped(inside.x + digits + 1, y, 1, "›", Scope::TextAccent);
        }
        let (text, rows) = viewer::rows_of(&lines.shown(place), width);
        let parts = cache.parts(&code, place).unwrap_or_default();
        for range in rows.into_iter().take(usize::from(inside.bottom() - y)) {
            let at = Rect::new(x, y, inside.right().saturating_sub(x), 1);
            row(&text, range, parts, at, brush);
            y += 1;
        }
    }
}

fn row(text: &str, range: Range<usize>, parts: &[Coloured], at: Rect, brush: &mut Brush) {
    let shown = text.get(range.clone()).unwrap_or_default();
    brush.scoped(at.x, at.y, at.width, shown, Scope::Text);
    for (part, scope) in parts {
        let part = part.start.max(range.start)..part.end.min(range.end);
        if let (Some(before), Some(word)) = (text.get(range.start..part.start), text.get(part)) {
            let from = at.x.saturating_add(columns(before));
            brush.tint(Rect::new(from, at.y, columns(word), 1).intersection(at), *scope);
        }
    }
}
