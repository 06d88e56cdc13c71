//! An open session of this process: its lease and its file.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use redb::Database;

use super::database::{self, PATIENCE, open_writable};
use super::error::StorageError;
use super::folder::{Folder, Presence};
use super::lease::Lease;
use super::session_file::{self, Addition};
use benchdog_base::id::{EntryId, SessionId};
use benchdog_domain::entry::Entry;
use benchdog_domain::session::SessionMeta;

pub(super) struct Held {
    pub(super) lease: Lease,
    pub(super) meta: SessionMeta,
    pub(super) last: EntryId,
    pub(super) file: FileState,
    pub(super) described: Option<Instant>,
    /// Whether the index does not have the newest metadata yet.
    pub(super) unlisted: bool,
}

pub(super) enum FileState {
    /// The session has no entry yet, so it has no file and is not listed.
    Unborn,
    Closed,
    Open {
        database: Database,
        used: Instant,
    },
}

impl FileState {
    pub(super) fn close(&mut self) {
        match std::mem::replace(self, Self::Closed) {
            Self::Unborn => *self = Self::Unborn,
            Self::Closed => {}
            Self::Open { database, .. } => database::close(database),
        }
    }
}

impl Held {
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

    /// Returns the time since which the session is idle. `None` if an idle session needs no work: neither closing the
    /// file, nor writing pending metadata.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        match &self.file {
            FileState::Unborn => None,
            FileState::Open { used, .. } => Some(*used),
            FileState::Closed => self.described,
        }
    }

    /// Writes pending metadata. After a failure, the metadata is written with the next entry. Until then, lists use the
    /// copy in the index.
    pub(super) fn settle(&mut self, folder: &Folder) -> Result<(), StorageError> {
        if self.described.is_none() || matches!(self.file, FileState::Unborn) {
            return Ok(());
        }
        let path = folder.session(&self.meta.id);
        let description = Addition {
            meta: &self.meta,
            entries: &[],
            blobs: &[],
        };
        let written = match &self.file {
            FileState::Open { database, .. } => session_file::add(&path, database, &description),
            FileState::Unborn | FileState::Closed => opened_with(&path, &description).map(database::close),
        };
        self.described = None;
        written
    }
}

/// Opens the session file and adds to it. On failure, closes the file. Damage causes no panic.
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

/// Checks that entry ids ascend and exceed `last`, because the log is append-only. Returns the last id.
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
