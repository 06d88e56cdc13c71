//! A text composed from both sides of a comparison, line by line.

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
    /// A discarded removal: a line before.
    Stays(usize),
    Comes(usize),
    /// A discarded addition: a line after.
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
    /// Returns the text after, without discarded changes. `rows` must be two-column. `dropped` gets a hunk
    /// and a line of it.
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
    /// Line end to insert if a last line without an end is followed by another line.
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
mod tests {
    use super::*;

    fn without(before: &str, after: &str, dropped: &[Line]) -> String {
        let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
        let rows = sides.side_by_side(3);
        String::from_utf8(sides.without(&rows, |_, line| dropped.contains(&line))).unwrap()
    }

    #[test]
    fn what_is_dropped_is_as_it_was_and_the_rest_as_proposed() {
        let before = "a\nb\nc\nd\ne\n";
        let after = "a\nB\nb2\nc\ne\n";
        assert_eq!(without(before, after, &[]), after);
        assert_eq!(without(before, after, &[Line::After(2)]), "a\nB\nc\ne\n");
        assert_eq!(
            without(before, after, &[Line::Before(1), Line::After(1)]),
            "a\nb\nb2\nc\ne\n"
        );
        assert_eq!(without(before, after, &[Line::Before(3)]), "a\nB\nb2\nc\nd\ne\n");
    }

    #[test]
    fn a_last_line_without_an_end_gets_one_where_more_follows() {
        assert_eq!(without("a", "b\nc\n", &[Line::Before(0), Line::After(0)]), "a\nc\n");
        assert_eq!(
            without("a\r\nb", "a\r\nB\r\nc\r\n", &[Line::Before(1), Line::After(1)]),
            "a\r\nb\r\nc\r\n"
        );
        assert_eq!(without("a\r\nb", "a\r\nc", &[Line::Before(1)]), "a\r\nb\r\nc");
        assert_eq!(without("a\n", "a\nb", &[Line::After(1)]), "a\n");
    }

    #[test]
    fn all_dropped_is_the_text_before() {
        let before: String = (0..40).map(|n| format!("line {n}\n")).collect();
        let after = before.replace("line 7\n", "seven\nand more\n").replace("line 30\n", "");
        let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
        let rows = sides.side_by_side(3);
        assert_eq!(sides.without(&rows, |_, _| true), before.as_bytes());
        assert_eq!(sides.without(&rows, |_, _| false), after.as_bytes());
        assert_eq!(
            sides.without(&rows, |hunk, _| hunk == 0),
            before.replace("line 30\n", "").as_bytes()
        );
    }

    #[test]
    fn rows_have_as_many_lines_of_the_text_as_it_has() {
        let before: String = (0..40).map(|n| format!("line {n}\n")).collect();
        let after = before.replace("line 7\n", "seven\nand more\n").replace("line 30\n", "");
        let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
        let rows = sides.side_by_side(3);
        for dropped in [0, 1, 2] {
            let is_dropped = |hunk: usize, _: Line| hunk == dropped;
            let lines = rows.iter().flat_map(|row| row.kept(is_dropped));
            let count = lines.filter(KeptLine::is_in).count();
            let text = sides.without(&rows, is_dropped);
            assert_eq!(count, text.split_inclusive(|byte| *byte == b'\n').count(), "{dropped}");
        }
    }
}
