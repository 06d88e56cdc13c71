//! Reads session files for search in the caller's thread, not in the storage threads. Writes nothing.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::error::StorageError;
use super::folder::is_name;
use super::session_file;
use benchdog_base::id::{EntryId, SessionId};
use benchdog_domain::entry::Entry;

/// Maximum wait for a file in use. If a session is being written, only the next search includes it.
const PATIENCE: Duration = Duration::from_millis(50);

/// Reads all entries and passes each to `take`. Few entries are in memory at a time.
pub fn each_entry(data: &Path, id: &SessionId, take: impl FnMut(Arc<Entry>)) -> Result<(), StorageError> {
    session_file::read_each(&path(data, id)?, PATIENCE, take)
}

pub fn entries(data: &Path, id: &SessionId, ids: &[EntryId]) -> Result<Vec<Arc<Entry>>, StorageError> {
    session_file::read_picked(&path(data, id)?, ids, PATIENCE)
}

pub fn path(data: &Path, id: &SessionId) -> Result<std::path::PathBuf, StorageError> {
    if is_name(id) {
        Ok(data.join("sessions").join(format!("{id}.redb")))
    } else {
        Err(StorageError::NotFound(id.clone()))
    }
}
