//! A text buffer with cursor, selection, undo and wrapped rows.
//!
//! Text areas of libraries move by code point, and compute the cursor column separately from rendering. At 1,000 lines,
//! they need 5 ms per key. This buffer only processes lines near the cursor.

pub(crate) mod carried;
mod rows;
mod select;

use std::collections::VecDeque;
use std::ops::Range;

use benchdog_base::text::{grapheme_after, grapheme_before, incoming, is_between_graphemes};

/// The first of the private-use characters that stand for folded pastes. Such characters are removed from inserted
/// text, so that a text cannot forge a paste.
const CHIP: u32 = 0x0010_f000;
const CHIP_END: u32 = 0x0010_ffff;
/// Maximum size of the text in bytes, including pastes. Larger than the context window of any model.
pub const LONGEST_TEXT: usize = 16 << 20;
/// Maximum number of undo steps. `UNDO_BYTES` is the maximum size of all steps. The newest step is always kept.
const UNDO_STEPS: usize = 10_000;
const UNDO_BYTES: usize = 32 << 20;
/// Maximum bytes of several deletions that are joined into one undo step. Each deleted character is inserted at the
/// front of the step, which is slow if the step is long.
const DELETED_AT_ONCE: usize = 4 * 1024;

#[derive(Debug, Clone, Default)]
pub struct Buffer {
    text: String,
    caret: usize,
    /// The column to which vertical movement returns after shorter lines.
    goal: Option<usize>,
    centred: bool,
    anchor: Option<usize>,
    marking: bool,
    undo: VecDeque<Edit>,
    undo_bytes: usize,
    redo: Vec<Edit>,
    sealed: bool,
    chips: Vec<Chip>,
    top: usize,
    width: u16,
    view: BufferView,
}

#[derive(Debug, Clone, Default)]
struct Edit {
    at: usize,
    removed: String,
    inserted: String,
    caret: usize,
}

impl Edit {
    fn size(&self) -> usize {
        self.removed.len() + self.inserted.len()
    }

    fn goes_on_with(&mut self, next: &Self) -> bool {
        let types_on = next.removed.is_empty() && self.removed.is_empty() && self.at + self.inserted.len() == next.at;
        let new_word = self.inserted.ends_with(char::is_whitespace) && !next.inserted.starts_with(char::is_whitespace);
        if types_on && !new_word && next.inserted.chars().count() == 1 {
            self.inserted.push_str(&next.inserted);
            return true;
        }
        let deletes = next.inserted.is_empty() && self.inserted.is_empty() && !self.removed.is_empty();
        if !deletes || self.removed.len() > DELETED_AT_ONCE {
            return false;
        }
        if next.at + next.removed.len() == self.at {
            self.removed.insert_str(0, &next.removed);
            self.at = next.at;
            return true;
        }
        if next.at == self.at {
            self.removed.push_str(&next.removed);
            return true;
        }
        false
    }
}

/// A folded paste: one character in the text, shown as a label. The content of the paste is sent.
#[derive(Debug, Clone)]
struct Chip {
    label: String,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BufferView {
    pub rows: Vec<BufferRow>,
    pub caret: (u16, u16),
    pub above: bool,
    pub below: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BufferRow {
    pub text: String,
    pub chips: Vec<Range<usize>>,
    pub selected: Range<usize>,
    pub selected_on: bool,
    pub bytes: Range<usize>,
    pub begins_line: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    Left,
    Right,
    WordLeft,
    WordRight,
    LineStart,
    LineEnd,
    TextStart,
    TextEnd,
}

impl Buffer {
    #[cfg(test)]
    pub(crate) fn of(text: &str) -> Self {
        let mut buffer = Self::default();
        buffer.insert(text);
        buffer
    }

    /// Returns the text, in which a private-use character stands for each paste.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn expanded(&self) -> String {
        self.meant(&self.text)
    }

    fn meant(&self, part: &str) -> String {
        let mut out = String::with_capacity(part.len());
        for c in part.chars() {
            match self.chip(c) {
                Some(chip) => out.push_str(&chip.text),
                None => out.push(c),
            }
        }
        out
    }

    pub(crate) fn pasted(&self) -> Vec<Range<usize>> {
        let (mut at, mut ranges) = (0, Vec::new());
        for c in self.text.chars() {
            let chip = self.chip(c);
            let from = at;
            at += chip.map_or(c.len_utf8(), |chip| chip.text.len());
            ranges.extend(chip.map(|_| from..at));
        }
        ranges
    }

    pub(crate) fn folded(&self) -> Vec<(String, String)> {
        let chips = self.text.chars().filter_map(|c| self.chip(c));
        chips.map(|chip| (chip.label.clone(), chip.text.clone())).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn size(&self) -> usize {
        let chips: usize = self.chips.iter().map(|chip| chip.text.len()).sum();
        self.text.len() + chips
    }

    pub(crate) fn caret(&self) -> usize {
        self.caret
    }

    pub(crate) fn before_caret(&self) -> &str {
        self.text.get(..self.caret).unwrap_or_default()
    }

    pub fn view(&self) -> &BufferView {
        &self.view
    }

    fn chip(&self, c: char) -> Option<&Chip> {
        let index = u32::from(c).checked_sub(CHIP)?;
        self.chips.get(usize::try_from(index).ok()?)
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let text = typed(text);
        let range = self.selection();
        if range.is_some() {
            self.seal();
        }
        self.replace(range.unwrap_or(self.caret..self.caret), &text);
    }

    /// Inserts a folded paste. If there are too many folded pastes, inserts the text of the paste instead.
    pub(crate) fn insert_chip(&mut self, label: String, text: &str) {
        let index = u32::try_from(self.chips.len()).ok();
        let c = index
            .and_then(|index| CHIP.checked_add(index))
            .filter(|code| *code <= CHIP_END)
            .and_then(char::from_u32);
        match c {
            Some(c) => {
                self.chips.push(Chip {
                    label,
                    text: typed(text),
                });
                self.seal();
                let range = self.selection().unwrap_or(self.caret..self.caret);
                self.replace(range, c.encode_utf8(&mut [0; 4]));
                self.seal();
            }
            None => self.insert(text),
        }
    }

    /// Replaces the folded paste at the cursor by its text, as one undo step. Returns `false` without such a paste.
    pub(crate) fn unfold(&mut self) -> bool {
        let places = [
            grapheme_before(&self.text, self.caret)..self.caret,
            self.caret..grapheme_after(&self.text, self.caret),
        ];
        let found = places.into_iter().find_map(|place| {
            let c = self.text.get(place.clone())?.chars().next()?;
            Some((place, self.chip(c)?.text.clone()))
        });
        let Some((place, text)) = found else { return false };
        self.seal();
        self.replace(place, &text);
        self.seal();
        true
    }

    pub fn set(&mut self, text: &str) {
        self.seal();
        let text = typed(text);
        self.replace(0..self.text.len(), &text);
        self.seal();
    }

    pub(crate) fn replace(&mut self, range: Range<usize>, with: &str) {
        let Some(removed) = self.text.get(range.clone()).map(str::to_owned) else {
            return;
        };
        if removed.is_empty() && with.is_empty() {
            return;
        }
        let edit = Edit {
            at: range.start,
            removed,
            inserted: with.to_owned(),
            caret: self.caret,
        };
        self.text.replace_range(range, with);
        self.caret = edit.at + with.len();
        self.snap();
        self.goal = None;
        self.let_go();
        self.redo.clear();
        self.remember(edit);
    }

    pub(crate) fn delete(&mut self, way: Move) {
        if self.delete_selected() {
            return;
        }
        let from = self.caret;
        let to = self.target(way);
        self.replace(from.min(to)..from.max(to), "");
    }

    pub(crate) fn forget_undo(&mut self) {
        self.undo.clear();
        self.undo_bytes = 0;
        self.redo.clear();
    }

    pub(crate) fn seal(&mut self) {
        self.sealed = true;
    }

    /// Adds an edit to the undo history. Typing a whole word is a single step, and so is a series of deletions.
    fn remember(&mut self, edit: Edit) {
        self.undo_bytes += edit.size();
        let sealed = std::mem::take(&mut self.sealed);
        let joins = |last: &mut Edit| !sealed && last.goes_on_with(&edit);
        if !self.undo.back_mut().is_some_and(joins) {
            self.undo.push_back(edit);
        }
        while self.undo.len() > 1 && (self.undo.len() > UNDO_STEPS || self.undo_bytes > UNDO_BYTES) {
            let oldest = self.undo.pop_front().unwrap_or_default();
            self.undo_bytes -= oldest.size();
        }
    }

    pub(crate) fn undo(&mut self) {
        let Some(edit) = self.undo.pop_back() else { return };
        self.undo_bytes -= edit.size();
        let end = edit.at + edit.inserted.len();
        self.text.replace_range(edit.at..end, &edit.removed);
        self.caret = edit.caret.min(self.text.len());
        self.redo.push(edit);
        self.after_history();
    }

    pub(crate) fn redo(&mut self) {
        let Some(edit) = self.redo.pop() else { return };
        let end = edit.at + edit.removed.len();
        self.text.replace_range(edit.at..end, &edit.inserted);
        self.caret = edit.at + edit.inserted.len();
        self.undo_bytes += edit.size();
        self.undo.push_back(edit);
        self.after_history();
    }

    fn after_history(&mut self) {
        self.snap();
        self.let_go();
        self.goal = None;
        self.sealed = true;
    }

    pub(crate) fn go(&mut self, way: Move) {
        let to = match (way, self.selection().filter(|_| !self.is_marking())) {
            (Move::Left, Some(selected)) => selected.start,
            (Move::Right, Some(selected)) => selected.end,
            _ => self.target(way),
        };
        self.end_unmarked();
        self.move_to(to);
    }

    pub(crate) fn go_to(&mut self, at: usize) {
        self.let_go();
        self.move_to(at);
    }

    fn end_unmarked(&mut self) {
        if !self.is_marking() {
            self.let_go();
        }
    }

    fn move_to(&mut self, at: usize) {
        self.caret = at.min(self.text.len());
        self.snap();
        self.goal = None;
        self.seal();
    }

    fn target(&self, way: Move) -> usize {
        match way {
            Move::Left => grapheme_before(&self.text, self.caret),
            Move::Right => grapheme_after(&self.text, self.caret),
            Move::WordLeft => self.word_left(),
            Move::WordRight => self.word_right(),
            Move::LineStart => self.line_start(self.caret),
            Move::LineEnd => self.line_end(self.caret),
            Move::TextStart => 0,
            Move::TextEnd => self.text.len(),
        }
    }

    fn word_left(&self) -> usize {
        let mut at = self.caret;
        let mut in_word = false;
        while at > 0 {
            let next = grapheme_before(&self.text, at);
            let is_word = self.is_word(next..at);
            if in_word && !is_word {
                break;
            }
            in_word |= is_word;
            at = next;
        }
        at
    }

    fn word_right(&self) -> usize {
        let mut at = self.caret;
        let mut in_word = false;
        while at < self.text.len() {
            let next = grapheme_after(&self.text, at);
            let is_word = self.is_word(at..next);
            if in_word && !is_word {
                break;
            }
            in_word |= is_word;
            at = next;
        }
        at
    }

    fn is_word(&self, range: Range<usize>) -> bool {
        let grapheme = self.text.get(range).unwrap_or_default();
        grapheme.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
    }

    fn line_start(&self, at: usize) -> usize {
        self.text
            .get(..at)
            .and_then(|before| before.rfind('\n'))
            .map_or(0, |n| n + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        self.text
            .get(at..)
            .and_then(|after| after.find('\n'))
            .map_or(self.text.len(), |n| at + n)
    }

    fn snap(&mut self) {
        self.caret = self.text.ceil_char_boundary(self.caret.min(self.text.len()));
        if !is_between_graphemes(&self.text, self.caret) {
            let start = grapheme_before(&self.text, self.caret);
            self.caret = grapheme_after(&self.text, start).max(self.caret);
        }
    }
}

/// Returns the text with `\n` line breaks, and without control characters and characters that stand for pastes.
pub(super) fn typed(text: &str) -> String {
    let mut text = incoming(text);
    text.retain(|c| !(CHIP..=CHIP_END).contains(&u32::from(c)));
    text
}

#[cfg(test)]
mod tests;
