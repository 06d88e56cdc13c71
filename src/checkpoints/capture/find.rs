//! Finds the files to read: by the watcher if possible, else by a full walk.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use benchdog_files::beneath::Held;
use benchdog_files::walker;

use super::rules::Rules;
use super::{How, Reason, State, Watch};
use crate::checkpoints::Checkpoints;
use crate::error::CheckpointError;
use crate::folders::{At, Body, Folder, Folders, Item, Known, ROOT, Standing, join};
use crate::id::Id;
use crate::walk::look::Looked;
use crate::walk::{Start, UNREAD, Unread, Walker, inode_of};
use crate::watch::{Dirty, Overflow, Seen, Watcher, see};

#[derive(Default)]
pub(super) struct Found {
    pub(super) unread: Vec<Unread>,
    pub(super) removed: Vec<Folder>,
}

impl Found {
    fn extend(&mut self, other: Self) {
        self.unread.extend(other.unread);
        self.removed.extend(other.removed);
    }
}

impl Checkpoints {
    pub(super) fn find(&self, state: &mut State, root: &Held) -> Result<(How, Folders, Found), CheckpointError> {
        let (how, mut folders, mut found) = self.find_changed(state, root)?;
        if let Some(index) = state.tracked.changed_index(&self.root) {
            let changed = state.tracked.update(&index, &folders);
            found.extend(self.look_again(state, root, &mut folders, &changed));
            found.unread.retain(|one| {
                let body = folders.get(one.at).and_then(|folder| folder.body(one.name()));
                matches!(body, Some(Body::File { id, .. } | Body::Link { id, .. }) if id == UNREAD)
            });
        }
        Ok((how, folders, found))
    }

    fn find_changed(&self, state: &mut State, root: &Held) -> Result<(How, Folders, Found), CheckpointError> {
        let rules = Rules::of(&self.root);
        let reason = match state.folders.take() {
            None => Reason::First,
            Some(mut folders) => {
                let watched = if rules == state.rules {
                    self.find_watched(state, root, &mut folders)
                } else {
                    Err(Reason::Rules)
                };
                match watched {
                    Ok(found) => return Ok((How::Watched, folders, found)),
                    Err(reason) => {
                        state.folders = Some(folders);
                        reason
                    }
                }
            }
        };
        state.rules = rules;
        state.tracked.forget_index();
        self.full_walk(state, root, reason)
    }

    fn find_watched(&self, state: &mut State, root: &Held, folders: &mut Folders) -> Result<Found, Reason> {
        let known = folders.get(ROOT).map(|folder| folder.inode);
        if known != inode_of(root).ok() {
            return Err(Reason::RootReplaced);
        }
        let watcher = match &mut state.watcher {
            Watch::Off(reason) => return Err(*reason),
            Watch::Starting(_) => return Err(Reason::WatchStarts),
            Watch::On(watcher) => watcher,
        };
        let mut dirty = watcher.drain(folders).map_err(|Overflow| Reason::Overflow)?;
        for (at, name) in folders.linked() {
            see(&mut dirty, at, name, Seen::Changed);
        }
        if dirty.is_empty() {
            return Ok(Found::default());
        }
        if dirty.values().any(has_rules) {
            state.tracked.forget_index();
            replace_by_rules(&mut dirty, folders)?;
        }
        let found = self.look((root, &state.tracked.ignored), folders, &dirty, watcher)?;
        if watcher.is_full() {
            state.watcher = Watch::Off(Reason::WatchLimit);
        }
        Ok(found)
    }

    fn look(
        &self,
        (root, tracked): (&Held, &BTreeSet<Vec<u8>>),
        folders: &mut Folders,
        dirty: &Dirty,
        watcher: &mut Watcher,
    ) -> Result<Found, Reason> {
        let mut removed = Vec::new();
        for (at, names) in dirty {
            for (name, _) in names.iter().filter(|(_, seen)| **seen == Seen::Replaced) {
                let body = folders.get(*at).and_then(|folder| folder.body(name));
                if matches!(body, Some(Body::Folder { .. })) {
                    removed.extend(folders.remove_item(*at, name));
                }
            }
        }
        let known = Known::of(removed.into_iter());
        let walker = self.walker(root, tracked, &known, Some(watcher));
        let mut looked = Looked {
            next: folders.end(),
            ..Looked::default()
        };
        let mut matcher = walker::matcher(&self.root);
        for (at, names) in dirty {
            walker.look(folders, (*at, names), matcher.as_mut(), &mut looked)?;
        }
        let walked = walker.walk(looked.starts, looked.next);
        let new: Vec<(At, Option<i32>)> = walked.folders.iter().map(|(at, folder)| (*at, folder.watch)).collect();
        let (unread, failed) = walked.place(folders);
        looked.unread.extend(unread);
        looked.removed.extend(failed);
        watcher.register(new.into_iter(), folders);
        looked.removed.extend(known.into_folders());
        Ok(Found {
            unread: looked.unread,
            removed: looked.removed,
        })
    }

    /// Updates files that became tracked or untracked in git.
    fn look_again(&self, state: &State, root: &Held, folders: &mut Folders, paths: &[Vec<u8>]) -> Found {
        let mut dirty = Dirty::new();
        for path in paths {
            see_path(&mut dirty, folders, path);
        }
        let known = Known::default();
        let walker = self.walker(root, &state.tracked.ignored, &known, None);
        let mut looked = Looked {
            next: folders.end(),
            ..Looked::default()
        };
        let mut matcher = walker::matcher(&self.root);
        for (at, names) in &dirty {
            // Ignore the error of a folder that changes now, because the next capture sees the change.
            let _ = walker.look(folders, (*at, names), matcher.as_mut(), &mut looked);
        }
        for start in looked.starts {
            looked.removed.extend(folders.remove_item(start.parent, &start.name));
        }
        Found {
            unread: looked.unread,
            removed: looked.removed,
        }
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
                // Force a check that all known objects exist in the store.
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
            .walker(root, &state.tracked.ignored, &known, watcher.as_ref())
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
                watcher.register(folders.watches(), &folders);
                state.watcher = Watch::On(watcher);
            }
        }
        removed.extend(known.into_folders());
        Ok((How::FullWalk(reason), folders, Found { unread, removed }))
    }

    fn walker<'c>(
        &'c self,
        root: &'c Held,
        tracked: &'c BTreeSet<Vec<u8>>,
        known: &'c Known,
        watcher: Option<&'c Watcher>,
    ) -> Walker<'c> {
        Walker {
            root,
            path: &self.root,
            limits: &self.limits,
            tracked,
            excluded: self.excluded,
            known,
            watcher,
        }
    }

    /// Returns files without readable bytes in the store, because `gc` removed the bytes or they are damaged.
    pub(super) fn lost(&self, folders: &mut Folders) -> Vec<Unread> {
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
            let mut path = None;
            for item in items {
                let path = path.get_or_insert_with(|| folders.path(at));
                lost.push(Unread {
                    at,
                    path: join(path, &item.name).into(),
                    is_link: matches!(item.body, Body::Link { .. }),
                });
            }
        }
        lost
    }
}

/// Marks a path in `dirty` as replaced, so that the capture reads its metadata again.
fn see_path(dirty: &mut Dirty, folders: &Folders, path: &[u8]) {
    let (at, len) = folders.find(path);
    let rest = path.get(len..).unwrap_or_default();
    let name = rest.split(|byte| *byte == b'/').next().unwrap_or_default();
    match folders.get(at) {
        Some(folder) if name.is_empty() => see(dirty, folder.parent, &folder.name, Seen::Replaced),
        _ => see(dirty, at, name, Seen::Replaced),
    }
}

fn has_rules(names: &BTreeMap<Box<[u8]>, Seen>) -> bool {
    RULES.iter().any(|name| names.contains_key(*name))
}

/// Marks a folder as replaced if its own ignore file changed, so that the capture walks the folder.
fn replace_by_rules(dirty: &mut Dirty, folders: &Folders) -> Result<(), Reason> {
    let changed = dirty.iter().filter(|(_, names)| has_rules(names));
    let changed: Vec<At> = changed.map(|(at, _)| *at).collect();
    for at in changed {
        if at == ROOT {
            return Err(Reason::Rules);
        }
        if let Some(folder) = folders.get(at) {
            see(dirty, folder.parent, &folder.name, Seen::Replaced);
        }
    }
    Ok(())
}

const RULES: [&[u8]; 2] = [b".gitignore", b".ignore"];
