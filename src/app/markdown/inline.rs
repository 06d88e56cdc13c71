//! Runs of styled text, and their wrapping.

use std::ops::Range;

use crate::line::{Line, Role, Span};
use benchdog_base::link::{self, Link};
use benchdog_base::text;

#[derive(Debug, Clone, Default)]
pub(super) struct Inline {
    pub(super) spans: Vec<Span>,
}

impl Inline {
    pub(super) fn push(&mut self, role: Role, text: &str) {
        self.linked(role, text, None);
    }

    pub(super) fn linked(&mut self, role: Role, text: &str, link: Option<&Link>) {
        match self.spans.last_mut() {
            Some(last) if last.role == role && last.link.as_ref() == link => last.text.push_str(text),
            _ => self.spans.push(Span {
                text: text.to_owned(),
                role,
                link: link.cloned(),
            }),
        }
    }

    pub(super) fn find_links(&mut self) {
        if !self
            .spans
            .iter()
            .any(|span| span.link.is_none() && span.text.contains("://"))
        {
            return;
        }
        for span in std::mem::take(&mut self.spans) {
            let found = if span.link.is_none() {
                link::find(&span.text)
            } else {
                Vec::new()
            };
            let mut rest = 0;
            for (range, link) in found {
                let end = range.end;
                self.piece(&span, rest..range.start, None);
                self.piece(&span, range, Some(link));
                rest = end;
            }
            match rest {
                0 => self.spans.push(span),
                _ => self.piece(&span, rest..span.text.len(), None),
            }
        }
    }

    fn piece(&mut self, of: &Span, range: Range<usize>, link: Option<Link>) {
        let text = of.text.get(range).unwrap_or_default().to_owned();
        if !text.is_empty() {
            self.spans.push(Span {
                text,
                role: of.role,
                link,
            });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spans.iter().all(|span| span.text.is_empty())
    }

    pub(super) fn widths(&self) -> (usize, usize) {
        let whole = self.plain();
        let line = whole.lines().map(text::width).max().unwrap_or(0);
        let word = whole.split_whitespace().map(text::width).max().unwrap_or(0);
        (line, word)
    }

    fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

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

    /// Returns the spans of a byte range. `place` is the end of the previous range, because ranges must ascend.
    fn slice(&self, from: usize, to: usize, place: &mut Place) -> Line {
        let mut line = Line::default();
        while let Some(span) = self.spans.get(place.span) {
            let (first, end) = (place.first, place.first + span.text.len());
            let (from, upto) = (from.max(first), to.min(end));
            if from < upto {
                line.spans.push(Span {
                    text: span.text.get(from - first..upto - first).unwrap_or_default().to_owned(),
                    role: span.role,
                    link: span.link.clone(),
                });
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

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    span: usize,
    first: usize,
}

#[cfg(test)]
mod tests;
