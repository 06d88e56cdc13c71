//! Find in the transcript: over what was said, not how it was laid out, the newest first.

use super::Conversation;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Find {
    pub(crate) query: String,
    /// The query is being typed.
    pub(crate) typing: bool,
    /// Number of blocks with a hit, and which one we are at, from 1.
    pub(crate) hits: usize,
    pub(crate) at: usize,
}

impl Conversation {
    pub(crate) fn find_open(&mut self) {
        let query = self.find.take().map(|find| find.query).unwrap_or_default();
        self.find = Some(Find {
            query,
            typing: true,
            hits: 0,
            at: 0,
        });
        self.stale = true;
    }

    pub(crate) fn find_close(&mut self) {
        self.find = None;
        self.stale = true;
    }

    pub(crate) fn find_edit(&mut self, change: impl FnOnce(&mut String)) {
        if let Some(find) = self.find.as_mut() {
            change(&mut find.query);
        }
        self.stale = true;
    }

    /// Ends typing and goes to the newest hit.
    pub(crate) fn find_go(&mut self) {
        if let Some(find) = self.find.as_mut() {
            find.typing = false;
            find.at = 0;
        }
        self.selected = None;
        self.search_waits = self.gone.turns > 0;
        self.find_step(-1);
    }

    /// To the next newer (`1`) or older (`-1`) block with a hit, round the end.
    pub(crate) fn find_step(&mut self, by: isize) {
        let Some(query) = self.find.as_ref().map(|find| find.query.clone()) else {
            return;
        };
        self.wants_gone = true;
        let hits = self.blocks_with(&query);
        let here = self.selected.unwrap_or(self.blocks.len());
        let next = if by < 0 {
            hits.iter().rev().find(|hit| **hit < here).or(hits.last())
        } else {
            hits.iter().find(|hit| **hit > here).or(hits.first())
        };
        let at = next
            .and_then(|next| hits.iter().position(|hit| hit == next))
            .map_or(0, |at| at + 1);
        if let Some(find) = self.find.as_mut() {
            find.hits = hits.len();
            find.at = at;
        }
        if let Some(next) = next.copied() {
            self.selected = Some(next);
            if self.is_folded_away(next) {
                self.open_earlier(true);
                // What was in view is somewhere else now.
                self.rows.clear();
            }
            if let Some(block) = self.blocks.get_mut(next).filter(|block| block.folds()) {
                block.open = true;
            }
            self.reset_laid(next);
            self.show_block(next);
        }
        self.stale = true;
    }

    /// Counts the hits anew; where one stands stays.
    pub(super) fn find_again(&mut self) {
        let Some(query) = self
            .find
            .as_ref()
            .filter(|find| !find.typing)
            .map(|find| find.query.clone())
        else {
            return;
        };
        let hits = self.blocks_with(&query);
        let at = hits.iter().position(|hit| Some(*hit) == self.selected);
        if let Some(find) = self.find.as_mut() {
            find.hits = hits.len();
            find.at = at.map_or(0, |at| at + 1);
        }
        if std::mem::take(&mut self.search_waits) && at.is_none() {
            self.find_step(-1);
        }
    }

    fn blocks_with(&self, query: &str) -> Vec<usize> {
        let hits = self.blocks.iter().enumerate().filter(|(_, block)| block.holds(query));
        hits.map(|(index, _)| index).collect()
    }
}
