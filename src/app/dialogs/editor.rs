//! The inline editor for a proposal. Only the lines around the cursor can be edited.

mod find;

use crate::panes::prompt::buffer::Buffer;
use crate::panes::prompt::buffer::carried::{Changed, place};
use benchdog_base::text::width;
use benchdog_diff::{carried, carried_over, hunks, new_lines};
pub(crate) use find::EditorFind;

/// Maximum number of editable lines, so that key presses stay fast in long files.
const LINES: usize = 500;
const INDENT: usize = 4;

pub struct Editor {
    pub file: usize,
    pub buffer: Buffer,
    above: String,
    below: String,
    opened: String,
    /// Whether every line ends with `\r\n`.
    crlf: bool,
    first: usize,
    left: Option<String>,
    pub find: Option<EditorFind>,
    sought_before: String,
    pub beside: Option<Beside>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Beside {
    Kept,
    /// Another program changed lines that the user edited too. The text in the editor replaces those changes.
    Replaced,
}

impl Editor {
    /// Opens the editor for the lines around `line` (0-based). `None` if the editor cannot preserve some characters.
    pub(crate) fn open(file: usize, text: &str, line: usize) -> Option<Self> {
        let starts: Vec<usize> = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let line = line.min(starts.len() - 1);
        let first = line.saturating_sub(LINES / 2);
        let from = starts.get(first).copied().unwrap_or(0);
        let to = starts.get(first + LINES).copied().unwrap_or(text.len());
        let (above, rest) = text.split_at_checked(from)?;
        let (region, below) = rest.split_at_checked(to - from)?;
        let crlf = region.contains("\r\n");
        let opened = if crlf {
            region.replace("\r\n", "\n")
        } else {
            region.to_owned()
        };
        if crlf && opened.replace('\n', "\r\n") != region {
            return None;
        }
        let mut buffer = Buffer::default();
        buffer.insert(&opened);
        if buffer.text() != opened {
            return None;
        }
        buffer.forget_undo();
        buffer.go_to(starts.get(line).copied().unwrap_or(0).saturating_sub(from) - if crlf { line - first } else { 0 });
        buffer.centre();
        Some(Self {
            file,
            buffer,
            above: above.to_owned(),
            below: below.to_owned(),
            opened,
            crlf,
            first,
            left: None,
            find: None,
            sought_before: String::new(),
            beside: None,
        })
    }

    pub(crate) fn is_of(&self, other: &Self) -> bool {
        (&self.above, &self.opened, &self.below) == (&other.above, &other.opened, &other.below)
    }

    pub(crate) fn is_changed(&self) -> bool {
        self.buffer.text() != self.opened
    }

    /// Whether the editor may close: the text is unchanged since it was opened, or since the last attempt to close.
    pub(crate) fn try_leave(&mut self) -> bool {
        let text = self.buffer.text();
        let may = text == self.opened || self.left.as_deref() == Some(text);
        self.left = Some(text.to_owned());
        may
    }

    pub(crate) fn new_lines(&self) -> String {
        new_lines(&self.opened, self.buffer.text())
    }

    /// Replaces the text by a new version of the file. Returns `false` if lines differ that are not editable.
    fn write_again(&mut self, text: &str) -> bool {
        let region = text.strip_prefix(&*self.above);
        let Some(region) = region.and_then(|region| region.strip_suffix(&*self.below)) else {
            return false;
        };
        let region = if self.crlf {
            region.replace("\r\n", "\n")
        } else {
            region.to_owned()
        };
        let mut buffer = Buffer::default();
        buffer.insert(&region);
        let is_same = buffer.text() == region;
        if is_same {
            buffer.forget_undo();
            self.buffer = buffer;
        }
        is_same
    }

    /// Applies the edits to a new version of the proposal. In a conflict, the user's text wins. Undo then reaches back
    /// only to the first conflicting edit. Returns `None` if the edited lines no longer exist.
    pub(crate) fn carried(&self, file: usize, proposal: &str) -> Option<Self> {
        let (opened, mine) = (self.all_of(&self.opened), self.text());
        let (base, own, later) = (opened.as_bytes(), mine.as_bytes(), proposal.as_bytes());
        let apart = carried(base, own, later).map(|text| (text, None));
        let (text, beside) = apart.or_else(|| {
            let (text, replaces) = carried_over(base, own, later)?;
            let beside = if replaces { Beside::Replaced } else { Beside::Kept };
            Some((text, Some(beside)))
        })?;
        let text = String::from_utf8(text).ok()?;
        let line = self.line();
        let changes = hunks(&mine, &text);
        let above = changes.iter().take_while(|change| change.before.end <= line).last();
        let line = above.map_or(line, |change| change.after.end + line - change.before.end);
        let mut anew = Self::open(file, proposal, line)?;
        if !anew.write_again(&text) {
            return None;
        }
        let column = self.buffer.before_caret().rsplit('\n').next().map_or(0, str::len);
        let lines = anew.buffer.text().split_inclusive('\n');
        let above: usize = lines.take(line.saturating_sub(anew.first)).map(str::len).sum();
        let caret = anew.buffer.text().floor_char_boundary(above + column);
        anew.buffer.go_to(caret);
        let changed = changed(self.buffer.text(), anew.buffer.text());
        anew.buffer.go_on_from(&self.buffer, &changed);
        anew.sought_before.clone_from(&self.sought_before);
        anew.find = self.find.clone();
        anew.find_again(|at| place(at, &changed));
        anew.beside = self.beside.max(beside);
        Some(anew)
    }

    pub(crate) fn text(&self) -> String {
        self.all_of(self.buffer.text())
    }

    fn all_of(&self, text: &str) -> String {
        let region = if self.crlf {
            text.replace('\n', "\r\n")
        } else {
            text.to_owned()
        };
        [&*self.above, &*region, &*self.below].concat()
    }

    /// Returns the line of the cursor in the file (0-based).
    pub(crate) fn line(&self) -> usize {
        self.first + self.buffer.before_caret().matches('\n').count()
    }

    /// Returns the first and last editable line (1-based), and the number of lines of the file.
    pub fn lines(&self) -> (usize, usize, usize) {
        let count = |text: &str| text.matches('\n').count();
        let last = self.first + count(self.buffer.text()) + 1;
        (self.first + 1, last, last + count(&self.below))
    }

    pub(crate) fn gutter(&self) -> u16 {
        let (_, last, _) = self.lines();
        u16::try_from(last.ilog10() + 1).unwrap_or(3).max(3) + 2
    }

    pub fn numbers(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        let mut next = self.first + self.buffer.lines_above_view() + 1;
        self.buffer.view().rows.iter().map(move |row| {
            row.begins_line.then(|| {
                next += 1;
                next - 1
            })
        })
    }

    pub(crate) fn newline(&mut self) {
        let line = self.buffer.before_caret().rsplit('\n').next().unwrap_or_default();
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let begin = format!("\n{}", line.get(..indent).unwrap_or_default());
        self.buffer.insert(&begin);
    }

    pub(crate) fn indent(&mut self) {
        let text = self.buffer.text();
        if text.lines().any(|line| line.starts_with('\t')) {
            return self.buffer.insert("\t");
        }
        let indents = text.lines().map(|line| line.len() - line.trim_start_matches(' ').len());
        let step = indents
            .filter(|indent| (2..=8).contains(indent))
            .min()
            .unwrap_or(INDENT);
        let before = self.buffer.before_caret().rsplit('\n').next().unwrap_or_default();
        let spaces = step - width(before) % step;
        self.buffer.insert(&" ".repeat(spaces));
    }
}

fn changed(before: &str, after: &str) -> Vec<Changed> {
    let starts = |text: &str| {
        let ends = text.split_inclusive('\n').scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        std::iter::once(0).chain(ends).collect::<Vec<usize>>()
    };
    let (old, new) = (starts(before), starts(after));
    let at = |starts: &[usize], line: usize| starts.get(line).or(starts.last()).copied().unwrap_or(0);
    let hunks = hunks(before, after).into_iter();
    let changed = hunks.map(|hunk| Changed {
        part: at(&old, hunk.before.start)..at(&old, hunk.before.end),
        with: at(&new, hunk.after.end) - at(&new, hunk.after.start),
    });
    changed.collect()
}

#[cfg(test)]
mod tests;
