//! Functions of the store for `gc` and `doctor`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::PathBuf;

use benchdog_base::clock::Time;
use rustix::fs::{FlockOperation, flock};

use super::batch::temporary_name;
use super::{Pack, Store, StoredPack, create_private, open_lock, read_record};
use crate::error::CheckpointError;
use crate::id::{Id, TreeId};
use crate::pack::{self, Header, Row};

impl Store {
    pub(crate) fn bytes(&self) -> u64 {
        self.index().packs.iter().flatten().map(|pack| pack.len).sum()
    }

    pub(crate) fn list_packs(&self) -> Vec<Pack> {
        self.index().packs.iter().flatten().cloned().collect()
    }

    /// Returns the size of an object in the store, in bytes. 0 if the object is missing.
    pub(crate) fn stored_len(&self, id: &Id) -> u64 {
        let place = self.place(id);
        place.map_or(0, |place| u64::from(place.stored))
    }

    pub(crate) fn base(&self, id: &Id) -> Option<Id> {
        let place = self.place(id)?;
        let (_, file) = self.file(place.pack)?;
        let mut bytes = [0; pack::HEADER + Id::LEN];
        file.read_exact_at(bytes.get_mut(..pack::HEADER)?, place.offset).ok()?;
        let header = Header::decode(&bytes)?;
        if header.depth == 0 {
            return None;
        }
        file.read_exact_at(bytes.get_mut(pack::HEADER..)?, place.offset + pack::HEADER as u64)
            .ok()?;
        pack::id_of(&mut bytes.get(pack::HEADER..)?)
    }

    /// Reads the indexes of all packs. Omits unreadable packs, so that `gc` does not remove them.
    pub(crate) fn stored_packs(&self) -> Vec<StoredPack> {
        let packs = self.list_packs().into_iter();
        let packs = packs.filter_map(|pack| {
            let mut file = File::open(self.packs().join(&pack.name)).ok()?;
            Some(StoredPack {
                rows: pack::read_index(&mut file).ok()?,
                name: pack.name,
                len: pack.len,
            })
        });
        packs.collect()
    }

    pub(crate) fn record(&self, pack: &StoredPack, row: &Row) -> io::Result<(Header, Vec<u8>)> {
        let file = File::open(self.packs().join(&pack.name))?;
        read_record(&file, row.offset)
    }

    /// Locks the store. Captures use `LockShared`, so that no pack is removed during a capture. `LockExclusive`, for
    /// removing packs, waits for all captures.
    pub(crate) fn lock_captures(&self, operation: FlockOperation) -> Result<File, CheckpointError> {
        let path = self.folder.join("captures.lock");
        let file = open_lock(&path).map_err(CheckpointError::io("open", &path))?;
        flock(&file, operation).map_err(CheckpointError::io("lock", &path))?;
        Ok(file)
    }

    fn recent_path(&self) -> PathBuf {
        self.folder.join("recent")
    }

    /// Appends a captured tree to the list of recent trees. `gc` keeps recent trees, even if no log refers to them yet.
    pub(crate) fn note_recent(&self, tree: &TreeId) -> Result<(), CheckpointError> {
        let path = self.recent_path();
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path);
        let written = file.and_then(|mut file| file.write_all(format!("{} {tree}\n", Time::now().0).as_bytes()));
        written.map_err(CheckpointError::io("write", &path))
    }

    /// Returns the trees that were captured since a time in milliseconds since 1970.
    pub(crate) fn recent(&self, since: i64) -> Vec<TreeId> {
        self.notes(since).into_iter().map(|(_, tree)| tree).collect()
    }

    fn notes(&self, since: i64) -> Vec<(i64, TreeId)> {
        let text = std::fs::read_to_string(self.recent_path()).unwrap_or_default();
        let notes = text.lines().filter_map(|line| {
            let (time, tree) = line.split_once(' ')?;
            Some((time.parse().ok()?, tree.parse().ok()?))
        });
        notes.filter(|(time, _)| *time >= since).collect()
    }

    /// Removes old entries from the list of recent trees. After an error, the list only stays long.
    pub(crate) fn rewrite_recent(&self, since: i64) {
        let text: String = self
            .notes(since)
            .iter()
            .map(|(time, tree)| format!("{time} {tree}\n"))
            .collect();
        let path = self.folder.join(temporary_name());
        let written = create_private(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        if written
            .and_then(|()| std::fs::rename(&path, self.recent_path()))
            .is_err()
        {
            let _ = std::fs::remove_file(&path);
        }
    }

    /// Removes temporary files of killed processes. `age` is their minimum age in nanoseconds.
    pub(crate) fn remove_leftovers(&self, age: i64) {
        let now = crate::stat::now();
        for folder in [self.folder.clone(), self.packs()] {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            for path in entries.map(|entry| entry.path()) {
                let is_temporary = path.extension().is_some_and(|extension| extension == "tmp");
                let modified = rustix::fs::lstat(&path).map(|raw| crate::stat::Stat::of(&raw).modified);
                if is_temporary && modified.is_ok_and(|modified| modified.saturating_add(age) < now) {
                    let _ = std::fs::remove_file(path);
                }
            }
        }
    }
}
