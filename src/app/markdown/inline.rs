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
        let mut place = Place::default();
        for line in whole.split('\n') {
            let mut end = None;
            for range in text::wrap(line, width.max(1)) {
                rows.push(Line {
                    goes_on: end.map(|end| range.start - end),
                    ..self.slice(start + range.start, start + range.end, &mut place)
                });
                end = Some(range.end);
            }
            start += line.len() + 1;
        }
        rows
    }

    /// The spans between two bytes of the plain text. `place` is where the slice before this one ended.
    fn slice(&self, from: usize, to: usize, place: &mut Place) -> Line {
        let mut line = Line::default();
        while let Some(span) = self.spans.get(place.span) {
            let (first, end) = (place.first, place.first + span.text.len());
            let (from, upto) = (from.max(first), to.min(end));
            if from < upto {
                line.push(span.role, span.text.get(from - first..upto - first).unwrap_or_default());
            }
            if to < end {
                break;
            }
            *place = Place {
                span: place.span + 1,
                first: end,
            };
        }
        line
    }
}

/// A span, and the byte of the plain text at which it begins.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    span: usize,
    first: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_spans_in_one_paragraph_are_laid_out_in_one_go() {
        let mut inline = Inline::default();
        for _ in 0..50_000 {
            inline.push(Role::Text, "a ");
            inline.push(Role::InlineCode, "b\nc");
        }
        let rows = inline.rows(7);
        let text: String = rows
            .iter()
            .flat_map(|row| &row.spans)
            .map(|span| span.text.as_str())
            .collect();
        assert_eq!(text, "a bc".repeat(50_000));
        assert!(rows.iter().all(|row| {
            row.spans
                .iter()
                .all(|span| (span.role == Role::Text) == (span.text == "a "))
        }));
    }
}
