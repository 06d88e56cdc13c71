//! Runs of styled text, and how they wrap.

use crate::app::line::{Line, Role, Span};
use crate::base::text;

/// Styled text being gathered. Neighbours of one role are one span.
#[derive(Debug, Clone, Default)]
pub(super) struct Inline {
    pub(super) spans: Vec<Span>,
}

impl Inline {
    pub(super) fn push(&mut self, role: Role, text: &str) {
        match self.spans.last_mut() {
            Some(last) if last.role == role => last.text.push_str(text),
            _ => self.spans.push(Span {
                text: text.to_owned(),
                role,
            }),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spans.iter().all(|span| span.text.is_empty())
    }

    /// Columns of the widest line, and of the widest word.
    pub(super) fn widths(&self) -> (usize, usize) {
        let whole = self.plain();
        let line = whole.lines().map(text::width).max().unwrap_or(0);
        let word = whole.split_whitespace().map(text::width).max().unwrap_or(0);
        (line, word)
    }

    fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// The rows of this text in `width` columns. Line breaks in the text are kept.
    pub(super) fn rows(&self, width: usize) -> Vec<Line> {
        let whole = self.plain();
        let mut rows = Vec::new();
        let mut start = 0;
        for line in whole.split('\n') {
            for range in text::wrap(line, width.max(1)) {
                rows.push(self.slice(start + range.start, start + range.end));
            }
            start += line.len() + 1;
        }
        rows
    }

    /// The spans between two bytes of the plain text.
    fn slice(&self, from: usize, to: usize) -> Line {
        let mut line = Line::default();
        let mut at = 0;
        for span in &self.spans {
            let (start, end) = (from.max(at), to.min(at + span.text.len()));
            if start < end {
                line.push(span.role, span.text.get(start - at..end - at).unwrap_or_default());
            }
            at += span.text.len();
        }
        line
    }
}
