//! Text selection with the mouse, within one area. Copying returns the original text, not the wrapped rows.

use std::ops::Range;

use benchdog_base::text::{grapheme_width, graphemes};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    Conversation,
    Change(Side),
    Proposal(Side),
    Viewer,
}

/// A side of a diff. The unified layout only has the right side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// The position of a line. In the conversation: block and row. Elsewhere, only the line number is used.
pub(crate) type Place = (usize, usize);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Letter {
    pub place: Place,
    pub bytes: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marking {
    pub surface: Surface,
    pub(super) from: Letter,
    pub(super) upto: Letter,
    pub(super) dragged: bool,
}

pub struct Row {
    pub place: Place,
    pub x: u16,
    pub text: String,
    pub start: usize,
}

impl Row {
    /// Returns the character in this column, or an empty range after the last character.
    pub(super) fn letter(&self, x: u16) -> Letter {
        let mut right = usize::from(self.x);
        let under = graphemes(&self.text).find(|(_, letter)| {
            right += grapheme_width(letter);
            usize::from(x) < right
        });
        let bytes = match under {
            _ if x < self.x => 0..0,
            Some((at, letter)) => at..at + letter.len(),
            None => self.text.len()..self.text.len(),
        };
        Letter {
            place: self.place,
            bytes: self.start + bytes.start..self.start + bytes.end,
        }
    }
}

impl Marking {
    pub(super) fn ends(&self) -> ((Place, usize), (Place, usize)) {
        let first = |letter: &Letter| (letter.place, letter.bytes.start);
        let end = |letter: &Letter| (letter.place, letter.bytes.end);
        (
            first(&self.from).min(first(&self.upto)),
            end(&self.from).max(end(&self.upto)),
        )
    }

    /// Returns the selected bytes in a part of a line. `None` if the line is outside of the selection.
    pub(super) fn within(&self, place: Place, part: &Range<usize>) -> Option<Range<usize>> {
        let (first, end) = self.ends();
        if !self.dragged || place < first.0 || place > end.0 {
            return None;
        }
        let from = if place == first.0 { first.1 } else { part.start };
        let upto = if place == end.0 { end.1 } else { part.end };
        let from = from.clamp(part.start, part.end);
        Some(from..upto.clamp(from, part.end))
    }

    pub fn is_dragged(&self) -> bool {
        self.dragged
    }

    pub fn on(&self, row: &Row) -> Option<Range<usize>> {
        let bytes = self.within(row.place, &(row.start..row.start + row.text.len()))?;
        Some(bytes.start - row.start..bytes.end - row.start)
    }
}

/// Joins the selected lines. A completely selected line is copied in its original form, not in the displayed form.
pub(super) fn lines<'l>(
    marking: &Marking,
    lines: impl Iterator<Item = (Place, String, std::borrow::Cow<'l, str>)>,
) -> String {
    let mut text = String::new();
    for (n, (place, shown, written)) in lines.enumerate() {
        if n > 0 {
            text.push('\n');
        }
        match marking.within(place, &(0..shown.len())) {
            Some(bytes) if bytes == (0..shown.len()) => text.push_str(&written),
            Some(bytes) => text.push_str(shown.get(bytes).unwrap_or_default()),
            None => {}
        }
    }
    text
}
