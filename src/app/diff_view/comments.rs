//! What the person says about lines of a diff.

use super::cells::LogicalRow;
use super::{DiffFile, DiffView};
use crate::base::text::wrap;
use crate::diff::Line;
use crate::lang;

/// Columns that a comment is set in by.
const SET_IN: usize = 6;

impl DiffView {
    /// The line a comment made now would be about: its file, and the line itself.
    pub(crate) fn commented(&self) -> Option<(usize, Line)> {
        let (file, lines) = self.lines_at_cursor()?;
        Some((file, lines.first().copied()?))
    }

    pub(crate) fn comment_on(&self, at: (usize, Line)) -> Option<&str> {
        self.comments.get(&at).map(String::as_str)
    }

    /// An empty comment is none.
    pub(crate) fn set_comment(&mut self, at: (usize, Line), text: &str) {
        let text = text.trim();
        if text.is_empty() {
            self.comments.remove(&at);
        } else {
            self.comments.insert(at, text.to_owned());
        }
        self.follow_cursor();
    }

    /// The path and the number of a line, from 1.
    pub(crate) fn place_of(&self, (file, line): (usize, Line)) -> Option<(&str, usize)> {
        let (Line::Before(at) | Line::After(at)) = line;
        Some((self.files.get(file)?.path.as_str(), at + 1))
    }

    /// All comments as the model reads them, each with its place and its code.
    pub(crate) fn message(&self) -> Option<String> {
        if self.comments.is_empty() {
            return None;
        }
        let mut message = lang::comments_head();
        for (at, text) in &self.comments {
            let Some((path, number)) = self.place_of(*at) else {
                continue;
            };
            let Some(sides) = self.files.get(at.0).map(DiffFile::sides) else {
                continue;
            };
            let (proposed, code) = match at.1 {
                Line::Before(line) => (false, sides.left(line)),
                Line::After(line) => (true, sides.right(line)),
            };
            let place = lang::comment_place(path, number, proposed);
            message.push_str(&format!("\n\n{place}:\n    {}\n{text}", DiffFile::shown(&code).trim()));
        }
        Some(message)
    }

    /// The rows of the comments on a row's lines.
    pub(super) fn comment_rows(&self, row: usize) -> Vec<String> {
        if self.comments.is_empty() {
            return Vec::new();
        }
        let Some(LogicalRow::Lines { file, left, right, .. }) = self.row(row) else {
            return Vec::new();
        };
        // What is the same in both is about the line as it will be.
        let left = left.filter(|_| right.is_none() || self.is_pair(row)).map(Line::Before);
        let texts = left.into_iter().chain(right.map(Line::After));
        let texts = texts.filter_map(|line| self.comments.get(&(file, line)));
        let columns = usize::from(self.width).saturating_sub(SET_IN).max(1);
        texts
            .flat_map(|text| {
                let rows = wrap(text, columns).into_iter();
                rows.enumerate().map(|(n, range)| {
                    let mark = if n == 0 { "»" } else { " " };
                    format!("{mark:>4} {}", text.get(range).unwrap_or_default())
                })
            })
            .collect()
    }
}
