//! A read-only viewer for a file, a session entry, or the program's log.

use std::ops::Range;
use std::sync::Arc;

use ratatui::layout::Rect;

use super::log::Again;
use crate::marking::{Marking, Row, lines};
use benchdog_base::id::EntryId;
use benchdog_base::text::{shown_line, wrap};
use benchdog_diff::Text;

const LINE: usize = 64 * 1024;

pub struct Viewer {
    pub path: String,
    /// The log entry that is shown. `None` for a file.
    pub entry: Option<EntryId>,
    pub text: Option<Result<Arc<str>, String>>,
    /// The lines of the text. Empty until the text is loaded.
    pub lines: Text,
    pub top: usize,
    pub(super) last_top: usize,
    pub again: Again,
    /// The line to scroll to (0-based) when the text is loaded.
    pub wanted: Option<usize>,
}

const ABOVE: usize = 3;

impl Viewer {
    pub(crate) fn new(path: String) -> Self {
        Self {
            path,
            entry: None,
            text: None,
            lines: Text::of(Arc::default()),
            top: 0,
            last_top: 0,
            again: Again::Never,
            wanted: None,
        }
    }

    pub(crate) fn at(path: String, line: Option<usize>) -> Self {
        Self {
            wanted: line.map(|line| line.saturating_sub(1)),
            ..Self::new(path)
        }
    }

    pub(crate) fn fill(&mut self, text: Result<Arc<str>, String>) {
        let bytes: Option<Arc<[u8]>> = text.as_ref().ok().map(|text| Arc::clone(text).into());
        self.lines = Text::of(bytes.unwrap_or_default());
        self.text = Some(text);
        if let Some(wanted) = self.wanted {
            self.top = wanted.saturating_sub(ABOVE);
        }
    }

    pub fn arrange(&mut self, columns: usize, height: usize) {
        let Some(Ok(_)) = &self.text else { return };
        let all = self.lines.len();
        let width = text_columns(columns, all);
        let mut rows = 0;
        let fits = (0..all).rev().take(height).take_while(|line| {
            rows += rows_of(&self.lines.shown(*line), width).1.len();
            rows <= height
        });
        self.last_top = all - fits.count().clamp(1.min(all), all);
        self.top = self.top.min(self.last_top);
    }

    pub(crate) fn scroll(&mut self, by: isize) {
        let last = self.lines.len().saturating_sub(1);
        self.top = self.top.saturating_add_signed(by).min(last);
    }
}

impl Viewer {
    pub(crate) fn marked_rows(&self, area: Rect) -> Vec<Option<Row>> {
        let all = self.lines.len();
        let columns = text_columns(usize::from(area.width), all);
        let x = area.right().saturating_sub(u16::try_from(columns).unwrap_or(0));
        let rows = (self.top..all).flat_map(|line| {
            let (shown, rows) = rows_of(&self.lines.shown(line), columns);
            let row = move |range: Range<usize>| {
                Some(Row {
                    place: (line, 0),
                    x,
                    start: range.start,
                    text: shown.get(range).unwrap_or_default().to_owned(),
                })
            };
            rows.into_iter().map(row)
        });
        rows.take(usize::from(area.height)).collect()
    }

    pub(crate) fn marked_text(&self, marking: &Marking) -> String {
        let ((first, _), (last, _)) = marking.ends();
        let marked = first.0..(last.0 + 1).min(self.lines.len());
        lines(
            marking,
            marked.map(|line| {
                let written = self.lines.shown(line);
                ((line, 0), shown_line(&written).into_owned(), written)
            }),
        )
    }
}

pub fn digits(line_count: usize) -> usize {
    (line_count.max(1).ilog10() as usize + 1).max(3)
}

pub fn text_columns(columns: usize, line_count: usize) -> usize {
    columns.saturating_sub(digits(line_count) + 2).max(1)
}

pub fn rows_of(line: &str, columns: usize) -> (String, Vec<Range<usize>>) {
    let text = shown_line(line.get(..line.floor_char_boundary(LINE)).unwrap_or_default()).into_owned();
    let rows = wrap(&text, columns);
    (text, rows)
}
