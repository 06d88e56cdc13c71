//! Captures: find the changed folders, read the changed files, store the trees.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use benchdog_files::beneath::Held;

use crate::checkpoints::Checkpoints;
use crate::error::CheckpointError;
use crate::folders::{At, Body, Folders, Item, Known, ROOT, Standing, join};
use crate::id::{Id, TreeId};
use crate::reading::read_all;
use crate::stat_cache::StatCache;
use crate::state::Omitted;
use crate::store::{Batch, Squeezer};
use crate::walk::{Start, UNREAD, Unread, Walker};

/// A checkpoint, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    pub tree: TreeId,
    pub walked: How,
    /// Covered files and links.
    pub files: usize,
    /// Ignored files, known by their names and times only.
    pub ignored: usize,
    /// Files whose bytes were read.
    pub read: usize,
    /// Bytes that the store has grown by.
    pub stored_bytes: u64,
    pub omitted: Vec<Omitted>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The watcher named the folders to look at.
    Watched,
    /// All folders were listed.
    FullWalk(Reason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Nothing was captured before in this process, or the last capture failed.
    First,
    /// `watch` was not called.
    NotWatching,
}

/// The last capture.
pub(crate) struct State {
    folders: Option<Folders>,
    cache: StatCache,
    touched: BTreeSet<Vec<u8>>,
}

impl State {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folders: None,
            cache: StatCache::new(folder),
            touched: BTreeSet::new(),
        }
    }

    pub(crate) fn forget(&mut self) {
        self.folders = None;
    }
}

impl Checkpoints {
    pub(crate) fn capture_locked(
        &self,
        state: &mut State,
        touched: &BTreeSet<PathBuf>,
    ) -> Result<Captured, CheckpointError> {
        let root = self.open_root()?;
        self.store.refresh()?;
        state
            .touched
            .extend(touched.iter().map(|path| path.as_os_str().as_bytes().to_vec()));
        let (walked, mut folders, mut unread) = self.full_walk(state, &root);
        unread.extend(self.lost(&mut folders));
        let batch = Batch::new(&self.store);
        let outcomes = read_all(&root, &unread, self.limits.max_file, &batch)?;
        for (one, outcome) in unread.iter().zip(outcomes) {
            match outcome {
                Some(body) => folders.set(one.at, &one.name, body),
                None => drop(folders.remove_item(one.at, &one.name)),
            }
        }
        let tree = store_trees(&mut folders, &batch)?;
        let stored_bytes = batch.commit()?;
        let is_first = walked == How::FullWalk(Reason::First);
        save(&mut state.cache, &folders, &unread, is_first);
        let totals = folders.totals();
        let omitted = folders.omitted();
        state.folders = Some(folders);
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

    fn full_walk(&self, state: &mut State, root: &Held) -> (How, Folders, Vec<Unread>) {
        let (reason, known) = match state.folders.take() {
            Some(folders) => (Reason::NotWatching, Known::of(folders.into_items())),
            None => (Reason::First, state.cache.load()),
        };
        let walker = Walker {
            root,
            path: &self.root,
            limits: &self.limits,
            touched: &state.touched,
            excluded: self.excluded,
            known: &known,
            watch: &|_| None,
        };
        let start = Start {
            at: ROOT,
            parent: ROOT,
            name: Box::default(),
            path: Vec::new(),
            standing: Standing::Asked,
        };
        let mut folders = Folders::default();
        let unread = walker.walk(vec![start], ROOT + 1).place(&mut folders);
        (How::FullWalk(reason), folders, unread)
    }

    /// Returns files that count as stored but are not, because `gc` removed them or they are damaged.
    fn lost(&self, folders: &mut Folders) -> Vec<Unread> {
        let id_of = |item: &Item| match item.body {
            Body::File { id, .. } | Body::Link { id, .. } if id != UNREAD => Some(id.0),
            _ => None,
        };
        let missing: HashSet<Id> = {
            let ids: Vec<Id> = folders
                .iter()
                .flat_map(|folder| folder.items.iter().filter_map(id_of))
                .collect();
            self.store.missing(ids.iter())
        };
        if missing.is_empty() {
            return Vec::new();
        }
        let mut lost = Vec::new();
        for at in 0..folders.end() {
            let Some(folder) = folders.get(at) else { continue };
            let items = folder
                .items
                .iter()
                .filter(|item| id_of(item).is_some_and(|id| missing.contains(&id)));
            let items: Vec<(Box<[u8]>, bool)> = items
                .map(|item| (item.name.clone(), matches!(item.body, Body::Link { .. })))
                .collect();
            if items.is_empty() {
                continue;
            }
            let path = folders.path(at);
            lost.extend(items.into_iter().map(|(name, is_link)| Unread {
                at,
                path: join(&path, &name),
                name,
                is_link,
            }));
        }
        lost
    }
}

/// Stores the trees of all changed folders. Returns the tree of the root.
fn store_trees(folders: &mut Folders, batch: &Batch<'_>) -> Result<TreeId, CheckpointError> {
    let mut squeezer = Squeezer::new();
    let mut tree = None;
    for at in folders.changed() {
        folders.recount(at);
        let bytes = folders.encode(at).unwrap_or_default();
        let base = folders.get(at).and_then(|folder| folder.base);
        let id = batch.put_tree(bytes, base, &mut squeezer)?;
        if let Some(folder) = folders.get_mut(at) {
            folder.tree = Some(id);
        }
        tree = Some(id);
    }
    match tree.or_else(|| folders.get(ROOT)?.tree) {
        Some(tree) => Ok(tree),
        None => batch.put_tree(Vec::new(), None, &mut squeezer),
    }
}

/// Saves the facts of files that were read. A failure costs the next process time only.
fn save(cache: &mut StatCache, folders: &Folders, read: &[Unread], is_first: bool) {
    let mut by_folder: BTreeMap<At, BTreeSet<&[u8]>> = BTreeMap::new();
    for one in read {
        by_folder.entry(one.at).or_default().insert(&one.name);
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
