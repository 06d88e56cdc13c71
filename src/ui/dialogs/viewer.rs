//! A file of the workspace, read only, with its lines numbered.

use std::borrow::Cow;

use ratatui::layout::{Position, Rect};

use super::paragraph;
use crate::app::dialogs::viewer::{self, Viewer};
use crate::lang::{Word, word};
use crate::theme::Scope;
use crate::ui::brush::{Brush, columns};
use crate::ui::highlight::{Cache, Code, Key};
use crate::ui::widgets::frame::{self, Head};

pub(in crate::ui) fn draw(
    shown: &Viewer,
    closes: &str,
    area: Rect,
    brush: &mut Brush,
    cache: &mut Cache,
) -> Option<Position> {
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
    let text = match &shown.text {
        None => {
            brush.scoped(
                inside.x,
                inside.y,
                inside.width,
                word(Word::ReadingFile),
                Scope::TextDim,
            );
            return None;
        }
        Some(Err(reason)) => {
            paragraph(reason, inside, Scope::StateError, brush);
            return None;
        }
        Some(Ok(text)) => text,
    };
    let lines: Vec<&str> = text.lines().collect();
    let line = |at: usize| Cow::Owned(viewer::shown(lines.get(at).copied().unwrap_or_default()));
    let code = Code {
        key: Key::File {
            path: shown.path.clone(),
        },
        language: &shown.path,
        count: lines.len(),
        line: &line,
    };
    let width = viewer::text_columns(usize::from(inside.width), lines.len());
    let digits = u16::try_from(viewer::digits(lines.len())).unwrap_or(6);
    let mut y = inside.y;
    for (place, raw) in lines.iter().enumerate().skip(shown.top) {
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
        let (text, rows) = viewer::rows_of(raw, width);
        let parts = cache.parts(&code, place).unwrap_or_default();
        for range in rows.into_iter().take(usize::from(inside.bottom() - y)) {
            let x = inside.x + digits + 2;
            let row = Rect::new(x, y, inside.right().saturating_sub(x), 1);
            brush.scoped(
                x,
                y,
                row.width,
                text.get(range.clone()).unwrap_or_default(),
                Scope::Text,
            );
            for (part, scope) in parts {
                let part = part.start.max(range.start)..part.end.min(range.end);
                if let (Some(before), Some(word)) = (text.get(range.start..part.start), text.get(part)) {
                    let from = x.saturating_add(columns(before));
                    brush.tint(Rect::new(from, y, columns(word), 1).intersection(row), *scope);
                }
            }
            y += 1;
        }
    }
    None
}
