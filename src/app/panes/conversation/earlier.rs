//! Turns before a compaction. They are folded into one row that shows their number. Turns before the previous
//! compaction are not in memory. A search, or opening the row, loads them from the log.

use std::sync::Arc;

use super::Conversation;
use super::block::{Block, Source};
use super::heights::Heights;
use super::place::Place;
use benchdog_base::id::EntryId;
use benchdog_domain::compaction::Compaction;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::LetGo;
use benchdog_lang as lang;

pub(super) struct Folded {
    compaction: EntryId,
    upto: EntryId,
    /// Index of the first block after the folded blocks. Block 0 is the row that stands for the folded turns.
    pub(super) until: usize,
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

    pub(super) fn agent_chosen(&mut self, entry: &Arc<Entry>) {
        let source = Source::Entry(Arc::clone(entry));
        let before = self.blocks.last().map(|block| &block.source);
        match before {
            Some(Source::Entry(before)) if matches!(before.body, Body::Agent { .. }) => {
                self.put(self.blocks.len() - 1, source);
            }
            _ => self.push(source),
        }
    }

    pub(super) fn taken_back(&mut self, entry: &Arc<Entry>, compaction: EntryId) {
        let what = self.not_undoable();
        self.unfold_earlier(compaction);
        self.push(what.map_or_else(|| Source::Entry(Arc::clone(entry)), Source::Remark));
    }

    /// Removes the mark of the compaction that can be undone. Returns the text that reports the undo.
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

    /// Folds the blocks of the turns that a compaction replaced, unless the user is reading them.
    fn fold_earlier(&mut self, id: EntryId, compaction: &Compaction) {
        let Some(replaced) = &compaction.replaced else { return };
        let later = |block: &Block| block.entry().is_some_and(|entry| entry.id > replaced.upto);
        let until = self.blocks.iter().position(later).unwrap_or(self.blocks.len());
        let last = self.blocks.iter().take(until).rev().find_map(Block::entry);
        // Turns are numbered from 1, so the number of the last turn is the number of turns.
        let turns = last.map_or(self.gone.turns, |last| {
            usize::try_from(last.turn.0).unwrap_or(usize::MAX)
        });
        if turns == 0 {
            return;
        }
        let until = until + self.make_room_on_top();
        let is_read = self.pin.is_some_and(|pin| (1..until).contains(&pin.place.block));
        let until = until - if is_read { 0 } else { self.let_go() };
        self.folded.push(Folded {
            compaction: id,
            upto: replaced.upto,
            until,
            turns,
        });
        self.put_on_top(is_read);
        self.wants_gone |= is_read;
    }

    fn unfold_earlier(&mut self, compaction: EntryId) {
        if self.folded.pop_if(|folded| folded.compaction == compaction).is_some() {
            self.put_on_top(false);
        }
    }

    fn let_go(&mut self) -> usize {
        let Some(folded) = self.folded.pop_if(|folded| folded.until > 1) else {
            return 0;
        };
        let count = folded.until - 1;
        self.blocks.drain(1..folded.until);
        self.move_places(|place| match place {
            0 => Some(0),
            _ => (place > count).then(|| place - count),
        });
        self.gone = LetGo {
            upto: folded.upto,
            turns: folded.turns,
        };
        self.folded = vec![Folded { until: 1, ..folded }];
        self.count_anew();
        count
    }

    /// Adds the row that stands for turns outside the memory, unless a compaction has already added such a row.
    pub(super) fn tell_of_gone(&mut self) {
        if self.gone.turns == 0 || !self.folded.is_empty() {
            return;
        }
        self.make_room_on_top();
        self.folded.push(Folded {
            compaction: EntryId::default(),
            upto: self.gone.upto,
            until: 1,
            turns: self.gone.turns,
        });
        self.put_on_top(false);
    }

    /// Requests an entry that is not in memory. Returns `false` if the entry is in memory.
    pub(crate) fn want(&mut self, entry: EntryId) -> bool {
        let is_gone = entry <= self.gone.upto;
        self.wants_gone |= is_gone;
        is_gone
    }

    /// Returns the entry up to which the log must be loaded, and clears the request.
    pub(crate) fn take_earlier_wanted(&mut self) -> Option<EntryId> {
        let asks = std::mem::take(&mut self.wants_gone) && self.gone.turns > 0;
        asks.then_some(self.gone.upto)
    }

    /// Inserts the loaded entries. `log` is empty if loading failed.
    pub(crate) fn read_again(&mut self, log: &[Arc<Entry>]) {
        if log.is_empty() {
            return;
        }
        let gone = std::mem::take(&mut self.gone);
        let mut earlier = Self {
            tools: Arc::clone(&self.tools),
            ..Self::default()
        };
        for entry in log.iter().take_while(|entry| entry.id <= gone.upto) {
            match &entry.body {
                Body::Compaction(_) | Body::CompactionUndone { .. } => earlier.push(Source::Entry(Arc::clone(entry))),
                _ => earlier.entry(entry),
            }
        }
        let count = earlier.blocks.len();
        if count == 0 {
            return;
        }
        self.make_room_on_top();
        self.move_places(|place| Some(if place > 0 { place + count } else { place }));
        self.blocks.splice(1..1, earlier.blocks);
        let calls = earlier.calls.into_iter().map(|(call, place)| (call, place + 1));
        self.calls.extend(calls);
        self.count_anew();
        self.find_again();
    }

    pub(super) fn is_folded_away(&self, index: usize) -> bool {
        let until = self.folded.last().map_or(0, |folded| folded.until);
        (1..until).contains(&index) && self.blocks.first().is_some_and(|top| !top.open)
    }

    pub(super) fn open_earlier(&mut self, open: bool) {
        if let Some(top) = self.blocks.first_mut() {
            top.open = open;
        }
        self.arrange_earlier();
    }

    /// Inserts the row for folded turns as the first block, and shifts all other blocks. Happens once per session.
    fn make_room_on_top(&mut self) -> usize {
        if self.has_top {
            return 0;
        }
        self.has_top = true;
        self.blocks.insert(0, Block::new(Source::Gone));
        self.move_places(|place| Some(place + 1));
        self.count_anew();
        1
    }

    fn count_anew(&mut self) {
        self.heights = Heights::default();
        for _ in 0..self.blocks.len() {
            self.heights.push(0);
        }
        self.arrange_earlier();
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
