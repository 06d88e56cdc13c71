//! The row that shows why a request is retried. The row is removed when an answer starts or the turn ends.

use super::Conversation;
use super::block::Source;
use benchdog_base::text::clean;
use benchdog_lang as lang;

impl Conversation {
    pub(crate) fn retry(&mut self, reason: &str) {
        if let Some(index) = self.live_thought.take() {
            self.put(index, Source::Gone);
        }
        self.end_live();
        let row = Source::Remark(lang::message::retry_row(&clean(reason)));
        match self.retrying {
            Some(index) => self.put(index, row),
            None => {
                self.push(row);
                self.retrying = self.blocks.len().checked_sub(1);
            }
        }
    }

    pub(super) fn retry_is_over(&mut self) {
        if let Some(index) = self.retrying.take() {
            self.put(index, Source::Gone);
        }
    }
}
