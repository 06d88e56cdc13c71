//! A file of the workspace, read only, with its lines numbered.

use std::borrow::Cow;

use ratatui::layout::{Position, Rect};

use super::paragraph;
use crate::app::dialogs::viewer::Viewer;
use crate::base::text::{expand_tabs, reveal};
use crate::lang::{Word, word};
use crate::theme::Scope;
use crate::ui::brush::{Brush, columns};
use crate::ui::highlight::{Cache, Code, Key};
use crate::ui::widgets::frame::{self, Head};

pub(in crate::ui) fn draw(
    viewer: &Viewer,
    closes: &str,
    area: Rect,
    brush: &mut Brush,
    cache: &mut Cache,
) -> Option<Position> {
    let title = [(viewer.path.as_str(), Scope::BorderTitleFocused)];
    let inside = frame::draw(
        &Head {
            title: &title,
            note: closes,
            line: Scope::BorderFocused,
        },
        area,
        brush,
    );
    let text = match &viewer.text {
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
    let line = |at: usize| Cow::Owned(shown(lines.get(at).copied().unwrap_or_default()));
    let code = Code {
        key: Key::File {
            path: viewer.path.clone(),
        },
        language: &viewer.path,
        count: lines.len(),
        line: &line,
    };
    let digits = u16::try_from(lines.len().max(1).ilog10() + 1).unwrap_or(6).max(3);
    for (y, (place, raw)) in (inside.y..inside.bottom()).zip(lines.iter().enumerate().skip(viewer.top)) {
        brush.right(
            inside.x + digits,
            y,
            digits,
            &(place + 1).to_string(),
            Scope::DiffNumber,
        );
        let x = inside.x + digits + 2;
        let text = shown(raw);
        let row = Rect::new(x, y, inside.right().saturating_sub(x), 1);
        brush.scoped(x, y, row.width, &text, Scope::Text);
        if let Some(parts) = cache.parts(&code, place) {
            for (range, scope) in parts {
                if let (Some(before), Some(word)) = (text.get(..range.start), text.get(range.clone())) {
                    let from = x.saturating_add(columns(before));
                    brush.tint(Rect::new(from, y, columns(word), 1).intersection(row), *scope);
                }
            }
        }
    }
    None
}

fn shown(line: &str) -> String {
    expand_tabs(&reveal(line)).into_owned()
}
