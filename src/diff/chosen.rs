//! Composes a text from both sides of a comparison, line by line.

use super::lines::{LineEnd, dominant_end};
use super::rows::DiffRow;
use super::sides::Sides;
use super::text::Text;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    Before(usize),
    After(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptLine {
    Same(usize),
    /// A line of `before` whose removal was discarded.
    Stays(usize),
    Comes(usize),
    /// A line of `after` whose addition was discarded.
    LeftOut(usize),
}

impl KeptLine {
    pub fn is_in(&self) -> bool {
        match self {
            Self::Same(_) | Self::Stays(_) | Self::Comes(_) => true,
            Self::LeftOut(_) => false,
        }
    }
}

impl DiffRow {
    pub fn kept(&self, dropped: impl Fn(usize, Line) -> bool) -> impl Iterator<Item = KeptLine> {
        let (same, before, after, hunk) = match *self {
            Self::Same { before, .. } => (before..before + 1, None, None, 0),
            Self::Folded { before, lines, .. } => (before..before + lines, None, None, 0),
            Self::Pair { before, after, hunk } => (0..0, Some(before), Some(after), hunk),
            Self::Removed { before, hunk } => (0..0, Some(before), None, hunk),
            Self::Added { after, hunk } => (0..0, None, Some(after), hunk),
        };
        let stays = before.filter(|line| dropped(hunk, Line::Before(*line)));
        let comes = after.map(|line| match dropped(hunk, Line::After(line)) {
            true => KeptLine::LeftOut(line),
            false => KeptLine::Comes(line),
        });
        same.map(KeptLine::Same).chain(stays.map(KeptLine::Stays)).chain(comes)
    }
}

impl Sides {
    /// Returns the text `after` without the discarded changes. `rows` must be the two-column rows. `dropped` gets a
    /// hunk's index and a line, and returns whether the line is discarded.
    pub fn without(&self, rows: &[DiffRow], dropped: impl Fn(usize, Line) -> bool) -> Vec<u8> {
        let mut out = self.joined();
        for line in rows.iter().flat_map(|row| row.kept(&dropped)) {
            match line {
                KeptLine::Same(line) | KeptLine::Stays(line) => out.push(&self.before, line),
                KeptLine::Comes(line) => out.push(&self.after, line),
                KeptLine::LeftOut(_) => {}
            }
        }
        out.bytes
    }

    pub(super) fn joined(&self) -> Joined {
        let sides = [&self.before, &self.after];
        let with_ends = sides.into_iter().find(|side| side.bytes().contains(&b'\n'));
        Joined {
            bytes: Vec::with_capacity(self.after.bytes().len()),
            end: with_ends.map_or(LineEnd::Lf, |side| dominant_end(side.bytes())).bytes(),
        }
    }
}

pub(super) struct Joined {
    pub(super) bytes: Vec<u8>,
    /// Line end to insert after a line without a line end, if another line follows.
    end: &'static [u8],
}

impl Joined {
    fn push(&mut self, text: &Text, line: usize) {
        self.push_line(text.line(line));
    }

    pub(super) fn push_line(&mut self, line: &[u8]) {
        if self.bytes.last().is_some_and(|last| *last != b'\n') {
            self.bytes.extend_from_slice(self.end);
        }
        self.bytes.extend_from_slice(line);
    }
}

#[cfg(test)]
mod tests;
