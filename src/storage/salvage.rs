//! Recovers the entries of a damaged session file. Looks up each entry separately, and then searches the raw bytes for
//! missing ones.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use redb::{ReadTransaction, ReadableTable};
use serde::de::DeserializeOwned;

use super::check::Calls;
use super::database::{PATIENCE, Readable, guarded, open_unchanged};
use super::error::StorageError;
use super::rows::{ENTRIES, Row, SUMS};
use super::session_file::{BLOBS, Blob, decode_meta, meta_bytes, present};
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, EntryId, SessionId};
use benchdog_domain::agent::AgentName;
use benchdog_domain::damage::Flaw;
use benchdog_domain::entry::Entry;
use benchdog_domain::session::SessionMeta;

/// Minimum size of an entry in bytes. Used to compute the maximum number of entries from the file size.
const LEAST_BYTES: u64 = 24;

const ENTRY_BEGINS: &[u8] = br#"{"v":"#;

const PIECE: usize = 1 << 20;

pub(super) struct Salvaged {
    pub(super) meta: SessionMeta,
    pub(super) entries: Vec<Arc<Entry>>,
    pub(super) blobs: Vec<Blob>,
    pub(super) flaws: Vec<Flaw>,
    /// Highest entry number in entries, checksums or metadata. It shows how many entries were lost.
    pub(super) written: u64,
}

#[derive(Default)]
struct Found {
    meta: Option<SessionMeta>,
    entries: BTreeMap<u64, Arc<Entry>>,
    sums: BTreeMap<u64, u32>,
    blobs: Vec<Blob>,
    flaws: Vec<Flaw>,
}

pub(super) fn salvage(path: &Path, id: &SessionId, listed: Option<&SessionMeta>) -> Result<Salvaged, StorageError> {
    let failed = |error| StorageError::io("look through", path, error);
    let size = std::fs::metadata(path).map_err(failed)?.len();
    let mut found = Found::default();
    match open_unchanged(path, PATIENCE) {
        Ok(file) => by_database(path, file, size, listed, &mut found),
        Err(StorageError::Damaged { reason, .. }) => found.flaws.push(Flaw::File { reason }),
        Err(error) => return Err(error),
    }
    by_bytes(path, id, &mut found).map_err(failed)?;
    Ok(found.told(id, listed, size))
}

/// Recovers rows through the database. Looks up each row separately, because only some lookups meet a damaged page.
fn by_database(path: &Path, file: Readable, size: u64, listed: Option<&SessionMeta>, found: &mut Found) {
    let Ok(transaction) = guarded(path, move || Ok(file.begin_read()?)) else {
        return;
    };
    let meta = guarded(path, || meta_bytes(&transaction)).and_then(|bytes| decode_meta(path, bytes));
    found.meta = meta.ok();
    let newest = |newest: Result<Option<u64>, StorageError>| newest.ok().flatten().unwrap_or(0);
    let last = newest(guarded(path, || {
        Ok(transaction.open_table(ENTRIES)?.last()?.map(|(id, _)| id.value()))
    }));
    let last_sum = newest(guarded(path, || match present(transaction.open_table(SUMS))? {
        Some(table) => Ok(table.last()?.map(|(id, _)| id.value())),
        None => Ok(None),
    }));
    let known = [found.meta.as_ref(), listed].into_iter().flatten();
    let told = known.map(|meta| meta.entries).max().unwrap_or(0);
    let most = told.max(last).max(last_sum).min(size / LEAST_BYTES);
    for id in 1..=most {
        let sum = guarded(path, || match present(transaction.open_table(SUMS))? {
            Some(table) => Ok(table.get(id)?.map(|sum| sum.value())),
            None => Ok(None),
        });
        if let Ok(Some(sum)) = sum {
            found.sums.insert(id, sum);
        }
        let bytes = guarded(path, || {
            let entry = transaction.open_table(ENTRIES)?.get(id)?;
            Ok(entry.map(|bytes| bytes.value().to_vec()))
        });
        if let Ok(Some(bytes)) = bytes {
            found.take(id, &bytes);
        }
    }
    // Ignore the error. An unreadable page only ends the search for blobs.
    let _ = guarded(path, || blobs(&transaction, found));
}

fn blobs(transaction: &ReadTransaction, found: &mut Found) -> Result<(), redb::Error> {
    let Some(table) = present(transaction.open_table(BLOBS))? else {
        return Ok(());
    };
    for row in table.iter()? {
        let (id, bytes) = row?;
        let id = BlobId(id.value().to_owned());
        if BlobId::of(bytes.value()) == id {
            found.blobs.push((id, Arc::from(bytes.value())));
        } else {
            found.flaws.push(Flaw::Body { blob: id });
        }
    }
    Ok(())
}

/// Recovers entries and metadata from the raw bytes, where they are contiguous JSON.
fn by_bytes(path: &Path, id: &SessionId, found: &mut Found) -> io::Result<()> {
    let mut file = File::open(path)?;
    for at in places(&mut file, ENTRY_BEGINS)? {
        if let Some((entry, bytes)) = value_at::<Entry>(&mut file, at)?
            && !found.entries.contains_key(&entry.id.0)
        {
            found.take(entry.id.0, &bytes);
        }
    }
    if found.meta.is_none() {
        let begins = format!("{{\"id\":\"{id}\"");
        for at in places(&mut file, begins.as_bytes())? {
            let Some((meta, _)) = value_at::<SessionMeta>(&mut file, at)? else {
                continue;
            };
            if found.meta.as_ref().is_none_or(|older| older.entries <= meta.entries) {
                found.meta = Some(meta);
            }
        }
    }
    Ok(())
}

fn places(file: &mut File, wanted: &[u8]) -> io::Result<Vec<u64>> {
    file.rewind()?;
    let mut places = Vec::new();
    let (mut piece, mut begins) = (Vec::with_capacity(PIECE + wanted.len()), 0_u64);
    loop {
        let read = file.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
        let here = piece.windows(wanted.len()).enumerate();
        places.extend(
            here.filter(|(_, bytes)| *bytes == wanted)
                .map(|(at, _)| begins + at as u64),
        );
        if read == 0 {
            return Ok(places);
        }
        // Keep the last bytes, because a match may continue in the next piece.
        let gone = piece.len().saturating_sub(wanted.len() - 1);
        piece.drain(..gone);
        begins += gone as u64;
    }
}

fn value_at<T: DeserializeOwned>(file: &mut File, at: u64) -> io::Result<Option<(T, Vec<u8>)>> {
    file.seek(SeekFrom::Start(at))?;
    let mut values = serde_json::Deserializer::from_reader(BufReader::new(&mut *file)).into_iter::<T>();
    let Some(Ok(value)) = values.next() else {
        return Ok(None);
    };
    let length = values.byte_offset();
    drop(values);
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes)?;
    Ok(Some((value, bytes)))
}

impl Found {
    /// Adds an entry if its checksum is valid.
    fn take(&mut self, id: u64, bytes: &[u8]) {
        let sum = self.sums.get(&id).copied();
        if let Ok(entry) = (Row { id, bytes, sum }).entry() {
            self.entries.insert(id, Arc::new(entry));
        }
    }

    fn told(mut self, id: &SessionId, listed: Option<&SessionMeta>, size: u64) -> Salvaged {
        if self.meta.is_none() {
            self.flaws.push(Flaw::Description);
        }
        let meta = self.meta.or_else(|| listed.cloned()).unwrap_or_else(|| unknown(id));
        let told = [Some(&meta), listed].into_iter().flatten();
        let told = told.map(|meta| meta.entries).max().unwrap_or(0);
        let last = |id: Option<&u64>| id.copied().unwrap_or(0);
        let written = told
            .max(last(self.entries.keys().next_back()))
            .max(last(self.sums.keys().next_back()))
            .min(size / LEAST_BYTES)
            .max(last(self.entries.keys().next_back()));
        let mut before = 0;
        for id in self.entries.keys().copied().chain([written + 1]) {
            if id > before + 1 {
                self.flaws.push(Flaw::Missing {
                    from: EntryId(before + 1),
                    upto: EntryId(id - 1),
                });
            }
            before = id;
        }
        let mut calls = Calls::default();
        let mut entries = Vec::with_capacity(self.entries.len());
        for entry in self.entries.into_values() {
            if calls.is_orphaned(&entry) {
                self.flaws.push(Flaw::Orphaned { entry: entry.id });
            } else {
                calls.take(&entry);
                entries.push(entry);
            }
        }
        Salvaged {
            meta,
            entries,
            blobs: self.blobs,
            flaws: self.flaws,
            written,
        }
    }
}

/// Returns placeholder metadata for a session without readable metadata.
fn unknown(id: &SessionId) -> SessionMeta {
    SessionMeta {
        id: id.clone(),
        title: String::new(),
        workspace: String::new(),
        created: Time(0),
        updated: Time(0),
        model: None,
        agent: AgentName::default(),
        entries: 0,
        window: None,
        parent: None,
        tag: None,
        forked_from: None,
    }
}
