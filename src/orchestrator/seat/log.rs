//! The session's log in memory, and what of it is not on disk yet.

use std::sync::Arc;
use std::time::Instant;

use futures::FutureExt;
use tracing::Instrument;

use super::{Access, Seat};
use crate::base::id::BlobId;
use crate::domain::entry::{Body, Entry};
use crate::domain::history::History;
use crate::orchestrator::effect::Effect;
use crate::orchestrator::engine::Engine;
use crate::storage::StorageError;
use crate::tools::outputs;

pub(super) struct Log {
    history: History,
    /// Entries whose commit failed, or that wait for the first one; they go first with the next.
    unsaved: Vec<Arc<Entry>>,
    /// The bytes those entries name.
    unsaved_blobs: Vec<(BlobId, Arc<[u8]>)>,
    /// The last commit failed.
    behind: bool,
    /// The reason as it was told last, so that it is told only once.
    told_lost: Option<String>,
}

impl Log {
    /// What arrived of an answer before a sudden end is in the history already. It and the repairs behind it are part of what is
    /// shown; they are written with the first new entry.
    pub(super) fn new(mut history: History, arrived: Option<Arc<Entry>>, repairs: Vec<Effect>) -> Self {
        let repairs = repairs.into_iter().filter_map(|effect| match effect {
            Effect::Persist(entry) => Some(entry),
            _ => None,
        });
        let repairs: Vec<Arc<Entry>> = repairs.collect();
        history.extend(repairs.iter().cloned());
        let unsaved = arrived.into_iter().chain(repairs).collect();
        Self {
            history,
            unsaved,
            unsaved_blobs: Vec::new(),
            behind: false,
            told_lost: None,
        }
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    pub(super) fn heard(&mut self) {
        self.told_lost = None;
    }

    /// Keeps an entry in memory until it can be written.
    pub(super) fn hold(&mut self, entry: Arc<Entry>) {
        self.history.push_lean(Arc::clone(&entry));
        self.unsaved.push(entry);
    }

    pub(super) fn hold_blobs(&mut self, blobs: impl IntoIterator<Item = (BlobId, Arc<[u8]>)>) {
        self.unsaved_blobs.extend(blobs);
    }

    /// Notes why something could not be written. Says whether that is news.
    pub(super) fn note_lost(&mut self, error: &StorageError) -> bool {
        let text = error.to_string();
        if self.told_lost.as_ref() == Some(&text) {
            return false;
        }
        self.told_lost = Some(text);
        true
    }
}

impl Seat {
    /// One more try for what could not be written, on the way out.
    pub(super) async fn catch_up(&mut self, engine: &Engine) {
        if self.log.behind {
            let _ = self.commit(engine, &[], Vec::new()).await;
        }
    }

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
        for entry in entries {
            self.near.logged(entry);
            self.repository.logged(entry);
            if let Body::Model {
                model,
                with,
                until_then,
            } = &entry.body
            {
                self.session.model = Some(model.clone());
                if with.is_none() && until_then.is_none() {
                    self.own_model = Some(model.clone());
                }
            }
            self.note_seen(entry);
            self.log.hold_blobs(self.pictures.logged(entry));
            self.log.hold(Arc::clone(entry));
            self.instructed.logged(entry, self.log.history());
        }
        if self.session.title.is_empty()
            && let Some(title) = self.log.history.title()
        {
            title.clone_into(&mut self.session.title);
            // Goes before the entries and is not waited for.
            let _ = engine.setup.storage.describe(self.session.clone()).now_or_never();
        }
        self.log.hold_blobs(blobs);
        self.log.behind = true;
        if self.access != Access::Writable {
            // It could not be begun when it was opened; without a log nothing is done.
            let (meta, holder) = (self.session.clone(), engine.setup.holder.clone());
            engine.setup.storage.create(meta, holder).await?;
            self.access = Access::Writable;
        }
        let began = Instant::now();
        match self.append(engine).await {
            // Nothing is worth less than what can be had again.
            Err(error) if error.is_full() && outputs::forget_all(&engine.setup.folders.cache) => {
                self.append(engine).await?;
            }
            appended => appended?,
        }
        self.traces.committed(began.elapsed());
        self.log.behind = false;
        self.log.unsaved.clear();
        self.log.unsaved_blobs.clear();
        Ok(())
    }

    async fn append(&self, engine: &Engine) -> Result<(), StorageError> {
        let (unsaved, blobs) = (self.log.unsaved.clone(), self.log.unsaved_blobs.clone());
        let append = engine.setup.storage.append(&self.session.id, unsaved, blobs);
        append.instrument(self.traces.span()).await
    }
}
