//! The bar of the conversation: which block it is on. It never leaves the view by itself, and is never on what nobody can see.

use super::Conversation;
use super::block::Block;

impl Conversation {
    /// Moves the cursor to the next block with something to see.
    pub(crate) fn select(&mut self, by: isize) {
        let last = self.rows.last().map(|row| row.block);
        let Some(from) = self.selected.or(last) else { return };
        let mut index = if self.selected.is_none() {
            from
        } else {
            from.saturating_add_signed(by)
        };
        while self.is_skipped(index) && index > 0 {
            index = index.saturating_add_signed(by);
        }
        if index < self.blocks.len() {
            self.selected = Some(index);
            self.show_block(index);
        } else {
            self.follow();
        }
        self.stale = true;
    }

    /// The first block that can be seen, from its first row on.
    pub(crate) fn select_first(&mut self) {
        self.selected = (0..self.blocks.len()).find(|index| !self.is_skipped(*index));
        self.jump_top();
    }

    /// The last block that can be seen; the view follows the end.
    pub(crate) fn select_last(&mut self) {
        self.selected = (0..self.blocks.len()).rev().find(|index| !self.is_skipped(*index));
        self.follow();
    }

    /// The bar never stands on it.
    fn is_skipped(&self, index: usize) -> bool {
        self.is_folded_away(index) || self.blocks.get(index).is_some_and(Block::is_gone)
    }
}
