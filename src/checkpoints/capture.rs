//! Captures: find the changed folders, read the changed files, store the trees.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use benchdog_files::beneath::Held;
use rustix::fs::FlockOperation;

use crate::checkpoints::Checkpoints;
use crate::error::CheckpointError;
use crate::folders::{At, Body, Folders, ROOT, joined};
use crate::gc;
use crate::id::TreeId;
use crate::reading::{in_parallel, read_all};
use crate::stat_cache::StatCache;
use crate::state::{Kind, NotCovered, Omitted};
use crate::store::{Batch, Squeezer, create_folder};
use crate::tracked::Tracked;
use crate::walk::{Unread, not_covered};
use crate::watch::Watcher;

mod find;
mod rules;

use find::Found;
use rules::Rules;

/// Interval at which an unchanged tree is recorded again in the list of recent trees. `gc` protects a recorded tree for
/// only an hour.
const NOTED_AGAIN: Duration = Duration::from_secs(600);

/// Number of files to read before their items in the tree are updated. Limits the memory use of a first capture.
const CHUNK: usize = 8192;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    pub tree: TreeId,
    pub walked: How,
    /// Number of files and links whose content is saved.
    pub files: usize,
    /// Number of ignored files. Their names and stamps are stored, but not their bytes.
    pub ignored: usize,
    /// Number of files whose bytes were read.
    pub read: usize,
    pub stored_bytes: u64,
    pub omitted: Vec<Omitted>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Watched,
    FullWalk(Reason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Nothing was captured before in this process, or the last capture failed.
    First,
    NotWatched,
    /// The watcher has just started. One full walk adds its watches.
    WatchStarts,
    WatchLimit,
    /// The root is on a network or FUSE disk, which does not report changes by other machines.
    RemoteDisk,
    /// The event queue of the kernel overflowed.
    Overflow,
    Rules,
    RootReplaced,
    /// A folder was replaced while the capture read it.
    Raced,
}

/// Whether later captures can skip the full walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watching {
    Yes { folders: usize },
    No(Reason),
}

pub(crate) struct State {
    folders: Option<Folders>,
    cache: StatCache,
    tracked: Tracked,
    watcher: Watch,
    rules: Rules,
    /// Value of `Store::losses` when the last check found all known objects in the store.
    losses: u64,
    noted: Option<(TreeId, Instant)>,
}

enum Watch {
    Off(Reason),
    /// Created, without watches. The next walk adds the watches.
    Starting(Watcher),
    On(Watcher),
}

impl State {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folders: None,
            cache: StatCache::new(folder),
            tracked: Tracked::default(),
            watcher: Watch::Off(Reason::NotWatched),
            rules: Rules::default(),
            losses: 0,
            noted: None,
        }
    }

    pub(crate) fn forget(&mut self) {
        self.folders = None;
    }
}

impl Checkpoints {
    pub(crate) fn watch_locked(&self, state: &mut State) -> Result<Watching, CheckpointError> {
        if is_remote(&*self.open_root()?) {
            state.watcher = Watch::Off(Reason::RemoteDisk);
        }
        if let Watch::Off(Reason::NotWatched) = state.watcher {
            let watcher = Watcher::new(self.limits.max_watches);
            let watcher = watcher.map_err(CheckpointError::io("watch", &self.root))?;
            state.watcher = Watch::Starting(watcher);
            self.capture_locked(state)?;
        }
        Ok(match &state.watcher {
            Watch::Off(reason) => Watching::No(*reason),
            Watch::Starting(_) => Watching::No(Reason::WatchStarts),
            Watch::On(watcher) => Watching::Yes { folders: watcher.len() },
        })
    }

    pub(crate) fn events_locked(state: &State) -> Option<OwnedFd> {
        match &state.watcher {
            Watch::On(watcher) => watcher.events().ok(),
            Watch::Off(_) | Watch::Starting(_) => None,
        }
    }

    /// Excludes the content of hard links to secret files. All hard links of a file have the same metadata, so a
    /// comparison finds them.
    fn leave_out_secrets(&self, folders: &mut Folders, unread: &mut Vec<Unread>) {
        let body = |one: &Unread| folders.get(one.at).and_then(|folder| folder.body(one.name()));
        let is_linked = |one: &Unread| matches!(body(one), Some(Body::File { stat, .. }) if stat.is_linked);
        if !unread.iter().any(is_linked) {
            return;
        }
        let secrets: HashSet<u64> = folders.secret_stamps(self.limits.is_secret).collect();
        if secrets.is_empty() {
            return;
        }
        unread.retain(|one| {
            let stat = match folders.get(one.at).and_then(|folder| folder.body(one.name())) {
                Some(Body::File { stat, .. }) if secrets.contains(&stat.stamp()) => stat,
                _ => return true,
            };
            folders.set(one.at, one.name(), not_covered(Kind::File, &stat, NotCovered::Secret));
            false
        });
    }

    pub(crate) fn capture_locked(&self, state: &mut State) -> Result<Captured, CheckpointError> {
        let root = self.open_root()?;
        // Create the folder again if a person has removed the store.
        create_folder(&self.store.packs())?;
        let _packs_stay = self.store.lock_captures(FlockOperation::LockShared)?;
        self.store.refresh()?;
        let losses = self.store.losses();
        let (walked, mut folders, Found { mut unread, removed }) = self.find(state, &root)?;
        if state.losses != losses {
            unread.extend(self.lost(&mut folders));
        }
        self.leave_out_secrets(&mut folders, &mut unread);
        let quota = gc::quota(&self.limits, &self.store);
        let batch = Batch::new(&self.store, quota.saturating_add(quota / 4));
        self.read(&root, &mut folders, &unread, &batch)?;
        let tree = store_trees(&mut folders, &batch)?;
        let stored_bytes = batch.commit()?;
        if state
            .noted
            .is_none_or(|(noted, at)| noted != tree || at.elapsed() > NOTED_AGAIN)
        {
            self.store.note_recent(&tree)?;
            state.noted = Some((tree, Instant::now()));
        }
        let is_first = walked == How::FullWalk(Reason::First);
        save(&mut state.cache, &folders, &unread, is_first);
        if let Watch::On(watcher) = &mut state.watcher {
            watcher.forget(removed.iter(), &folders);
        }
        let totals = folders.totals();
        let omitted = folders.omitted();
        state.folders = Some(folders);
        state.losses = losses;
        Ok(Captured {
            tree,
            walked,
            files: totals.files,
            ignored: totals.ignored,
            read: unread.len(),
            stored_bytes,
            omitted,
        })
    }

    fn read(
        &self,
        root: &Held,
        folders: &mut Folders,
        unread: &[Unread],
        batch: &Batch<'_>,
    ) -> Result<(), CheckpointError> {
        for chunk in unread.chunks(CHUNK) {
            let outcomes = read_all(root, chunk, self.limits.max_file, batch)?;
            for (one, outcome) in chunk.iter().zip(outcomes) {
                match outcome {
                    Some(body) => folders.set(one.at, one.name(), body),
                    None => drop(folders.remove_item(one.at, one.name())),
                }
            }
        }
        Ok(())
    }
}

/// Numbers of file systems from `statfs(2)`: NFS, SMB, SMB2, CIFS, FUSE, 9P, Ceph, AFS.
const REMOTE: [u32; 8] = [
    0x6969,
    0x517b,
    0xfe53_4d42,
    0xff53_4d42,
    0x6573_5546,
    0x0102_1997,
    0x00c3_6400,
    0x5346_414f,
];

fn is_remote(root: &Held) -> bool {
    let kind = rustix::fs::fstatfs(root.as_fd()).map(|disk| disk.f_type);
    kind.is_ok_and(|kind| REMOTE.iter().any(|remote| i128::from(*remote) == i128::from(kind)))
}

fn store_trees(folders: &mut Folders, batch: &Batch<'_>) -> Result<TreeId, CheckpointError> {
    for level in folders.changed() {
        let trees = in_parallel(&level, Squeezer::new, |squeezer, at| {
            // Fail instead of storing an incomplete tree, which would look as if files were removed.
            let bytes = folders.encode(*at).ok_or_else(|| CheckpointError::Raced {
                path: joined(&folders.path(*at), b""),
            })?;
            let base = folders.get(*at).and_then(|folder| folder.base);
            batch.put_tree(bytes, base, squeezer)
        })?;
        for (at, tree) in level.into_iter().zip(trees) {
            folders.recount(at);
            if let Some(folder) = folders.get_mut(at) {
                folder.tree = Some(tree);
            }
        }
    }
    let root = folders.get(ROOT).and_then(|folder| folder.tree);
    root.ok_or_else(|| CheckpointError::Raced { path: PathBuf::new() })
}

/// Saves the metadata of the files that were read. After an error, the next process only reads these files again.
fn save(cache: &mut StatCache, folders: &Folders, read: &[Unread], is_first: bool) {
    let mut by_folder: BTreeMap<At, BTreeSet<&[u8]>> = BTreeMap::new();
    for one in read {
        by_folder.entry(one.at).or_default().insert(one.name());
    }
    if by_folder.is_empty() {
        return;
    }
    let _ = if is_first || cache.is_mostly_garbage() {
        cache.replace(folders.iter())
    } else {
        cache.append(by_folder.iter().filter_map(|(at, names)| {
            let folder = folders.get(*at)?;
            let items = folder.items.iter().filter(|item| names.contains(&*item.name));
            Some((folder, items.collect()))
        }))
    };
}
