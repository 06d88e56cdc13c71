//! The store of one workspace root: packs of objects, found by their ids.
//!
//! A rename makes a complete pack visible, and the pack never changes. So several processes can use a store at the same
//! time.

use std::collections::{HashMap, HashSet};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::error::{CheckpointError, Damage};
use crate::id::Id;
use crate::pack::{self, Finished, HEADER, Header, Row};
use crate::tree;

pub(crate) mod batch;
mod care;

pub(crate) use batch::{Batch, Squeezer};

const MAX_TREES: usize = 4 << 20;

const MAX_OPEN: usize = 16;

pub(crate) struct Store {
    pub(crate) folder: PathBuf,
    index: RwLock<Index>,
    open: Mutex<HashMap<u32, Arc<File>>>,
    trees: Mutex<Trees>,
    /// Counter of events that may have removed objects.
    losses: AtomicU64,
}

#[derive(Default)]
struct Index {
    places: HashMap<Id, Place>,
    packs: Vec<Option<Pack>>,
    /// Objects that could not be read. The next capture stores them again.
    damaged: HashSet<Id>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    pack: u32,
    stored: u32,
    offset: u64,
}

pub(crate) struct StoredPack {
    pub(crate) name: String,
    pub(crate) len: u64,
    pub(crate) rows: Vec<Row>,
}

#[derive(Debug, Clone)]
pub(crate) struct Pack {
    pub(crate) name: String,
    pub(crate) len: u64,
    pub(crate) modified: i64,
    pub(crate) objects: usize,
}

#[derive(Default)]
struct Trees {
    known: HashMap<Id, (Arc<[u8]>, u8)>,
    bytes: usize,
}

pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Opens a file that is only locked, never written.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
}

pub(crate) fn create_folder(path: &Path) -> Result<(), CheckpointError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(CheckpointError::io("create the folder", path))
}

impl Store {
    pub(crate) fn open(folder: PathBuf) -> Result<Self, CheckpointError> {
        create_folder(&folder.join("packs"))?;
        let store = Self {
            folder,
            index: RwLock::default(),
            open: Mutex::default(),
            trees: Mutex::default(),
            losses: AtomicU64::new(0),
        };
        store.refresh()?;
        Ok(store)
    }

    pub(crate) fn packs(&self) -> PathBuf {
        self.folder.join("packs")
    }

    /// Adds packs of other processes to the index, and removes deleted packs from it. An unreadable pack counts as
    /// empty.
    pub(crate) fn refresh(&self) -> Result<(), CheckpointError> {
        let folder = self.packs();
        let known: HashSet<String> = self.index().names().map(str::to_owned).collect();
        let (names, new) = list(&folder, &known).map_err(CheckpointError::io("list", &folder))?;
        let gone = known.iter().any(|name| !names.contains(name));
        let new = if gone {
            let all = list(&folder, &HashSet::new());
            all.map_err(CheckpointError::io("list", &folder))?.1
        } else {
            new
        };
        if gone {
            *self.index_mut() = Index::default();
            lock(&self.open).clear();
            *lock(&self.trees) = Trees::default();
            self.losses.fetch_add(1, Ordering::Relaxed);
        }
        for mut pack in new {
            let rows = File::open(folder.join(&pack.name)).and_then(|mut file| pack::read_index(&mut file));
            let rows = rows.unwrap_or_default();
            pack.objects = rows.len();
            self.index_mut().add(pack, &rows);
        }
        Ok(())
    }

    /// Returns a counter that changes whenever objects may have disappeared.
    pub(crate) fn losses(&self) -> u64 {
        self.losses.load(Ordering::Relaxed)
    }

    pub(crate) fn contains(&self, id: &Id) -> bool {
        let index = self.index();
        index.places.contains_key(id) && !index.damaged.contains(id)
    }

    /// Returns the missing or damaged objects. Takes the lock only once.
    pub(crate) fn missing<'i>(&self, ids: impl Iterator<Item = &'i Id>) -> HashSet<Id> {
        let index = self.index();
        ids.filter(|id| !index.places.contains_key(id) || index.damaged.contains(id))
            .copied()
            .collect()
    }

    pub(crate) fn read(&self, id: &Id) -> Result<Vec<u8>, Damage> {
        self.read_with_depth(id).map(|(bytes, _)| bytes)
    }

    pub(crate) fn read_tree(&self, id: &Id) -> Result<Arc<[u8]>, Damage> {
        self.tree_with_depth(id).map(|(bytes, _)| bytes)
    }

    pub(super) fn tree_with_depth(&self, id: &Id) -> Result<(Arc<[u8]>, u8), Damage> {
        if let Some((bytes, depth)) = lock(&self.trees).known.get(id) {
            return Ok((Arc::clone(bytes), *depth));
        }
        let (bytes, depth) = self.read_with_depth(id)?;
        let bytes: Arc<[u8]> = bytes.into();
        self.remember_tree(*id, &bytes, depth);
        Ok((bytes, depth))
    }

    pub(super) fn remember_tree(&self, id: Id, bytes: &Arc<[u8]>, depth: u8) {
        let mut trees = lock(&self.trees);
        if trees.bytes.saturating_add(bytes.len()) > MAX_TREES {
            *trees = Trees::default();
        }
        trees.bytes += bytes.len();
        trees.known.insert(id, (Arc::clone(bytes), depth));
    }

    fn read_with_depth(&self, id: &Id) -> Result<(Vec<u8>, u8), Damage> {
        let place = self.place(id);
        let found = match place {
            Some(place) => self.read_at(id, place),
            None => Err(Damage::Missing { id: id.to_string() }),
        };
        let Err(damage) = found else { return found };
        // Another process may have written or moved the object.
        if self.refresh().is_ok()
            && let Some(now) = self.place(id)
            && (place != Some(now) || matches!(damage, Damage::Missing { .. }))
            && let Ok(found) = self.read_at(id, now)
        {
            return Ok(found);
        }
        if let Some(found) = self.copies(id).into_iter().find_map(|at| self.read_at(id, at).ok()) {
            return Ok(found);
        }
        self.index_mut().damaged.insert(*id);
        self.losses.fetch_add(1, Ordering::Relaxed);
        Err(damage)
    }

    /// Returns all places of an object, from the indexes on disk. Slow, so only for damaged objects.
    fn copies(&self, id: &Id) -> Vec<Place> {
        let packs: Vec<(u32, String)> = self
            .index()
            .packs
            .iter()
            .zip(0..)
            .filter_map(|(pack, at)| Some((at, pack.as_ref()?.name.clone())))
            .collect();
        let rows = packs.into_iter().flat_map(|(at, name)| {
            let rows = File::open(self.packs().join(name)).and_then(|mut file| pack::read_index(&mut file));
            let rows = rows.unwrap_or_default().into_iter().filter(|row| row.id == *id);
            rows.map(move |row| Place {
                pack: at,
                stored: row.stored,
                offset: row.offset,
            })
            .collect::<Vec<_>>()
        });
        rows.collect()
    }

    fn read_at(&self, id: &Id, place: Place) -> Result<(Vec<u8>, u8), Damage> {
        let (path, file) = self
            .file(place.pack)
            .ok_or_else(|| Damage::Missing { id: id.to_string() })?;
        let damaged = |reason| Damage::Damaged {
            id: id.to_string(),
            pack: path.clone(),
            reason,
        };
        let (header, bytes) = read_record(&file, place.offset).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => damaged("its header is unreadable"),
            _ => Damage::Unreadable {
                pack: path.clone(),
                reason: error.to_string(),
            },
        })?;
        if header.id != *id {
            return Err(damaged("another object is in its place"));
        }
        let mut stored = bytes.as_slice();
        let base = match header.depth {
            0 => None,
            depth => {
                let base = pack::id_of(&mut stored).ok_or_else(|| damaged("its base is unreadable"))?;
                let (base, base_depth) = self.tree_with_depth(&base)?;
                if base_depth >= depth {
                    return Err(damaged("its base is unreadable"));
                }
                Some(base)
            }
        };
        let bytes = if header.is_compressed {
            batch::expand(stored, header.len)
        } else {
            Some(stored.to_vec())
        };
        let bytes = match base {
            None => bytes,
            Some(base) => bytes.and_then(|between| tree::apply(&base, &between)),
        };
        let bytes = bytes.ok_or_else(|| damaged("it cannot be decompressed"))?;
        if Id::of(&bytes) != *id {
            return Err(damaged("its bytes have another hash"));
        }
        Ok((bytes, header.depth))
    }

    fn place(&self, id: &Id) -> Option<Place> {
        self.index().places.get(id).copied()
    }

    fn file(&self, pack: u32) -> Option<(PathBuf, Arc<File>)> {
        let name = {
            let index = self.index();
            index.packs.get(usize::try_from(pack).ok()?)?.as_ref()?.name.clone()
        };
        let path = self.packs().join(name);
        let mut open = lock(&self.open);
        if let Some(file) = open.get(&pack) {
            return Some((path, Arc::clone(file)));
        }
        if open.len() >= MAX_OPEN {
            open.clear();
        }
        let file = Arc::new(File::open(&path).ok()?);
        open.insert(pack, Arc::clone(&file));
        Some((path, file))
    }

    pub(crate) fn add_finished(&self, finished: Finished) {
        let pack = Pack {
            name: finished.name,
            len: finished.len,
            modified: crate::stat::now(),
            objects: finished.rows.len(),
        };
        self.index_mut().add(pack, &finished.rows);
    }

    fn index(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn index_mut(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.packs.iter().flatten().map(|pack| pack.name.as_str())
    }

    fn add(&mut self, pack: Pack, rows: &[Row]) {
        // A pack with this name may exist, because the name depends on the objects. Another process may have stored the
        // same objects.
        let same = self
            .packs
            .iter()
            .position(|known| known.as_ref().is_some_and(|known| known.name == pack.name));
        let Ok(number) = u32::try_from(same.unwrap_or(self.packs.len())) else {
            return;
        };
        if same.is_none() {
            self.packs.push(Some(pack));
        }
        self.places.reserve(rows.len());
        for row in rows {
            self.damaged.remove(&row.id);
            let place = Place {
                pack: number,
                stored: row.stored,
                offset: row.offset,
            };
            self.places.insert(row.id, place);
        }
    }
}

/// Returns the names of all packs, and the packs that are not in `known`. Sorts from old to new, so that the newest
/// copy of an object is used.
fn list(folder: &Path, known: &HashSet<String>) -> io::Result<(HashSet<String>, Vec<Pack>)> {
    let (mut names, mut new) = (HashSet::new(), Vec::new());
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if !name.ends_with(".pack") {
            continue;
        }
        if !known.contains(&name) {
            // Skip a pack that another process has just removed.
            let Ok(stat) = rustix::fs::lstat(entry.path()) else {
                continue;
            };
            let stat = crate::stat::Stat::of(&stat);
            new.push(Pack {
                name: name.clone(),
                len: stat.size,
                modified: stat.modified,
                objects: 0,
            });
        }
        names.insert(name);
    }
    new.sort_by(|a, b| (a.modified, &a.name).cmp(&(b.modified, &b.name)));
    Ok((names, new))
}

fn read_record(file: &File, offset: u64) -> io::Result<(Header, Vec<u8>)> {
    let mut head = [0; HEADER];
    file.read_exact_at(&mut head, offset)?;
    let header = Header::decode(&head).ok_or(io::ErrorKind::InvalidData)?;
    let mut bytes = vec![0; usize::try_from(header.stored).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, offset + HEADER as u64)?;
    Ok((header, bytes))
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
