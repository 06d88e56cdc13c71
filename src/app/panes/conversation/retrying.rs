//! While the same request is made again: why, in one row that goes when an answer begins or the turn ends.

use super::Conversation;
use super::block::Source;
use crate::base::text::clean;
use crate::lang;

impl Conversation {
    /// A new attempt at the same reply: what arrived of the last one is taken back.
    pub(crate) fn retry(&mut self, reason: &str) {
        if let Some(index) = self.live_thought.take() {
            self.put(index, Source::Gone);
        }
        self.end_live();
        let row = Source::Remark(lang::asked_again(&clean(reason)));
        match self.retrying {
            Some(index) => self.put(index, row),
            None => {
                self.push(row);
                self.retrying = self.blocks.len().checked_sub(1);
            }
        }
    }

    /// The server answers, or nobody asks it any more.
    pub(super) fn retry_is_over(&mut self) {
        if let Some(index) = self.retrying.take() {
            self.put(index, Source::Gone);
        }
    }
}
