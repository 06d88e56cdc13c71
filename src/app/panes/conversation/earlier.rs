//! Turns above a compaction: folded into one row that says how many they are. Nothing of them is gone; a search opens them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::block::{Block, Source};
use super::{Conversation, Place};
use crate::base::id::EntryId;
use crate::domain::compaction::Compaction;
use crate::domain::entry::{Body, Entry};
use crate::lang;

/// What one compaction folds.
pub(super) struct Folded {
    compaction: EntryId,
    /// The first block behind it. Before it stand the row that tells of it, and what is folded.
    until: usize,
    turns: usize,
}

impl Conversation {
    pub(super) fn compacted(&mut self, entry: &Arc<Entry>, compaction: &Compaction) {
        self.not_undoable();
        self.fold_earlier(entry.id, compaction);
        self.push(Source::Entry(Arc::clone(entry)));
        let index = self.blocks.len() - 1;
        if let Some(block) = self.blocks.get_mut(index) {
            block.undoable = true;
        }
        self.undoable = Some(index);
    }

    /// It stands there again as it was, and what that does is said.
    pub(super) fn taken_back(&mut self, entry: &Arc<Entry>, compaction: EntryId) {
        let what = self.not_undoable();
        self.unfold_earlier(compaction);
        self.push(what.map_or_else(|| Source::Entry(Arc::clone(entry)), Source::Remark));
    }

    /// The newest compaction is not the newest any more, or was taken back. Answers with what taking it back does.
    fn not_undoable(&mut self) -> Option<String> {
        let index = self.undoable.take()?;
        let block = self.blocks.get_mut(index)?;
        block.undoable = false;
        let undone = match &block.source {
            Source::Entry(entry) => match &entry.body {
                Body::Compaction(compaction) => Some(lang::undone(compaction).to_owned()),
                _ => None,
            },
            _ => None,
        };
        self.reset_laid(index);
        undone
    }

    /// The blocks of the turns that it replaced are folded from now on, unless somebody is reading there.
    fn fold_earlier(&mut self, id: EntryId, compaction: &Compaction) {
        let Some(replaced) = &compaction.replaced else { return };
        let later = |block: &Block| block.entry().is_some_and(|entry| entry.id > replaced.upto);
        let until = self.blocks.iter().position(later).unwrap_or(self.blocks.len());
        let entries = self.blocks.iter().take(until).filter_map(Block::entry);
        let turns: BTreeSet<_> = entries.map(|entry| entry.turn).collect();
        if turns.is_empty() {
            return;
        }
        let until = until + self.make_room_on_top();
        self.folded.push(Folded {
            compaction: id,
            until,
            turns: turns.len(),
        });
        self.put_on_top(self.pin.is_some_and(|pin| pin.place.block < until));
    }

    /// The compaction was taken back: what it folded stands there again.
    fn unfold_earlier(&mut self, compaction: EntryId) {
        if self.folded.pop_if(|folded| folded.compaction == compaction).is_some() {
            self.put_on_top(false);
        }
    }

    pub(super) fn is_folded_away(&self, index: usize) -> bool {
        let until = self.folded.last().map_or(0, |folded| folded.until);
        (1..until).contains(&index) && self.blocks.first().is_some_and(|top| !top.open)
    }

    /// Opens or folds all of it.
    pub(super) fn open_earlier(&mut self, open: bool) {
        if let Some(top) = self.blocks.first_mut() {
            top.open = open;
        }
        self.arrange_earlier();
    }

    /// The row that tells of it is the first block; everything else moves down by one, once in a session.
    fn make_room_on_top(&mut self) -> usize {
        if self.has_top {
            return 0;
        }
        self.has_top = true;
        self.blocks.insert(0, Block::new(Source::Gone));
        self.heights.push(0);
        let places = self
            .calls
            .values_mut()
            .chain(&mut self.live)
            .chain(&mut self.undoable)
            .chain(&mut self.live_thought);
        places.chain(&mut self.selected).for_each(|place| *place += 1);
        self.top.block += 1;
        if let Some(pin) = &mut self.pin {
            pin.place.block += 1;
            pin.seen += 1;
        }
        for index in 0..self.blocks.len() {
            self.estimate(index);
        }
        1
    }

    fn put_on_top(&mut self, open: bool) {
        let source = match self.folded.last() {
            Some(folded) => Source::Earlier { turns: folded.turns },
            None => Source::Gone,
        };
        if let Some(top) = self.blocks.first_mut() {
            top.source = source;
        }
        self.open_earlier(open);
    }

    fn arrange_earlier(&mut self) {
        for index in 0..self.blocks.len() {
            self.estimate(index);
        }
        if self.pin.is_some_and(|pin| self.is_folded_away(pin.place.block)) {
            self.hold(Place::default());
        }
        self.stale = true;
    }
}
