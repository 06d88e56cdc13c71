//! A session that this process has open: its lease, and its file while entries come in.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use redb::Database;

use super::database::{self, PATIENCE, open_writable};
use super::error::StorageError;
use super::folder::{Folder, Presence};
use super::lease::Lease;
use super::session_file::{self, Addition};
use crate::base::id::{EntryId, SessionId};
use crate::domain::entry::Entry;
use crate::domain::session::SessionMeta;

/// A session this process has the lease of.
pub(super) struct Held {
    pub(super) lease: Lease,
    pub(super) meta: SessionMeta,
    pub(super) last: EntryId,
    pub(super) file: FileState,
    /// Since when the file lacks something `describe` said (a new title, say).
    pub(super) described: Option<Instant>,
    /// The index does not know the newest meta yet.
    pub(super) unlisted: bool,
}

pub(super) enum FileState {
    /// Nothing was written yet; the session is in no list.
    Unborn,
    Closed,
    Open {
        database: Database,
        used: Instant,
    },
}

impl FileState {
    /// What nothing was written to yet stays so.
    pub(super) fn close(&mut self) {
        match std::mem::replace(self, Self::Closed) {
            Self::Unborn => *self = Self::Unborn,
            Self::Closed => {}
            Self::Open { database, .. } => database::close(database),
        }
    }
}

impl Held {
    /// One durable commit; opens or creates the file where it has to.
    pub(super) fn write(&mut self, folder: &Folder, addition: &Addition<'_>) -> Result<(), StorageError> {
        let path = folder.session(&self.meta.id);
        match &mut self.file {
            FileState::Open { database, used } => {
                session_file::add(&path, database, addition)?;
                *used = Instant::now();
            }
            FileState::Closed => {
                self.file = FileState::Open {
                    database: opened_with(&path, addition)?,
                    used: Instant::now(),
                };
            }
            FileState::Unborn => {
                let database = session_file::create(folder, &self.meta.id, addition)?;
                self.file = FileState::Open {
                    database,
                    used: Instant::now(),
                };
            }
        }
        Ok(())
    }

    /// Since when the file has been idle, or a new title waits to be written; `None`: there is nothing to do.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        match &self.file {
            FileState::Unborn => None,
            FileState::Open { used, .. } => Some(*used),
            FileState::Closed => self.described,
        }
    }

    /// Puts a new title into the file, when no entry carried it there.
    pub(super) fn settle(&mut self, folder: &Folder) {
        if self.described.is_none() || matches!(self.file, FileState::Unborn) {
            return;
        }
        let path = folder.session(&self.meta.id);
        let description = Addition {
            meta: &self.meta,
            entries: &[],
            blobs: &[],
        };
        // What fails here goes with the next entry, and lists have it from the index.
        let _ = match &self.file {
            FileState::Open { database, .. } => session_file::add(&path, database, &description),
            FileState::Unborn | FileState::Closed => opened_with(&path, &description).map(database::close),
        };
        self.described = None;
    }
}

/// The file with this added. One that takes it not is closed in a way that survives what is wrong with it.
fn opened_with(path: &Path, addition: &Addition<'_>) -> Result<Database, StorageError> {
    let database = open_writable(path, Presence::Must, PATIENCE)?;
    match session_file::add(path, &database, addition) {
        Ok(()) => Ok(database),
        Err(error) => {
            database::close(database);
            Err(error)
        }
    }
}

/// The id of the last entry, when all of them come after `last` in order: the log is never written over.
pub(super) fn ascending(session: &SessionId, last: EntryId, entries: &[Arc<Entry>]) -> Result<EntryId, StorageError> {
    let mut newest = last;
    for entry in entries {
        if entry.id <= newest {
            return Err(StorageError::OutOfOrder {
                session: session.clone(),
                entry: entry.id,
                last: newest,
            });
        }
        newest = entry.id;
    }
    Ok(newest)
}
