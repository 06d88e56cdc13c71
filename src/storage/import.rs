//! Creates a session from another file, piece by piece. The complete file gets its final name last, so a failure leaves
//! no session.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use redb::Database;

use super::database::{close, open_writable};
use super::error::StorageError;
use super::folder::{Folder, Presence, is_name, sync_folder};
use super::held::ascending;
use super::lease::{Lease, holder_of};
use super::session_file::{self, Addition, follow};
use benchdog_base::id::{BlobId, EntryId, SessionId};
use benchdog_domain::entry::Entry;
use benchdog_domain::session::SessionMeta;

/// A session that is being imported. Dropping it before `finish` removes the incomplete file.
#[derive(Debug)]
pub struct Import {
    folder: Folder,
    meta: SessionMeta,
    last: EntryId,
    unborn: PathBuf,
    /// Temporary file and its lock. `None` after the session is complete.
    open: Option<(Database, Lease)>,
}

impl Import {
    /// Begins an import. If the session's id is in use or invalid as a file name, assigns a new one.
    pub fn begin(data: &Path, mut meta: SessionMeta) -> Result<Self, StorageError> {
        let folder = Folder::prepare(data)?;
        if !is_name(&meta.id) || folder.session(&meta.id).exists() {
            meta.id = SessionId::fresh();
        }
        let lock = folder.lock(&meta.id);
        let lease = Lease::try_take(&lock)
            .map_err(|error| StorageError::io("lock", &lock, error))?
            .ok_or_else(|| StorageError::Held {
                session: meta.id.clone(),
                holder: holder_of(&lock),
            })?;
        let unborn = folder.unborn(&meta.id);
        let database = match open_writable(&unborn, Presence::Anew, Duration::ZERO) {
            Ok(database) => database,
            Err(error) => {
                lease.remove();
                return Err(error);
            }
        };
        Ok(Self {
            folder,
            meta,
            last: EntryId(0),
            unborn,
            open: Some((database, lease)),
        })
    }

    pub fn id(&self) -> &SessionId {
        &self.meta.id
    }

    /// Appends entries and blobs. Entry ids must be greater than all earlier ones.
    pub fn add(&mut self, entries: &[Arc<Entry>], blobs: &[(BlobId, Arc<[u8]>)]) -> Result<(), StorageError> {
        let last = ascending(&self.meta.id, self.last, entries)?;
        for entry in entries {
            follow(&mut self.meta, entry);
        }
        let addition = Addition {
            meta: &self.meta,
            entries,
            blobs,
        };
        let (database, _) = self.open.as_ref().ok_or(StorageError::Stopped)?;
        session_file::add(&self.unborn, database, &addition)?;
        self.last = last;
        Ok(())
    }

    /// Completes the session. `describe` makes the last changes to its metadata.
    pub fn finish(mut self, describe: impl FnOnce(&mut SessionMeta)) -> Result<SessionMeta, StorageError> {
        describe(&mut self.meta);
        self.add(&[], &[])?;
        let (database, lease) = self.open.take().ok_or(StorageError::Stopped)?;
        close(database);
        let path = self.folder.session(&self.meta.id);
        let named = std::fs::rename(&self.unborn, &path).and_then(|()| sync_folder(self.folder.sessions()));
        if named.is_err() {
            let _ = std::fs::remove_file(&self.unborn);
        }
        lease.remove();
        named.map_err(|error| StorageError::io("create", &path, error))?;
        Ok(self.meta.clone())
    }
}

impl Drop for Import {
    fn drop(&mut self) {
        if let Some((database, lease)) = self.open.take() {
            close(database);
            let _ = std::fs::remove_file(&self.unborn);
            lease.remove();
        }
    }
}
