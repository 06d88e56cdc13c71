//! A session that this process has open: its lease, and its file while entries come in.

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
        if let Self::Open { .. } = self
            && let Self::Open { database, .. } = std::mem::replace(self, Self::Closed)
        {
            database::close(database);
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
                let database = open_writable(&path, Presence::Must, PATIENCE)?;
                session_file::add(&path, &database, addition)?;
                self.file = FileState::Open {
                    database,
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
        let meta = self.meta.clone();
        // What fails here goes with the next entry, and lists have it from the index.
        let _ = match &self.file {
            FileState::Open { database, .. } => session_file::write_meta(&path, database, &meta),
            FileState::Unborn | FileState::Closed => open_writable(&path, Presence::Must, PATIENCE)
                .and_then(|database| session_file::write_meta(&path, &database, &meta)),
        };
        self.described = None;
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
