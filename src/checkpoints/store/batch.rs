//! A batch of objects, written into one pack or a few large ones.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use zstd::bulk::{Compressor, Decompressor};

use super::{Store, lock};
use crate::error::CheckpointError;
use crate::id::{ContentId, Id, TreeId};
use crate::pack::{Finished, Header, MAX_OBJECT, PackWriter};
use crate::tree;

/// Size of a pack in bytes at which the next pack begins. Limits the cost of rewriting a pack in `gc`.
pub(crate) const MAX_PACK: u64 = 64 << 20;

/// Minimum size in bytes of an object to compress. Compression does not shorten smaller objects.
const MIN_COMPRESSED: usize = 64;

/// Minimum size in bytes of a tree to store as a difference to its previous version.
const MIN_BASED: usize = 1024;

/// Maximum number of bases to read for a tree. So every 25th version of a folder is stored whole.
const MAX_DEPTH: u8 = 24;

/// Zstandard compression level. For source code, level 1 takes a third less time and a tenth more space.
const LEVEL: i32 = 3;

/// A compression context for one thread. Creating a context takes longer than compressing a small file.
pub(crate) struct Squeezer(Option<Compressor<'static>>);

impl Squeezer {
    pub(crate) fn new() -> Self {
        Self(Compressor::new(LEVEL).ok())
    }

    /// Compresses bytes. `None` if the result is not shorter.
    fn squeeze(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        if bytes.len() < MIN_COMPRESSED {
            return None;
        }
        let short = self.0.as_mut()?.compress(bytes).ok()?;
        (short.len() < bytes.len()).then_some(short)
    }
}

pub(crate) fn expand(bytes: &[u8], len: u32) -> Option<Vec<u8>> {
    let capacity = usize::try_from(len.min(MAX_OBJECT)).ok()?;
    Decompressor::new().ok()?.decompress(bytes, capacity).ok()
}

pub(crate) struct Batch<'s> {
    store: &'s Store,
    /// Maximum size of the store after the batch, in bytes.
    limit: u64,
    before: u64,
    pending: Mutex<Pending>,
}

#[derive(Default)]
struct Pending {
    /// Size of this batch in bytes, without the indexes of its packs.
    len: u64,
    writer: Option<PackWriter>,
    finished: Vec<Finished>,
    ids: HashSet<Id>,
}

impl<'s> Batch<'s> {
    pub(crate) fn new(store: &'s Store, limit: u64) -> Self {
        Self {
            store,
            limit,
            before: store.bytes(),
            pending: Mutex::default(),
        }
    }

    pub(crate) fn put(&self, bytes: &[u8], squeezer: &mut Squeezer) -> Result<ContentId, CheckpointError> {
        let id = Id::of(bytes);
        if !self.has(&id) {
            let short = squeezer.squeeze(bytes);
            let stored = short.as_deref().unwrap_or(bytes);
            let header = Header {
                is_compressed: short.is_some(),
                ..Header::of(id, stored, bytes)
            };
            self.append(&header, stored)?;
        }
        Ok(ContentId(id))
    }

    /// Stores a tree, as a difference to `base` if possible.
    pub(crate) fn put_tree(
        &self,
        bytes: Vec<u8>,
        base: Option<TreeId>,
        squeezer: &mut Squeezer,
    ) -> Result<TreeId, CheckpointError> {
        let id = Id::of(&bytes);
        if self.has(&id) {
            return Ok(TreeId(id));
        }
        let base = base.filter(|base| bytes.len() >= MIN_BASED && base.0 != id);
        // The base may be missing in the store.
        let base = base.filter(|base| self.has(&base.0));
        let between = base.and_then(|base| self.difference(&bytes, &base.0));
        let bytes: Arc<[u8]> = bytes.into();
        let depth = match between {
            Some((base, between, depth)) => {
                let short = squeezer.squeeze(&between);
                let stored = [&base.0, short.as_deref().unwrap_or(&between)].concat();
                let header = Header {
                    is_compressed: short.is_some(),
                    is_tree: true,
                    depth,
                    ..Header::of(id, &stored, &between)
                };
                self.append(&header, &stored)?;
                depth
            }
            None => {
                let short = squeezer.squeeze(&bytes);
                let stored = short.as_deref().unwrap_or(&bytes);
                let header = Header {
                    is_compressed: short.is_some(),
                    is_tree: true,
                    ..Header::of(id, stored, &bytes)
                };
                self.append(&header, stored)?;
                0
            }
        };
        // A smaller tree is never used as a base, so do not cache it.
        if bytes.len() >= MIN_BASED {
            self.store.remember_tree(id, &bytes, depth);
        }
        Ok(TreeId(id))
    }

    /// Returns the base, the difference to it, and the number of bases to read. Returns `None` if the difference saves
    /// less than half.
    fn difference(&self, bytes: &[u8], base: &Id) -> Option<(Id, Vec<u8>, u8)> {
        let (known, depth) = self.store.tree_with_depth(base).ok()?;
        if depth >= MAX_DEPTH {
            return None;
        }
        let between = tree::difference(&known, bytes)?;
        (between.len() < bytes.len() / 2).then_some((*base, between, depth + 1))
    }

    fn has(&self, id: &Id) -> bool {
        self.store.contains(id) || lock(&self.pending).ids.contains(id)
    }

    fn append(&self, header: &Header, stored: &[u8]) -> Result<(), CheckpointError> {
        let mut pending = lock(&self.pending);
        if !pending.ids.insert(header.id) {
            return Ok(());
        }
        pending.len += stored.len() as u64;
        if self.before.saturating_add(pending.len) > self.limit {
            return Err(CheckpointError::Quota {
                quota: self.limit,
                path: self.store.folder.clone(),
            });
        }
        let packs = self.store.packs();
        let mut writer = match pending.writer.take() {
            Some(writer) => writer,
            None => {
                let path = packs.join(temporary_name());
                PackWriter::create(path.clone()).map_err(CheckpointError::io("create", &path))?
            }
        };
        let appended = writer.append(header, stored);
        appended.map_err(CheckpointError::io("write a pack in", &packs))?;
        if writer.len() >= MAX_PACK {
            let finished = writer.finish(&packs);
            let finished = finished.map_err(CheckpointError::io("write a pack in", &packs))?;
            pending.finished.push(finished);
        } else {
            pending.writer = Some(writer);
        }
        Ok(())
    }

    /// Syncs the batch, and returns the bytes added to the store. Writes nothing without new objects.
    pub(crate) fn commit(self) -> Result<u64, CheckpointError> {
        let mut pending = self
            .pending
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let packs = self.store.packs();
        if let Some(writer) = pending.writer.take() {
            let finished = writer.finish(&packs);
            let finished = finished.map_err(CheckpointError::io("write a pack in", &packs))?;
            pending.finished.push(finished);
        }
        let len = pending.finished.iter().map(|pack| pack.len).sum();
        for pack in pending.finished {
            self.store.add_finished(pack);
        }
        Ok(len)
    }
}

/// Returns a name that no other process or thread uses.
pub(crate) fn temporary_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // Sufficiently random: the standard library seeds each hasher from the system's random numbers.
    let random = RandomState::new().build_hasher().finish();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}-{random:x}.tmp", std::process::id())
}
