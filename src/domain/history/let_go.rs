//! Frees unused entries to keep memory use constant in long sessions. The transcript reads them from disk.

use std::sync::Arc;

use super::History;
use crate::entry::{Body, Entry};
use benchdog_base::id::EntryId;

/// Maximum bytes of a prompt that stays in memory.
const FEW_BYTES: usize = 2_048;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LetGo {
    pub upto: EntryId,
    pub turns: usize,
}

impl History {
    pub fn push_lean(&mut self, entry: Arc<Entry>) {
        self.push(entry);
        self.let_go();
    }

    /// Frees entries before the last two compactions. Only the newest compaction can be undone, so earlier entries are
    /// not needed. Entries that are carried verbatim or describe the session stay in memory.
    fn let_go(&mut self) {
        let upto = self.carried.begins();
        if upto <= self.let_go.upto {
            return;
        }
        let count = self.entries.partition_point(|entry| entry.id <= upto);
        let last = count.checked_sub(1).and_then(|last| self.entries.get(last));
        self.let_go = LetGo {
            upto,
            turns: last.map_or(0, |last| usize::try_from(last.turn.0).unwrap_or(usize::MAX)),
        };
        let carried = self.carried.entries();
        self.entries
            .retain(|entry| entry.id > upto || carried.contains(&entry.id) || is_asked_for(&entry.body));
        self.entries.shrink_to_fit();
        self.carried.let_go_of_outlines(&self.entries);
    }

    pub fn gone(&self) -> LetGo {
        self.let_go
    }
}

/// Whether an entry is needed later: file changes, notices, notes for the model, and short prompts. Requests may carry
/// short prompts again after a change to a larger window.
fn is_asked_for(body: &Body) -> bool {
    match body {
        Body::Change { .. } | Body::Notice(_) => true,
        Body::User { text, mentions, .. } if mentions.is_empty() && text.len() <= FEW_BYTES => true,
        body => !body.notes().is_empty(),
    }
}
