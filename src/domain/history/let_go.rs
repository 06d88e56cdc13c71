//! What nobody asks for any more is let go of, so that memory stays flat however long a session lasts. On disk it stays; the
//! transcript reads it again from there.

use std::sync::Arc;

use super::History;
use crate::base::id::EntryId;
use crate::domain::entry::{Body, Entry};

/// Longer prompts are let go of, too.
const FEW_BYTES: usize = 2_048;

/// The beginning of a log that is not held in memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LetGo {
    /// Its newest entry.
    pub(crate) upto: EntryId,
    /// The turns that began in it.
    pub(crate) turns: usize,
}

impl History {
    /// Takes in the next entry of the log, and holds only what is still asked for.
    pub(crate) fn push_lean(&mut self, entry: Arc<Entry>) {
        self.push(entry);
        self.let_go();
    }

    /// Lets go of what stands above two compactions: the newest can be taken back, the one before it cannot; and of what was left
    /// behind because more is never carried. What is carried word for word stays, and what the session has to know of itself for as
    /// long as it lasts.
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

    /// What is not held any more.
    pub(crate) fn gone(&self) -> LetGo {
        self.let_go
    }
}

/// Which files the session changed, what the model was told of its surroundings, what the person was told, and what they asked in
/// few words: a larger window has room for it again.
fn is_asked_for(body: &Body) -> bool {
    match body {
        Body::Change { .. } | Body::Notice(_) => true,
        Body::User { text, mentions, .. } if mentions.is_empty() && text.len() <= FEW_BYTES => true,
        body => !body.notes().is_empty(),
    }
}
