//! The session's log in memory, and what of it is not on disk yet.

use std::sync::Arc;

use super::{Access, Seat};
use crate::base::id::{BlobId, EntryId};
use crate::domain::entry::{Body, Entry};
use crate::orchestrator::effect::Effect;
use crate::orchestrator::engine::Engine;
use crate::storage::StorageError;

pub(super) struct Log {
    entries: Vec<Arc<Entry>>,
    /// Entries whose commit failed, or that wait for the first one; they go first with the next.
    unsaved: Vec<Arc<Entry>>,
    /// The bytes those entries name.
    unsaved_blobs: Vec<(BlobId, Arc<[u8]>)>,
    /// Why, as it was said last; said once for everything that follows from it.
    told_lost: Option<String>,
}

impl Log {
    /// The repairs are part of what is shown; they are written with the first new entry.
    pub(super) fn new(mut entries: Vec<Arc<Entry>>, repairs: Vec<Effect>) -> Self {
        let repairs = repairs.into_iter().filter_map(|effect| match effect {
            Effect::Persist(entry) => Some(entry),
            _ => None,
        });
        let unsaved: Vec<Arc<Entry>> = repairs.collect();
        entries.extend(unsaved.iter().cloned());
        Self {
            entries,
            unsaved,
            unsaved_blobs: Vec::new(),
            told_lost: None,
        }
    }

    pub(super) fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    pub(super) fn last(&self) -> EntryId {
        self.entries.last().map_or(EntryId(0), |entry| entry.id)
    }

    pub(super) fn heard(&mut self) {
        self.told_lost = None;
    }

    /// Keeps an entry in memory until it can be written.
    pub(super) fn hold(&mut self, entry: Arc<Entry>) {
        self.entries.push(Arc::clone(&entry));
        self.unsaved.push(entry);
    }

    /// Whether this is news: what keeps the log from being written is said once.
    pub(super) fn is_news(&mut self, error: &StorageError) -> bool {
        let text = error.to_string();
        if self.told_lost.as_ref() == Some(&text) {
            return false;
        }
        self.told_lost = Some(text);
        true
    }
}

impl Seat {
    /// Returns when the entries, and everything that had to wait before them, are durable.
    pub(super) async fn commit(
        &mut self,
        engine: &Engine,
        entries: &[Arc<Entry>],
        blobs: Vec<(BlobId, Arc<[u8]>)>,
    ) -> Result<(), StorageError> {
        self.session.entries += entries.len() as u64;
        if let Some(last) = entries.last() {
            self.session.updated = last.time;
        }
        if self.session.title.is_empty() {
            self.session.title = entries.iter().find_map(|entry| title(entry)).unwrap_or_default();
            if !self.session.title.is_empty() {
                self.describe(engine).await;
            }
        }
        for entry in entries {
            self.log.hold(Arc::clone(entry));
        }
        self.log.unsaved_blobs.extend(blobs);
        if self.access != Access::Writable {
            // It could not be begun when it was opened; without a log nothing is done.
            let (meta, holder) = (self.session.clone(), engine.setup.holder.clone());
            engine.setup.storage.create(meta, holder).await?;
            self.access = Access::Writable;
        }
        let (unsaved, blobs) = (self.log.unsaved.clone(), self.log.unsaved_blobs.clone());
        engine.setup.storage.append(&self.session.id, unsaved, blobs).await?;
        self.log.unsaved.clear();
        self.log.unsaved_blobs.clear();
        Ok(())
    }
}

fn title(entry: &Entry) -> Option<String> {
    let text = match &entry.body {
        Body::User { text, .. } => text.clone(),
        Body::Shell { command, .. } => format!("!{command}"),
        _ => return None,
    };
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    Some(line.trim().chars().take(100).collect())
}
