//! Search within the inline editor. The current match is selected.

use std::ops::Range;

use regex::Regex;

use super::Editor;
use crate::find::{FindLine, pattern};

/// Maximum number of matches that are counted. A single character may occur millions of times.
const MOST_HITS: usize = 100_000;

#[derive(Debug, Clone)]
pub struct EditorFind {
    pub line: FindLine,
    from: usize,
    sought: Option<Regex>,
}

impl Editor {
    pub(crate) fn find_open(&mut self) {
        let from = self
            .buffer
            .selection()
            .map_or(self.buffer.caret(), |selected| selected.start);
        self.find.get_or_insert(EditorFind {
            line: FindLine::default(),
            from,
            sought: None,
        });
    }

    /// Closes the search. The match stays selected. A later empty query repeats the search.
    pub(crate) fn find_close(&mut self) {
        if let Some(find) = self.find.take().filter(|find| !find.line.query.is_empty()) {
            self.sought_before = find.line.query;
        }
    }

    pub(crate) fn find_edit(&mut self, change: impl FnOnce(&mut String)) {
        let Some(find) = self.find.as_mut() else { return };
        change(&mut find.line.query);
        find.sought = pattern(&find.line.query);
        find.line.hits = None;
        let from = find.from;
        if find.sought.is_none() {
            return self.buffer.go_to(from);
        }
        let hits = self.hits();
        let at = hits.iter().position(|hit| hit.start >= from);
        self.show(&hits, at.or((!hits.is_empty()).then_some(0)));
    }

    /// Repeats the search after the text has changed. `moved` maps old positions to new ones.
    pub(super) fn find_again(&mut self, moved: impl Fn(usize) -> usize) {
        let Some(find) = self.find.as_mut() else { return };
        find.from = moved(find.from);
        let hits = self.hits();
        let caret = self.buffer.caret();
        let here = hits.iter().position(|hit| hit.end == caret);
        self.show(&hits, here);
    }

    pub(crate) fn find_step(&mut self, by: isize) {
        let Some(find) = self.find.as_mut() else { return };
        if find.line.query.is_empty() {
            find.line.query.clone_from(&self.sought_before);
        }
        find.sought = pattern(&find.line.query);
        let hits = self.hits();
        let caret = self.buffer.caret();
        let here = self.buffer.selection().map_or(caret..caret, |selected| selected);
        let next = if by < 0 {
            hits.iter()
                .rposition(|hit| hit.start < here.start)
                .or(hits.len().checked_sub(1))
        } else {
            let next = hits.iter().position(|hit| hit.start >= here.end);
            next.or((!hits.is_empty()).then_some(0))
        };
        self.show(&hits, next);
    }

    pub fn found_in(&self, part: Range<usize>) -> Vec<Range<usize>> {
        let sought = self.find.as_ref().and_then(|find| find.sought.as_ref());
        let Some((sought, text)) = sought.zip(self.buffer.text().get(part.clone())) else {
            return Vec::new();
        };
        let found = sought.find_iter(text).take(MOST_HITS);
        found
            .map(|hit| part.start + hit.start()..part.start + hit.end())
            .collect()
    }

    fn hits(&self) -> Vec<Range<usize>> {
        self.found_in(0..self.buffer.text().len())
    }

    fn show(&mut self, hits: &[Range<usize>], at: Option<usize>) {
        if let Some(hit) = at.and_then(|at| hits.get(at)) {
            self.buffer.select_from(hit.start, hit.end);
        }
        if let Some(find) = self.find.as_mut().filter(|find| find.sought.is_some()) {
            find.line.hits = Some((at.map_or(0, |at| at + 1), hits.len()));
        }
    }
}
