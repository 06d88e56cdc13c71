//! Text selection. Typing replaces the selected text, and every edit clears the selection.

use std::ops::Range;

use super::{Buffer, Move};
use benchdog_base::text::{grapheme_before, is_between_graphemes};

impl Buffer {
    pub(crate) fn selection(&self) -> Option<Range<usize>> {
        let from = self.anchor?;
        let range = from.min(self.caret)..from.max(self.caret);
        (!range.is_empty()).then_some(range)
    }

    pub(crate) fn selected(&self) -> Option<String> {
        let text = self.text.get(self.selection()?)?;
        Some(self.meant(text))
    }

    pub(crate) fn select(&mut self, way: Move) {
        self.begin_selecting();
        self.move_to(self.target(way));
    }

    pub(crate) fn select_up(&mut self) {
        self.begin_selecting();
        if !self.row_up() {
            self.move_to(0);
        }
    }

    pub(crate) fn select_down(&mut self) {
        self.begin_selecting();
        if !self.row_down() {
            self.move_to(self.text.len());
        }
    }

    pub(crate) fn select_all(&mut self) {
        self.anchor = Some(0);
        self.move_to(self.text.len());
    }

    /// Selects from `from` to `to` and moves the cursor to `to`. Both positions move to grapheme boundaries.
    pub(crate) fn select_from(&mut self, from: usize, to: usize) {
        self.go_to(to);
        let whole = is_between_graphemes(&self.text, from);
        self.anchor = Some(if whole { from } else { grapheme_before(&self.text, from) });
    }

    /// Turns selecting with the movement keys on or off. Returns the new state.
    pub(crate) fn mark(&mut self) -> bool {
        let begins = !self.marking;
        self.let_go();
        if begins {
            self.marking = true;
            self.anchor = Some(self.caret);
        }
        begins
    }

    pub(super) fn is_marking(&self) -> bool {
        self.marking
    }

    pub(super) fn let_go(&mut self) {
        self.anchor = None;
        self.marking = false;
    }

    pub(crate) fn delete_selected(&mut self) -> bool {
        let Some(range) = self.selection() else { return false };
        self.seal();
        self.replace(range, "");
        self.seal();
        true
    }

    fn begin_selecting(&mut self) {
        self.anchor.get_or_insert(self.caret);
    }
}
