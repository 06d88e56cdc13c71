//! The log of the session in memory, and the entries that are not on disk yet.

use std::sync::Arc;
use std::time::Instant;

use futures::FutureExt;
use tracing::Instrument;

use super::effects::named;
use super::{Access, Seat};
use crate::effect::Effect;
use crate::engine::Engine;
use benchdog_base::id::BlobId;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_storage::StorageError;
use benchdog_tools::outputs;

pub(super) struct Log {
    history: History,
    /// Entries that are not on disk yet, or whose commit failed. The next commit writes them first.
    unsaved: Vec<Arc<Entry>>,
    unsaved_blobs: Vec<(BlobId, Arc<[u8]>)>,
    behind: bool,
    /// The last reported error. The same error is not reported twice in succession.
    told_lost: Option<String>,
}

impl Log {
    /// Creates the log of a resumed session. The first commit writes the repairs and the partial answer.
    pub(super) fn new(mut history: History, arrived: Option<Arc<Entry>>, repairs: Vec<Effect>) -> Self {
        let (mut entries, mut blobs) = (Vec::new(), Vec::new());
        for repair in repairs {
            match repair {
                Effect::Persist(entry) => entries.push(entry),
                Effect::Keep(bytes) => blobs.extend(named(bytes)),
                _ => {}
            }
        }
        history.extend(entries.iter().cloned());
        let unsaved = arrived.into_iter().chain(entries).collect();
        Self {
            history,
            unsaved,
            unsaved_blobs: blobs,
            behind: false,
            told_lost: None,
        }
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    pub(super) fn is_saved(&self) -> bool {
        self.unsaved.is_empty()
    }

    pub(super) fn heard(&mut self) {
        self.told_lost = None;
    }

    pub(super) fn hold(&mut self, entry: Arc<Entry>) {
        self.history.push_lean(Arc::clone(&entry));
        self.unsaved.push(entry);
    }

    pub(super) fn hold_blobs(&mut self, blobs: impl IntoIterator<Item = (BlobId, Arc<[u8]>)>) {
        self.unsaved_blobs.extend(blobs);
    }

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
    pub(super) async fn catch_up(&mut self, engine: &Engine) {
        if self.log.behind {
            let _ = self.commit(engine, &[], Vec::new()).await;
        }
    }

    /// Writes `entries` after all unsaved entries. If this returns no error, all of them are on disk.
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
            self.watch.logged(entry);
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
            // Queue the title before the entries, but do not wait for the write.
            let _ = engine.setup.storage.describe(self.session.clone()).now_or_never();
        }
        self.log.hold_blobs(blobs);
        self.log.behind = true;
        if self.access != Access::Writable {
            // The log could not be created when the session was opened. Try again: nothing may run without a log.
            let (meta, holder) = (self.session.clone(), engine.setup.holder.clone());
            engine.setup.storage.create(meta, holder).await?;
            self.access = Access::Writable;
        }
        let began = Instant::now();
        match self.append(engine).await {
            // The disk is full. Delete cached outputs, which are the least valuable data, and try again.
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
