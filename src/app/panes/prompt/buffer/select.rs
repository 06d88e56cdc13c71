//! What of a text is selected: from where the selection began to the caret. Typing puts something in its place, and any
//! change of the text ends it.

use std::ops::Range;

use super::{Buffer, Move};
use crate::base::text::{grapheme_before, is_between_graphemes};

impl Buffer {
    /// What is selected; `None`: nothing.
    pub(crate) fn selection(&self) -> Option<Range<usize>> {
        let from = self.anchor?;
        let range = from.min(self.caret)..from.max(self.caret);
        (!range.is_empty()).then_some(range)
    }

    /// The text that is selected, as it is meant.
    pub(crate) fn selected(&self) -> Option<String> {
        let text = self.text.get(self.selection()?)?;
        Some(self.meant(text))
    }

    /// Moves, and selects what lies between.
    pub(crate) fn select(&mut self, way: Move) {
        self.begin_selecting();
        self.move_to(self.target(way));
    }

    /// Selects up to a row above; in the first row, up to the start.
    pub(crate) fn select_up(&mut self) {
        self.begin_selecting();
        if !self.row_up() {
            self.move_to(0);
        }
    }

    /// Selects up to a row below; in the last row, up to the end.
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

    /// Selects from one byte to another, where the caret stands then; no letter is cut.
    pub(crate) fn select_from(&mut self, from: usize, to: usize) {
        self.go_to(to);
        let whole = is_between_graphemes(&self.text, from);
        self.anchor = Some(if whole { from } else { grapheme_before(&self.text, from) });
    }

    /// From here on every move selects, until the text changes or this is asked for again. Answers with whether it does.
    pub(crate) fn mark(&mut self) -> bool {
        let begins = !self.marking;
        self.let_go();
        if begins {
            self.marking = true;
            self.anchor = Some(self.caret);
        }
        begins
    }

    /// Whether every move selects.
    pub(super) fn is_marking(&self) -> bool {
        self.marking
    }

    /// Nothing is selected any more.
    pub(super) fn let_go(&mut self) {
        self.anchor = None;
        self.marking = false;
    }

    /// Takes out what is selected. `false`: nothing is.
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
