//! The redb file of a session: metadata, entries by id, blobs by hash. The first commit creates the complete file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction};

use super::database::{begin_durable, close, guarded, open_readable, open_writable};
use super::decoding::each_entry;
use super::error::StorageError;
use super::folder::{Folder, Presence, sync_folder};
use super::lease::Lease;
use super::outline::{Outline, reading};
use super::rows::{self, ENTRIES, Part, Row, SUMS};
use benchdog_base::id::{BlobId, EntryId, SessionId};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::{History, title};
use benchdog_domain::session::SessionMeta;

const META: TableDefinition<&str, &[u8]> = TableDefinition::new("meta");
pub(super) const BLOBS: TableDefinition<&str, &[u8]> = TableDefinition::new("blobs");

/// The only key of the metadata table. Its value is a `SessionMeta` as JSON.
const THE_META: &str = "session";

pub(super) type Blob = (BlobId, Arc<[u8]>);

pub(super) struct Addition<'a> {
    pub(super) meta: &'a SessionMeta,
    pub(super) entries: &'a [Arc<Entry>],
    pub(super) blobs: &'a [Blob],
}

/// Creates a session file with its first entries. The file has a temporary name until the commit.
pub(super) fn create(folder: &Folder, id: &SessionId, first: &Addition<'_>) -> Result<Database, StorageError> {
    let unborn = folder.unborn(id);
    let made = open_writable(&unborn, Presence::Anew, Duration::ZERO).and_then(|database| {
        add(&unborn, &database, first)?;
        let path = folder.session(id);
        std::fs::rename(&unborn, &path)
            .and_then(|()| sync_folder(folder.sessions()))
            .map_err(|error| StorageError::io("create", &path, error))?;
        Ok(database)
    });
    if made.is_err() {
        let _ = std::fs::remove_file(&unborn);
    }
    made
}

/// Creates a session file and closes it. During this time, a lock file exists. If this process crashes, the next list
/// of sessions finds the lock file and cleans up.
pub(super) fn create_closed(folder: &Folder, addition: &Addition<'_>) -> Result<(), StorageError> {
    let id = &addition.meta.id;
    let lock = folder.lock(id);
    let lease = Lease::try_take(&lock).map_err(|error| StorageError::io("lock", &lock, error))?;
    let made = create(folder, id, addition).map(close);
    if let Some(lease) = lease {
        lease.remove();
    }
    made
}

pub(super) fn add(path: &Path, database: &Database, addition: &Addition<'_>) -> Result<(), StorageError> {
    let values = encode(path, addition.entries)?;
    let meta = encode_meta(path, addition.meta)?;
    guarded(path, || {
        let transaction = begin_durable(database)?;
        insert(&transaction, &values, addition.blobs, &meta)?;
        transaction.commit()?;
        Ok(())
    })
}

fn insert(
    transaction: &WriteTransaction,
    values: &[(u64, Vec<u8>)],
    blobs: &[Blob],
    meta: &[u8],
) -> Result<(), redb::Error> {
    // Keep only one table open at a time. `index_file::apply` gives the reason.
    let mut entries = transaction.open_table(ENTRIES)?;
    for (id, value) in values {
        entries.insert(id, value.as_slice())?;
    }
    drop(entries);
    let mut sums = transaction.open_table(SUMS)?;
    for (id, value) in values {
        sums.insert(id, rows::sum(*id, value))?;
    }
    sums.insert(rows::OF_META, rows::sum(rows::OF_META, meta))?;
    drop(sums);
    if !blobs.is_empty() {
        let mut stored = transaction.open_table(BLOBS)?;
        for (id, bytes) in blobs {
            if stored.get(id.0.as_str())?.is_none() {
                stored.insert(id.0.as_str(), bytes.as_ref())?;
            }
        }
    }
    transaction.open_table(META)?.insert(THE_META, meta)?;
    Ok(())
}

pub(super) fn read_meta(path: &Path, patience: Duration) -> Result<SessionMeta, StorageError> {
    let bytes = read(path, patience, meta_bytes)?;
    decode_meta(path, bytes)
}

pub(super) fn read_whole(path: &Path, patience: Duration) -> Result<(SessionMeta, Vec<Arc<Entry>>), StorageError> {
    let (meta, parts) = read(path, patience, |transaction| {
        Ok((meta_bytes(transaction)?, all(transaction, EntryId(u64::MAX))?))
    })?;
    let entries = decode_all(path, parts)?;
    Ok((decode_meta(path, meta)?, entries))
}

pub(super) fn read_upto(path: &Path, upto: EntryId, patience: Duration) -> Result<Vec<Arc<Entry>>, StorageError> {
    decode_all(path, read(path, patience, |transaction| all(transaction, upto))?)
}

/// Reads all entries and passes each to `take`. Few entries are in memory at a time.
pub(super) fn read_each(path: &Path, patience: Duration, take: impl FnMut(Arc<Entry>)) -> Result<(), StorageError> {
    read(path, patience, |transaction| {
        let mut rows = rows::upto(transaction, EntryId(u64::MAX))?;
        each_entry(path, |used| rows.part(used), shared, take)
    })?
}

pub(super) fn read_picked(path: &Path, ids: &[EntryId], patience: Duration) -> Result<Vec<Arc<Entry>>, StorageError> {
    let parts = read(path, patience, |transaction| {
        let mut rows = rows::picked(transaction, ids)?;
        let mut parts = Vec::new();
        while parts.last().is_none_or(Part::is_full) {
            parts.push(rows.part(Part::default())?);
        }
        Ok(parts)
    })?;
    decode_all(path, parts)
}

fn all(transaction: &ReadTransaction, upto: EntryId) -> Result<Vec<Part>, redb::Error> {
    let mut rows = rows::upto(transaction, upto)?;
    let mut parts = Vec::new();
    while parts.last().is_none_or(Part::is_full) {
        parts.push(rows.part(Part::default())?);
    }
    Ok(parts)
}

/// Decodes rows that were already read. Close the file before this call, because a process may be waiting to write the
/// file.
fn decode_all(path: &Path, parts: Vec<Part>) -> Result<Vec<Arc<Entry>>, StorageError> {
    let mut entries = Vec::new();
    let mut parts = parts.into_iter();
    each_entry(
        path,
        |_| Ok(parts.next().unwrap_or_default()),
        shared,
        |entry| entries.push(entry),
    )
    .map_err(|error| StorageError::damaged(path, error.to_string()))??;
    Ok(entries)
}

fn shared(row: &Row<'_>) -> Result<Arc<Entry>, String> {
    row.entry().map(Arc::new)
}

pub(super) struct Folded {
    pub(super) meta: SessionMeta,
    pub(super) history: History,
    /// Newest format version among the entries, if this version of Benchdog does not support it.
    pub(super) later: Option<u64>,
}

/// Reads the metadata and the history. Only a small part of the log is in memory at a time.
pub(super) fn read_history(path: &Path, patience: Duration) -> Result<Folded, StorageError> {
    let (meta, folded) = read(path, patience, |transaction| {
        Ok((meta_bytes(transaction)?, fold(path, transaction)?))
    })?;
    let (history, later) = folded?;
    Ok(Folded {
        meta: decode_meta(path, meta)?,
        history,
        later,
    })
}

type Fold = Result<(History, Option<u64>), StorageError>;

fn fold(path: &Path, transaction: &ReadTransaction) -> Result<Fold, redb::Error> {
    let mut history = History::default();
    let mut later = None;
    let mut rows = rows::upto(transaction, EntryId(u64::MAX))?;
    let folded = each_entry(
        path,
        |used| rows.part(used),
        reading(path),
        |outline: Outline| {
            let Outline { entry, left_out } = outline;
            later = later.max(entry.body.later_version());
            history.push_outline(entry, left_out);
        },
    )?;
    if let Err(error) = folded {
        return Ok(Err(error));
    }
    let mut whole = BTreeMap::new();
    let outlines = history.outlines();
    let mut rows = rows::picked(transaction, &outlines)?;
    let read = each_entry(
        path,
        |used| rows.part(used),
        shared,
        |entry| {
            whole.insert(entry.id, entry);
        },
    )?;
    Ok(read.and_then(|()| {
        history.complete(&whole);
        match history.outlines().first() {
            None => Ok((history, later)),
            Some(EntryId(id)) => Err(StorageError::damaged(
                path,
                format!("entry {id} is not what was read before"),
            )),
        }
    }))
}

pub(super) fn read_blob(path: &Path, id: &BlobId, patience: Duration) -> Result<Option<Vec<u8>>, StorageError> {
    let bytes = read(path, patience, |transaction| blob_bytes(transaction, id))?;
    checked_blob(path, id, bytes)
}

pub(super) fn blob_of(path: &Path, database: &Database, id: &BlobId) -> Result<Option<Vec<u8>>, StorageError> {
    let bytes = guarded(path, || blob_bytes(&database.begin_read()?, id))?;
    checked_blob(path, id, bytes)
}

pub(super) fn read_blobs(path: &Path, patience: Duration) -> Result<Vec<Blob>, StorageError> {
    read(path, patience, |transaction| {
        let Some(table) = present(transaction.open_table(BLOBS))? else {
            return Ok(Vec::new());
        };
        let mut blobs = Vec::new();
        for row in table.iter()? {
            let (id, bytes) = row?;
            blobs.push((BlobId(id.value().to_owned()), Arc::from(bytes.value())));
        }
        Ok(blobs)
    })
}

/// Runs `work` in a read transaction. Also closes the file inside `guarded`, because closing a damaged file may panic.
pub(super) fn read<T>(
    path: &Path,
    patience: Duration,
    work: impl FnOnce(&ReadTransaction) -> Result<T, redb::Error>,
) -> Result<T, StorageError> {
    let file = open_readable(path, patience)?;
    guarded(path, move || work(&file.begin_read()?))
}

pub(super) fn meta_bytes(transaction: &ReadTransaction) -> Result<Option<Vec<u8>>, redb::Error> {
    let table = transaction.open_table(META)?;
    let Some(bytes) = table.get(THE_META)?.map(|value| value.value().to_vec()) else {
        return Ok(None);
    };
    match rows::sum_of_meta(transaction)? {
        Some(sum) if sum != rows::sum(rows::OF_META, &bytes) => {
            Err(redb::Error::Corrupted("its description was changed".to_owned()))
        }
        _ => Ok(Some(bytes)),
    }
}

fn blob_bytes(transaction: &redb::ReadTransaction, id: &BlobId) -> Result<Option<Vec<u8>>, redb::Error> {
    let Some(table) = present(transaction.open_table(BLOBS))? else {
        return Ok(None);
    };
    Ok(table.get(id.0.as_str())?.map(|bytes| bytes.value().to_vec()))
}

pub(super) fn present<T>(opened: Result<T, redb::TableError>) -> Result<Option<T>, redb::Error> {
    match opened {
        Ok(table) => Ok(Some(table)),
        Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn encode(path: &Path, entries: &[Arc<Entry>]) -> Result<Vec<(u64, Vec<u8>)>, StorageError> {
    entries
        .iter()
        .map(|entry| {
            let value = serde_json::to_vec(entry.as_ref())
                .map_err(|error| StorageError::io("encode an entry for", path, error.into()))?;
            Ok((entry.id.0, value))
        })
        .collect()
}

fn encode_meta(path: &Path, meta: &SessionMeta) -> Result<Vec<u8>, StorageError> {
    serde_json::to_vec(meta).map_err(|error| StorageError::io("encode the meta of", path, error.into()))
}

pub(super) fn decode_meta(path: &Path, bytes: Option<Vec<u8>>) -> Result<SessionMeta, StorageError> {
    let bytes = bytes.ok_or_else(|| StorageError::damaged(path, "it has no description of its session"))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| StorageError::damaged(path, format!("its description cannot be read: {error}")))
}

fn checked_blob(path: &Path, id: &BlobId, bytes: Option<Vec<u8>>) -> Result<Option<Vec<u8>>, StorageError> {
    if let Some(bytes) = &bytes {
        check_blob(path, id, bytes)?;
    }
    Ok(bytes)
}

pub(super) fn check_blob(path: &Path, id: &BlobId, bytes: &[u8]) -> Result<(), StorageError> {
    if BlobId::of(bytes) == *id {
        return Ok(());
    }
    let reason = format!("the stored file body `{}` has other bytes than its name says", id.0);
    Err(StorageError::damaged(path, reason))
}

pub(super) fn follow(meta: &mut SessionMeta, entry: &Entry) {
    meta.entries = meta.entries.max(entry.id.0);
    meta.updated = meta.updated.max(entry.time);
    if meta.title.is_empty() {
        meta.title = title(entry).unwrap_or_default();
    }
    match &entry.body {
        Body::Model { model, .. } => meta.model = Some(model.clone()),
        Body::Agent { agent, .. } => meta.agent = agent.clone(),
        _ => {}
    }
}
