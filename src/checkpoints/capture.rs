//! Captures: find the changed folders, read the changed files, store the trees.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use benchdog_files::beneath::Held;
use benchdog_files::walker;
use rustix::fs::FlockOperation;

use crate::checkpoints::Checkpoints;
use crate::error::CheckpointError;
use crate::folders::{At, Body, Folder, Folders, Item, Known, ROOT, Standing, join};
use crate::gc::quota;
use crate::id::{Id, TreeId};
use crate::reading::read_all;
use crate::stat::Stat;
use crate::stat_cache::StatCache;
use crate::state::Omitted;
use crate::store::{Batch, Squeezer};
use crate::walk::look::Looked;
use crate::walk::{Start, UNREAD, Unread, Walker, inode_of};
use crate::watch::{Dirty, Overflow, Seen, Watcher, see};

/// Age from which an unchanged tree is noted again, so that `gc` keeps it for another hour.
const NOTED_AGAIN: Duration = Duration::from_secs(600);

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
    NotWatched,
    /// `watch` walks once to add its watches.
    WatchStarts,
    /// There are more folders than may be watched. Each capture walks.
    WatchLimit,
    /// More changed at once than the kernel remembers.
    Overflow,
    /// The ignore rules changed.
    Rules,
    /// The root is another folder than before.
    RootReplaced,
    /// A folder was replaced while the capture looked at it.
    Raced,
}

/// Whether later captures need no walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watching {
    Yes { folders: usize },
    No(Reason),
}

/// The last capture.
pub(crate) struct State {
    folders: Option<Folders>,
    cache: StatCache,
    touched: BTreeSet<Vec<u8>>,
    watcher: Watch,
    rules: Rules,
    /// Of the store, when all known objects were there.
    losses: u64,
    /// The tree that `gc` knows of, and since when.
    noted: Option<(TreeId, Instant)>,
}

enum Watch {
    Off(Reason),
    /// The next walk adds the watches.
    Starting(Watcher),
    On(Watcher),
}

/// Files to read, and folders that are gone.
#[derive(Default)]
struct Found {
    unread: Vec<Unread>,
    removed: Vec<Folder>,
}

impl State {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folders: None,
            cache: StatCache::new(folder),
            touched: BTreeSet::new(),
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
        if let Watch::Off(Reason::NotWatched) = state.watcher {
            let watcher = Watcher::new(self.limits.max_watches);
            let watcher = watcher.map_err(CheckpointError::io("watch", &self.root))?;
            state.watcher = Watch::Starting(watcher);
            self.capture_locked(state, &BTreeSet::new())?;
        }
        Ok(match &state.watcher {
            Watch::Off(reason) => Watching::No(*reason),
            Watch::Starting(_) => Watching::No(Reason::WatchStarts),
            Watch::On(watcher) => Watching::Yes { folders: watcher.len() },
        })
    }

    pub(crate) fn capture_locked(
        &self,
        state: &mut State,
        touched: &BTreeSet<PathBuf>,
    ) -> Result<Captured, CheckpointError> {
        let root = self.open_root()?;
        let _packs_stay = self.store.lock_captures(FlockOperation::LockShared)?;
        self.store.refresh()?;
        let losses = self.store.losses();
        let touched = touched.iter().map(|path| path.as_os_str().as_bytes().to_vec());
        let touched: Vec<_> = touched.filter(|path| !state.touched.contains(path)).collect();
        state.touched.extend(touched.iter().cloned());
        let (walked, mut folders, Found { mut unread, removed }) = self.find(state, &root, &touched)?;
        if state.losses != losses {
            unread.extend(self.lost(&mut folders));
        }
        let batch = Batch::new(
            &self.store,
            quota(&self.limits, &self.store).saturating_sub(self.store.bytes()),
        );
        let outcomes = read_all(&root, &unread, self.limits.max_file, &batch)?;
        for (one, outcome) in unread.iter().zip(outcomes) {
            match outcome {
                Some(body) => folders.set(one.at, &one.name, body),
                None => drop(folders.remove_item(one.at, &one.name)),
            }
        }
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

    /// Finds the files to read: by the watcher if possible, else by a full walk.
    fn find(
        &self,
        state: &mut State,
        root: &Held,
        touched: &[Vec<u8>],
    ) -> Result<(How, Folders, Found), CheckpointError> {
        let rules = Rules::of(&self.root);
        let reason = match state.folders.take() {
            None => Reason::First,
            Some(folders) => {
                let known = folders.get(ROOT).map(|folder| folder.inode);
                let reason = match &mut state.watcher {
                    _ if known != inode_of(root).ok() => Err(Reason::RootReplaced),
                    Watch::Off(reason) => Err(*reason),
                    Watch::Starting(_) => Err(Reason::WatchStarts),
                    Watch::On(_) if rules != state.rules => Err(Reason::Rules),
                    Watch::On(watcher) => watcher.drain(&folders).map_err(|Overflow| Reason::Overflow),
                };
                match reason {
                    Ok(mut dirty) => {
                        for path in touched {
                            see_path(&mut dirty, &folders, path);
                        }
                        match self.look(state, root, folders, dirty)? {
                            Ok((folders, found)) => return Ok((How::Watched, folders, found)),
                            Err((reason, folders)) => {
                                state.folders = Some(folders);
                                reason
                            }
                        }
                    }
                    Err(reason) => {
                        state.folders = Some(folders);
                        reason
                    }
                }
            }
        };
        state.rules = rules;
        self.full_walk(state, root, reason)
    }

    fn full_walk(
        &self,
        state: &mut State,
        root: &Held,
        reason: Reason,
    ) -> Result<(How, Folders, Found), CheckpointError> {
        let known = match state.folders.take() {
            Some(folders) => Known::of(folders.into_folders()),
            None => {
                // All known objects are looked up in the store.
                state.losses = u64::MAX;
                state.cache.load()
            }
        };
        let mut watcher = match std::mem::replace(&mut state.watcher, Watch::Off(Reason::NotWatched)) {
            Watch::Starting(watcher) | Watch::On(watcher) => Some(watcher),
            Watch::Off(reason) => {
                state.watcher = Watch::Off(reason);
                None
            }
        };
        if let Some(watcher) = &mut watcher {
            watcher.restart();
        }
        let mut folders = Folders::default();
        let start = Start {
            at: ROOT,
            parent: ROOT,
            name: Box::default(),
            path: Vec::new(),
            standing: Standing::Asked,
        };
        let walked = self
            .walker(root, &state.touched, &known, watcher.as_ref())
            .walk(vec![start], ROOT + 1);
        if let Some(((ROOT, name), error)) = walked.failed.first()
            && name.is_empty()
        {
            if let Some(watcher) = watcher {
                state.watcher = Watch::Starting(watcher);
            }
            return Err(CheckpointError::io("list the folder", &self.root)(*error));
        }
        let (unread, mut removed) = walked.place(&mut folders);
        if let Some(mut watcher) = watcher {
            if watcher.is_full() {
                state.watcher = Watch::Off(Reason::WatchLimit);
            } else {
                watcher.register(folders.watches());
                state.watcher = Watch::On(watcher);
            }
        }
        removed.extend(known.into_folders());
        Ok((How::FullWalk(reason), folders, Found { unread, removed }))
    }

    fn walker<'c>(
        &'c self,
        root: &'c Held,
        touched: &'c BTreeSet<Vec<u8>>,
        known: &'c Known,
        watcher: Option<&'c Watcher>,
    ) -> Walker<'c> {
        Walker {
            root,
            path: &self.root,
            limits: &self.limits,
            touched,
            excluded: self.excluded,
            known,
            watcher,
        }
    }

    /// Looks at what the watcher named. Gives the folders back with the reason if a full walk is needed.
    fn look(
        &self,
        state: &mut State,
        root: &Held,
        mut folders: Folders,
        dirty: Dirty,
    ) -> Result<Result<(Folders, Found), (Reason, Folders)>, CheckpointError> {
        if dirty.is_empty() {
            return Ok(Ok((folders, Found::default())));
        }
        let Watch::On(watcher) = &mut state.watcher else {
            return Ok(Err((Reason::NotWatched, folders)));
        };
        let dirty = match replace_by_rules(dirty, &folders) {
            Ok(dirty) => dirty,
            Err(reason) => return Ok(Err((reason, folders))),
        };
        let mut removed = Vec::new();
        for (at, names) in &dirty {
            for (name, _) in names.iter().filter(|(_, seen)| **seen == Seen::Replaced) {
                let body = folders.get(*at).and_then(|folder| folder.body(name));
                if matches!(body, Some(Body::Folder { .. })) {
                    removed.extend(folders.remove_item(*at, name));
                }
            }
        }
        let known = Known::of(removed.into_iter());
        let walker = self.walker(root, &state.touched, &known, Some(watcher));
        let mut looked = Looked {
            next: folders.end(),
            ..Looked::default()
        };
        let mut matcher = walker::matcher(&self.root);
        for (at, names) in &dirty {
            if let Err(reason) = walker.look(&mut folders, (*at, names), matcher.as_mut(), &mut looked) {
                // What was removed above is read again.
                return Ok(Err((reason, folders)));
            }
        }
        let walked = walker.walk(looked.starts, looked.next);
        let new: Vec<(At, Option<i32>)> = walked.folders.iter().map(|(at, folder)| (*at, folder.watch)).collect();
        let (unread, failed) = walked.place(&mut folders);
        looked.unread.extend(unread);
        looked.removed.extend(failed);
        if watcher.is_full() {
            state.watcher = Watch::Off(Reason::WatchLimit);
        } else {
            watcher.register(new.into_iter());
        }
        looked.removed.extend(known.into_folders());
        let found = Found {
            unread: looked.unread,
            removed: looked.removed,
        };
        Ok(Ok((folders, found)))
    }

    /// Returns files that count as stored but are not, because `gc` removed them or they are damaged.
    fn lost(&self, folders: &mut Folders) -> Vec<Unread> {
        let id_of = |item: &Item| match item.body {
            Body::File { id, .. } | Body::Link { id, .. } if id != UNREAD => Some(id.0),
            _ => None,
        };
        let missing: HashSet<Id> = {
            let contents = folders.iter().flat_map(|folder| folder.items.iter().filter_map(id_of));
            let trees = folders.iter().filter_map(|folder| Some(folder.tree?.0));
            let ids: Vec<Id> = contents.chain(trees).collect();
            self.store.missing(ids.iter())
        };
        if missing.is_empty() {
            return Vec::new();
        }
        for at in 0..folders.end() {
            let tree = folders.get(at).and_then(|folder| folder.tree);
            if tree.is_some_and(|tree| missing.contains(&tree.0)) {
                folders.change(at);
            }
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

/// Marks a path as replaced, so that it is looked at.
fn see_path(dirty: &mut Dirty, folders: &Folders, path: &[u8]) {
    let (at, len) = folders.find(path);
    let rest = path.get(len..).unwrap_or_default();
    let name = rest.split(|byte| *byte == b'/').next().unwrap_or_default();
    match folders.get(at) {
        Some(folder) if name.is_empty() => see(dirty, folder.parent, &folder.name, Seen::Replaced),
        _ => see(dirty, at, name, Seen::Replaced),
    }
}

/// Marks folders whose own ignore files changed as replaced, so that they are walked.
fn replace_by_rules(mut dirty: Dirty, folders: &Folders) -> Result<Dirty, Reason> {
    let has_rules = |names: &BTreeMap<Box<[u8]>, Seen>| RULES.iter().any(|name| names.contains_key(*name));
    let changed: Vec<At> = dirty
        .iter()
        .filter(|(_, names)| has_rules(names))
        .map(|(at, _)| *at)
        .collect();
    for at in changed {
        if at == ROOT {
            return Err(Reason::Rules);
        }
        if let Some(folder) = folders.get(at) {
            see(&mut dirty, folder.parent, &folder.name, Seen::Replaced);
        }
    }
    Ok(dirty)
}

const RULES: [&[u8]; 2] = [b".gitignore", b".ignore"];

/// The facts of ignore files that no watch covers: above the root, and git's exclude file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Rules(Vec<Option<Stat>>);

impl Rules {
    fn of(root: &Path) -> Self {
        let stat = |path: PathBuf| rustix::fs::lstat(path).ok().map(|raw| Stat::of(&raw));
        let mut all = Vec::new();
        for folder in root.ancestors() {
            if folder != root {
                all.extend([stat(folder.join(".gitignore")), stat(folder.join(".ignore"))]);
            }
            all.push(stat(folder.join(".git/info/exclude")));
            if folder.join(".git").exists() {
                break;
            }
        }
        Self(all)
    }
}
