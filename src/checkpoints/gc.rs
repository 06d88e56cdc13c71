//! Garbage collection of the store: removes unneeded objects, and merges small packs.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;

use benchdog_base::clock::Time;
use benchdog_base::disk::Space;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::checkpoints::Checkpoints;
use crate::compare::items;
use crate::error::{CheckpointError, Damage};
use crate::id::{Id, TreeId};
use crate::limits::Limits;
use crate::pack::{Finished, PackWriter};
use crate::store::batch::{MAX_PACK, temporary_name};
use crate::store::{Store, StoredPack, open_lock};
use crate::tree::Node;

/// Size in bytes below which a pack is merged with other small packs.
const SMALL: u64 = 4 << 20;

const MIN_MERGED: usize = 8;

/// A pack is rewritten if at least a quarter (one part in `GARBAGE`) is garbage.
const GARBAGE: u64 = 4;

/// Age in milliseconds below which no captured tree is removed. The log entry that refers to the tree may not be
/// written yet.
const RECENT: i64 = 3_600_000;

/// Age in nanoseconds after which a temporary file counts as the leftover of a killed process.
const LEFTOVER: i64 = 3_600_000_000_000;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Collected {
    pub before: u64,
    pub after: u64,
    /// Checkpoints that were removed because of the quota, or were already damaged.
    pub dropped: Vec<TreeId>,
    /// Whether another process was collecting, so that nothing was removed.
    pub is_busy: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    pub packs: usize,
    pub bytes: u64,
    /// Number of stored contents and trees.
    pub objects: usize,
    /// Maximum size of the store in bytes, by the settings and the free space.
    pub quota: u64,
    pub oldest: Option<Time>,
}

#[derive(Default)]
struct Live {
    ids: HashSet<Id>,
    /// Trees whose items are all marked. Excludes trees that are only the base of another tree.
    trees: HashSet<TreeId>,
    bytes: u64,
}

/// Returns the maximum size of the store in bytes: the smaller of the configured quota and the allowed share of free
/// space.
pub(crate) fn quota(limits: &Limits, store: &Store) -> u64 {
    let Some(space) = Space::of(&store.folder) else {
        return limits.quota;
    };
    let share = space.free.saturating_add(store.bytes()) / 100 * limits.free_percent;
    limits.quota.min(share)
}

impl Checkpoints {
    pub(crate) fn figures_now(&self) -> Figures {
        // After an error, the figures only lack new packs of other processes.
        let _ = self.store.refresh();
        let packs = self.store.list_packs();
        Figures {
            packs: packs.len(),
            bytes: packs.iter().map(|pack| pack.len).sum(),
            objects: packs.iter().map(|pack| pack.objects).sum(),
            quota: quota(&self.limits, &self.store),
            oldest: packs.iter().map(|pack| Time(pack.modified / 1_000_000)).min(),
        }
    }

    pub(crate) fn collect(&self, keep: &[(Time, TreeId)], now: Time) -> Result<Collected, CheckpointError> {
        let path = self.store.folder.join("gc.lock");
        let alone = open_lock(&path).map_err(CheckpointError::io("open", &path))?;
        match flock(&alone, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                return Ok(Collected {
                    is_busy: true,
                    ..Collected::default()
                });
            }
            Err(error) => return Err(CheckpointError::io("lock", &path)(error)),
        }
        self.store.refresh()?;
        let since = now.0.saturating_sub(RECENT);
        let mut collected = Collected {
            before: self.store.bytes(),
            ..Collected::default()
        };
        let mut live = Live::default();
        for tree in self.store.recent(since) {
            mark(&self.store, &tree, &mut live)?;
        }
        let quota = quota(&self.limits, &self.store);
        let mut newest_first = keep.to_vec();
        newest_first.sort_unstable_by(|a, b| b.cmp(a));
        for (_, tree) in newest_first {
            if live.bytes > quota || !mark(&self.store, &tree, &mut live)? {
                collected.dropped.push(tree);
            }
        }
        let (old, new) = self.copy_live(&live)?;
        self.remove_packs(old, new, live, since)?;
        self.store.remove_leftovers(LEFTOVER);
        collected.after = self.store.bytes();
        Ok(collected)
    }

    /// Copies the live objects of small packs, and of packs with much garbage, into new packs.
    fn copy_live(&self, live: &Live) -> Result<(Vec<StoredPack>, Vec<Finished>), CheckpointError> {
        let packs = self.store.stored_packs();
        let is_live = |pack: &StoredPack| -> u64 {
            let rows = pack.rows.iter().filter(|row| live.ids.contains(&row.id));
            rows.map(|row| row.record_len()).sum()
        };
        let small = packs.iter().filter(|pack| pack.len < SMALL).count();
        let mut old = Vec::new();
        for pack in packs {
            let used = is_live(&pack);
            let has_garbage = pack.len.saturating_sub(used) > pack.len / GARBAGE;
            if has_garbage || (pack.len < SMALL && small >= MIN_MERGED) {
                old.push(pack);
            }
        }
        let folder = self.store.packs();
        let failed = || CheckpointError::io("write a pack in", &folder);
        let mut new = Vec::new();
        let mut writer: Option<PackWriter> = None;
        let mut copied = HashSet::new();
        for pack in &old {
            for row in pack.rows.iter().filter(|row| live.ids.contains(&row.id)) {
                // Skip a damaged record, because it is lost anyway.
                let Ok((header, bytes)) = self.store.record(pack, row) else {
                    continue;
                };
                if header.id != row.id || !copied.insert(row.id) {
                    continue;
                }
                let mut open = match writer.take() {
                    Some(open) => open,
                    None => PackWriter::create(folder.join(temporary_name())).map_err(failed())?,
                };
                open.append(&header, &bytes).map_err(failed())?;
                if open.len() >= MAX_PACK {
                    new.push(open.finish(&folder).map_err(failed())?);
                } else {
                    writer = Some(open);
                }
            }
        }
        if let Some(writer) = writer {
            new.push(writer.finish(&folder).map_err(failed())?);
        }
        Ok((old, new))
    }

    /// Removes the packs in `old`, except packs with objects that a capture after `since` needs.
    fn remove_packs(
        &self,
        mut old: Vec<StoredPack>,
        new: Vec<Finished>,
        mut live: Live,
        since: i64,
    ) -> Result<(), CheckpointError> {
        // A new pack has the same name as an old one if both have the same objects.
        let names: HashSet<String> = new.iter().map(|pack| pack.name.clone()).collect();
        let copied: HashSet<Id> = new.iter().flat_map(|pack| pack.rows.iter().map(|row| row.id)).collect();
        for pack in new {
            self.store.add_finished(pack);
        }
        let _captures_wait = self.store.lock_captures(FlockOperation::LockExclusive)?;
        for tree in self.store.recent(since) {
            mark(&self.store, &tree, &mut live)?;
        }
        old.retain(|pack| {
            let mut needed = pack.rows.iter().filter(|row| live.ids.contains(&row.id));
            !names.contains(&pack.name) && needed.all(|row| copied.contains(&row.id))
        });
        let names: Vec<PathBuf> = old.iter().map(|pack| self.store.packs().join(&pack.name)).collect();
        for path in &names {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(CheckpointError::io("remove", path)(error));
                }
                _ => {}
            }
        }
        self.store.rewrite_recent(since);
        self.store.refresh()
    }
}

/// Marks all objects that a tree needs. Returns whether the tree itself is readable.
///
/// Skips damaged subtrees. An I/O error ends the collection, because the references of an unread tree are unknown.
fn mark(store: &Store, tree: &TreeId, live: &mut Live) -> Result<bool, CheckpointError> {
    let mut is_readable = true;
    let mut rest = vec![*tree];
    while let Some(folder) = rest.pop() {
        if folder == TreeId::empty() || !live.trees.insert(folder) {
            continue;
        }
        let found = match items(store, &folder) {
            Ok(found) => found,
            Err(Damage::Unreadable { pack, reason }) => return Err(Damage::Unreadable { pack, reason }.into()),
            Err(_) => {
                is_readable &= folder != *tree;
                continue;
            }
        };
        let mut base = Some(folder.0);
        while let Some(id) = base {
            live.add(store, id);
            base = store.base(&id);
        }
        for item in found {
            match item.node {
                Node::Folder { tree, .. } => rest.push(tree),
                Node::Leaf(state) => {
                    if let crate::state::Content::Stored(id) = state.content {
                        live.add(store, id.0);
                    }
                }
            }
        }
    }
    Ok(is_readable)
}

impl Live {
    fn add(&mut self, store: &Store, id: Id) {
        if self.ids.insert(id) {
            self.bytes += store.stored_len(&id);
        }
    }
}
