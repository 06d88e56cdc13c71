//! The user's comments on lines of a diff.

use super::cells::LogicalRow;
use super::{DiffFile, DiffView};
use benchdog_base::text::{shown_line, wrap};
use benchdog_diff::{Hunk, Line};
use benchdog_lang as lang;

const SET_IN: usize = 6;

pub(super) struct Comment {
    pub(super) code: String,
    pub(super) text: String,
}

impl DiffView {
    pub(crate) fn commented(&self) -> Option<(usize, Line)> {
        let (file, lines) = self.lines_at_cursor()?;
        Some((file, lines.first().copied()?))
    }

    pub(crate) fn comment_on(&self, at: (usize, Line)) -> Option<&str> {
        self.comments.get(&at).map(|comment| comment.text.as_str())
    }

    pub(crate) fn set_comment(&mut self, at: (usize, Line), text: &str) {
        let text = text.trim();
        if text.is_empty() {
            self.comments.remove(&at);
        } else {
            let (code, text) = (self.code_of(at), text.to_owned());
            self.comments.insert(at, Comment { code, text });
        }
        self.follow_cursor();
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        let edits = self.files.iter().filter_map(DiffFile::own_text);
        let comments = self.comments.values().map(|comment| comment.text.clone());
        edits.chain(comments).collect()
    }

    /// Returns the path and line number (1-based) of a line.
    pub fn place_of(&self, (file, line): (usize, Line)) -> Option<(&str, usize)> {
        let (Line::Before(at) | Line::After(at)) = line;
        Some((self.files.get(file)?.path.as_str(), at + 1))
    }

    fn code_of(&self, (file, line): (usize, Line)) -> String {
        let Some(sides) = self.files.get(file).map(DiffFile::sides) else {
            return String::new();
        };
        let (side, at) = sides.side(line);
        shown_line(&side.shown(at)).into_owned()
    }

    pub(super) fn move_comments(&mut self, file: usize, hunks: &[Hunk]) {
        for (at, comment) in std::mem::take(&mut self.comments) {
            let at = match at {
                (of, Line::After(line)) if of == file => (of, Line::After(moved(line, hunks))),
                at => at,
            };
            self.join_comment(at, comment);
        }
    }

    pub(crate) fn message(&self) -> Option<String> {
        if self.comments.is_empty() {
            return None;
        }
        let mut message = lang::message::for_model_comments_head();
        for (at, Comment { code, text }) in &self.comments {
            let Some((path, number)) = self.place_of(*at) else {
                continue;
            };
            let proposed = matches!(at.1, Line::After(_));
            let place = lang::comment_place(path, number, proposed);
            message.push_str(&format!("\n\n{place}:\n    {}\n{text}", code.trim()));
        }
        Some(message)
    }

    pub(super) fn comment_rows(&self, row: usize) -> Vec<String> {
        if self.comments.is_empty() {
            return Vec::new();
        }
        let Some(LogicalRow::Lines { file, left, right, .. }) = self.row(row) else {
            return Vec::new();
        };
        // A comment on an unchanged line belongs to the new side.
        let left = left.filter(|_| right.is_none() || self.is_pair(row)).map(Line::Before);
        let texts = left.into_iter().chain(right.map(Line::After));
        let texts = texts.filter_map(|line| self.comments.get(&(file, line)));
        let columns = usize::from(self.width).saturating_sub(SET_IN).max(1);
        texts
            .flat_map(|Comment { text, .. }| {
                let rows = wrap(text, columns).into_iter();
                rows.enumerate().map(|(n, range)| {
                    let mark = if n == 0 { "»" } else { " " };
                    format!("{mark:>4} {}", text.get(range).unwrap_or_default())
                })
            })
            .collect()
    }
}

/// Returns the position of a line after the changes in `hunks`. A removed line maps to the position of its hunk.
pub(super) fn moved(line: usize, hunks: &[Hunk]) -> usize {
    let above = hunks.iter().take_while(|hunk| hunk.before.start <= line).last();
    match above {
        None => line,
        Some(hunk) if line < hunk.before.end => {
            (hunk.after.start + line - hunk.before.start).min(hunk.after.end.saturating_sub(1).max(hunk.after.start))
        }
        Some(hunk) => hunk.after.end + line - hunk.before.end,
    }
}
