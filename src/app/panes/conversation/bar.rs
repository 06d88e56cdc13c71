//! The cursor of the conversation. The cursor stays on a visible block.

use super::Conversation;
use super::block::Block;

impl Conversation {
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

    pub(crate) fn select_first(&mut self) {
        self.selected = (0..self.blocks.len()).find(|index| !self.is_skipped(*index));
        self.jump_top();
    }

    pub(crate) fn select_last(&mut self) {
        self.selected = (0..self.blocks.len()).rev().find(|index| !self.is_skipped(*index));
        self.follow();
    }

    fn is_skipped(&self, index: usize) -> bool {
        self.is_folded_away(index) || self.blocks.get(index).is_some_and(Block::is_gone)
    }
}
