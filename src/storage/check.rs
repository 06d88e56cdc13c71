//! `sessions check`: reads a whole session file. A damaged file stays unchanged. Its readable part is saved as a new
//! session.

use std::collections::BTreeSet;
use std::path::Path;

use redb::{ReadTransaction, ReadableTable};

use super::database::{PATIENCE, guarded, open_unchanged};
use super::error::StorageError;
use super::folder::Folder;
use super::lease::{self, Lease};
use super::rows;
use super::salvage::{self, Salvaged};
use super::session_file::{self, Addition, BLOBS, decode_meta, meta_bytes, present};
use benchdog_base::id::{BlobId, CallId, EntryId, SessionId};
use benchdog_domain::damage::{Checked, Flaw};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::session::SessionMeta;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    No,
    IntoNew,
}

/// Returns the ids of all session files, including unreadable ones.
pub fn stored(data: &Path) -> Result<Vec<SessionId>, StorageError> {
    Ok(Folder::prepare(data)?.listing()?.written.into_iter().collect())
}

/// Checks a session file. With `repair`, saves the readable part of a damaged file as a new session. `listed` is the
/// session's row in the index.
pub fn check(
    data: &Path,
    id: &SessionId,
    listed: Option<&SessionMeta>,
    repair: Repair,
) -> Result<Checked, StorageError> {
    let folder = Folder::prepare(data)?;
    let lock = folder.lock(id);
    let lease = match Lease::try_take(&lock).map_err(|error| StorageError::io("lock", &lock, error)) {
        // On a read-only file system, nobody can write the file, so no lock is needed.
        Err(error) if error.is_read_only() => return alone(&folder, id, listed, repair),
        taken => taken?.ok_or_else(|| StorageError::Held {
            session: id.clone(),
            holder: lease::holder_of(&lock),
        })?,
    };
    let checked = alone(&folder, id, listed, repair);
    lease.remove();
    checked
}

fn alone(
    folder: &Folder,
    id: &SessionId,
    listed: Option<&SessionMeta>,
    repair: Repair,
) -> Result<Checked, StorageError> {
    let path = folder.session(id);
    let listed_entries = listed.map_or(0, |meta| meta.entries);
    let reason = match sound(&path) {
        Ok(sound) if sound.last.0 >= listed_entries => {
            return Ok(Checked {
                session: id.clone(),
                flaws: Vec::new(),
                read: sound.entries,
                written: sound.entries,
                saved: None,
            });
        }
        Ok(_) => None,
        Err(StorageError::Damaged { reason, .. }) => Some(reason),
        Err(error) => return Err(error),
    };
    let mut salvaged = salvage::salvage(&path, id, listed)?;
    if salvaged.flaws.is_empty() {
        salvaged.flaws.extend(reason.map(|reason| Flaw::File { reason }));
    }
    let saved = match repair {
        Repair::IntoNew if !salvaged.entries.is_empty() => Some(save(folder, &salvaged)?),
        Repair::IntoNew | Repair::No => None,
    };
    Ok(Checked {
        session: id.clone(),
        read: salvaged.entries.len() as u64,
        written: salvaged.written,
        flaws: salvaged.flaws,
        saved,
    })
}

struct Sound {
    entries: u64,
    last: EntryId,
}

fn sound(path: &Path) -> Result<Sound, StorageError> {
    let file = open_unchanged(path, PATIENCE)?;
    guarded(path, move || {
        let transaction = file.begin_read()?;
        if let Err(error) = decode_meta(path, meta_bytes(&transaction)?) {
            return Err(redb::Error::Corrupted(error.to_string()));
        }
        let mut calls = Calls::default();
        let mut sound = Sound {
            entries: 0,
            last: EntryId(0),
        };
        let mut rows = rows::upto(&transaction, EntryId(u64::MAX))?;
        while let Some(entry) = rows.next(|row| row.entry())? {
            let entry = entry.map_err(redb::Error::Corrupted)?;
            if calls.is_orphaned(&entry) {
                return Err(redb::Error::Corrupted("a result has no call".to_owned()));
            }
            calls.take(&entry);
            sound.entries += 1;
            sound.last = entry.id;
        }
        bodies(&transaction)?;
        Ok(sound)
    })
}

fn bodies(transaction: &ReadTransaction) -> Result<(), redb::Error> {
    let Some(table) = present(transaction.open_table(BLOBS))? else {
        return Ok(());
    };
    for row in table.iter()? {
        let (id, bytes) = row?;
        if BlobId::of(bytes.value()).0 != id.value() {
            return Err(redb::Error::Corrupted("a stored file body was changed".to_owned()));
        }
    }
    Ok(())
}

#[derive(Default)]
pub(super) struct Calls(BTreeSet<CallId>);

impl Calls {
    pub(super) fn take(&mut self, entry: &Entry) {
        if let Body::Assistant { calls, .. } = &entry.body {
            self.0.extend(calls.iter().map(|call| call.id.clone()));
        }
    }

    pub(super) fn is_orphaned(&self, entry: &Entry) -> bool {
        matches!(&entry.body, Body::ToolResult { call, .. } if !self.0.contains(call))
    }
}

fn save(folder: &Folder, salvaged: &Salvaged) -> Result<SessionId, StorageError> {
    let mut meta = SessionMeta {
        id: SessionId::fresh(),
        entries: 0,
        ..salvaged.meta.clone()
    };
    for entry in &salvaged.entries {
        session_file::follow(&mut meta, entry);
    }
    let addition = Addition {
        meta: &meta,
        entries: &salvaged.entries,
        blobs: &salvaged.blobs,
    };
    session_file::create_closed(folder, &addition)?;
    Ok(meta.id)
}
