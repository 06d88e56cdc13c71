//! The folders of the workspace in memory, as the last capture found them.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::iter::repeat;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::id::{ContentId, TreeId};
use crate::stat::Stat;
use crate::state::{Content, FileState, Kind, NotCovered, Omitted};
use crate::tree::{Node, encode_item};

/// Index of a folder in `Folders`. 0 is the root.
pub(crate) type At = u32;

pub(crate) const ROOT: At = 0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Inode {
    pub(crate) device: u32,
    pub(crate) number: u64,
}

/// Decides which items of a folder are saved with their content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The ignore rules decide for each item.
    Asked,
    Ignored,
    /// The folder is ignored, but contains files that git tracks. Only the tracked files are saved with their content.
    Tracked,
}

#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) parent: At,
    pub(crate) name: Box<[u8]>,
    pub(crate) inode: Inode,
    pub(crate) standing: Standing,
    /// Sorted by name.
    pub(crate) items: Vec<Item>,
    /// Id of the stored tree. `None` if the folder or anything below it changed since the last capture.
    pub(crate) tree: Option<TreeId>,
    /// Id of the tree before the change, as the base of a stored difference.
    pub(crate) base: Option<TreeId>,
    pub(crate) watch: Option<i32>,
    pub(crate) counts: Counts,
}

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) name: Box<[u8]>,
    pub(crate) body: Body,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    File {
        stat: Stat,
        id: ContentId,
        /// Whether equal `stat`s in a later capture prove that the bytes are unchanged.
        trusted: bool,
    },
    Link {
        stat: Stat,
        id: ContentId,
    },
    Folder {
        at: At,
        mode: u16,
    },
    NotCovered(FileState),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub(crate) files: usize,
    pub(crate) ignored: usize,
    pub(crate) omitted: usize,
    pub(crate) linked: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Folders {
    all: Vec<Option<Folder>>,
    totals: Counts,
    with_omitted: BTreeSet<At>,
    with_linked: BTreeSet<At>,
}

impl Item {
    pub(crate) fn node(&self, trees: impl Fn(At) -> Option<TreeId>) -> Option<Node> {
        let leaf = |kind, mode, size, content| {
            Node::Leaf(FileState {
                kind,
                mode,
                size,
                content,
            })
        };
        Some(match self.body {
            Body::File { stat, id, .. } => leaf(Kind::File, stat.mode, stat.size, Content::Stored(id)),
            Body::Link { stat, id } => leaf(Kind::Link, 0, stat.size, Content::Stored(id)),
            Body::Folder { at, mode } => Node::Folder { mode, tree: trees(at)? },
            Body::NotCovered(state) => Node::Leaf(state),
        })
    }
}

impl Folder {
    pub(crate) fn find(&self, name: &[u8]) -> Result<usize, usize> {
        self.items.binary_search_by(|item| (*item.name).cmp(name))
    }

    pub(crate) fn body(&self, name: &[u8]) -> Option<Body> {
        let at = self.find(name).ok()?;
        Some(self.items.get(at)?.body)
    }

    fn count(&self) -> Counts {
        let mut counts = Counts::default();
        for item in &self.items {
            match item.body {
                Body::File { stat, .. } => {
                    counts.files += 1;
                    counts.linked += usize::from(stat.is_linked);
                }
                Body::Link { .. } => counts.files += 1,
                Body::Folder { .. } => {}
                Body::NotCovered(state) => match state.content {
                    Content::NotCovered {
                        why: NotCovered::Ignored,
                        ..
                    } => counts.ignored += 1,
                    _ => counts.omitted += 1,
                },
            }
        }
        counts
    }
}

impl Folders {
    pub(crate) fn get(&self, at: At) -> Option<&Folder> {
        self.all.get(usize::try_from(at).ok()?)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, at: At) -> Option<&mut Folder> {
        self.all.get_mut(usize::try_from(at).ok()?)?.as_mut()
    }

    pub(crate) fn watches(&self) -> impl Iterator<Item = (At, Option<i32>)> {
        let places = (0..).zip(&self.all);
        places.filter_map(|(at, folder)| Some((at, folder.as_ref()?.watch)))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Folder> {
        self.all.iter().flatten()
    }

    pub(crate) fn into_folders(self) -> impl Iterator<Item = Folder> {
        self.all.into_iter().flatten()
    }

    pub(crate) fn end(&self) -> At {
        At::try_from(self.all.len()).unwrap_or(At::MAX)
    }

    pub(crate) fn place(&mut self, at: At, folder: Folder) {
        let Ok(at) = usize::try_from(at) else { return };
        if self.all.len() <= at {
            self.all.resize_with(at + 1, || None);
        }
        if let Some(slot) = self.all.get_mut(at) {
            *slot = Some(folder);
        }
    }

    pub(crate) fn remove(&mut self, at: At) -> Vec<Folder> {
        let mut removed = Vec::new();
        let mut rest = vec![at];
        while let Some(at) = rest.pop() {
            let slot = usize::try_from(at).ok().and_then(|at| self.all.get_mut(at));
            let Some(folder) = slot.and_then(Option::take) else {
                continue;
            };
            self.totals = self.totals.minus(folder.counts);
            self.with_omitted.remove(&at);
            self.with_linked.remove(&at);
            rest.extend(folder.items.iter().filter_map(|item| match item.body {
                Body::Folder { at, .. } => Some(at),
                _ => None,
            }));
            removed.push(folder);
        }
        removed
    }

    pub(crate) fn remove_item(&mut self, at: At, name: &[u8]) -> Vec<Folder> {
        let Some(folder) = self.get_mut(at) else {
            return Vec::new();
        };
        let Ok(index) = folder.find(name) else {
            return Vec::new();
        };
        let item = folder.items.remove(index);
        self.change(at);
        match item.body {
            Body::Folder { at, .. } => self.remove(at),
            _ => Vec::new(),
        }
    }

    pub(crate) fn set(&mut self, at: At, name: &[u8], body: Body) {
        let Some(folder) = self.get_mut(at) else { return };
        match folder.find(name) {
            Ok(index) => {
                if let Some(item) = folder.items.get_mut(index) {
                    item.body = body;
                }
            }
            Err(index) => {
                let name = name.into();
                folder.items.insert(index, Item { name, body });
            }
        }
        self.change(at);
    }

    pub(crate) fn omit_folder(&mut self, at: At, name: &[u8], why: NotCovered) -> Vec<Folder> {
        let body = self.get(at).and_then(|folder| folder.body(name));
        if let Some(Body::Folder { at: below, mode }) = body {
            let removed = self.remove(below);
            let state = FileState {
                kind: Kind::Folder,
                mode,
                size: 0,
                content: Content::NotCovered { why, stamp: 0 },
            };
            self.set(at, name, Body::NotCovered(state));
            return removed;
        }
        Vec::new()
    }

    /// Returns the deepest folder on a path that the last capture listed, and the length of the folder's path.
    pub(crate) fn find(&self, path: &[u8]) -> (At, usize) {
        let (mut at, mut len) = (ROOT, 0);
        for name in path.split(|byte| *byte == b'/') {
            match self.get(at).and_then(|folder| folder.body(name)) {
                Some(Body::Folder { at: below, .. }) => at = below,
                _ => break,
            }
            len += name.len() + 1;
        }
        (at, len.min(path.len()))
    }

    pub(crate) fn path(&self, at: At) -> Vec<u8> {
        let mut names = Vec::new();
        let mut at = at;
        while at != ROOT
            && let Some(folder) = self.get(at)
        {
            names.push(&folder.name);
            at = folder.parent;
        }
        names.reverse();
        let names: Vec<&[u8]> = names.into_iter().map(|name| &**name).collect();
        names.join(&b'/')
    }

    pub(crate) fn change(&mut self, at: At) {
        let mut at = at;
        while let Some(folder) = self.get_mut(at) {
            // Continue to the root even if this folder is already marked, because the folders above a new folder may be
            // unmarked.
            if let Some(tree) = folder.tree.take() {
                folder.base = Some(tree);
            }
            if at == ROOT {
                break;
            }
            at = folder.parent;
        }
    }

    /// Returns the changed folders grouped by depth, the deepest first.
    pub(crate) fn changed(&self) -> Vec<Vec<At>> {
        let is_changed = |at: &At| self.get(*at).is_some_and(|folder| folder.tree.is_none());
        let below = |at: &At| {
            let items = self.get(*at).map(|folder| folder.items.iter());
            items.into_iter().flatten().filter_map(|item| match item.body {
                Body::Folder { at, .. } => Some(at),
                _ => None,
            })
        };
        let mut levels = Vec::new();
        let mut level: Vec<At> = [ROOT].into_iter().filter(is_changed).collect();
        while !level.is_empty() {
            let next = level.iter().flat_map(below).filter(is_changed).collect();
            levels.push(std::mem::replace(&mut level, next));
        }
        levels.reverse();
        levels
    }

    /// Encodes the tree of a folder. `None` if the tree of a subfolder has no id yet.
    pub(crate) fn encode(&self, at: At) -> Option<Vec<u8>> {
        let folder = self.get(at)?;
        let mut out = Vec::with_capacity(folder.items.len() * 64);
        for item in &folder.items {
            let node = item.node(|at| self.get(at)?.tree)?;
            encode_item(&mut out, &item.name, &node);
        }
        Some(out)
    }

    pub(crate) fn recount(&mut self, at: At) {
        let Some(folder) = self.get_mut(at) else { return };
        let (old, new) = (folder.counts, folder.count());
        folder.counts = new;
        self.totals = self.totals.minus(old).plus(new);
        for (count, folders) in [
            (new.omitted, &mut self.with_omitted),
            (new.linked, &mut self.with_linked),
        ] {
            if count > 0 {
                folders.insert(at);
            } else {
                folders.remove(&at);
            }
        }
    }

    pub(crate) fn linked(&self) -> impl Iterator<Item = (At, &[u8])> {
        let folders = self.with_linked.iter().filter_map(|at| Some((*at, self.get(*at)?)));
        folders.flat_map(|(at, folder)| {
            let items = folder.items.iter();
            let linked = items.filter(|item| matches!(item.body, Body::File { stat, .. } if stat.is_linked));
            linked.map(move |item| (at, &*item.name))
        })
    }

    pub(crate) fn totals(&self) -> Counts {
        self.totals
    }

    /// Returns the stamps of secret files, including ignored ones.
    pub(crate) fn secret_stamps(&self, is_secret: fn(&Path) -> bool) -> impl Iterator<Item = u64> {
        let folders = self.all.iter().zip(ROOT..);
        let items = folders.flat_map(|(folder, at)| {
            folder
                .iter()
                .flat_map(move |folder| folder.items.iter().zip(repeat(at)))
        });
        items.filter_map(move |(item, at)| match item.body {
            Body::NotCovered(FileState {
                kind: Kind::File,
                content: Content::NotCovered { why, stamp },
                ..
            }) => {
                let is_one = match why {
                    NotCovered::Secret => true,
                    NotCovered::Ignored => is_secret(&joined(&self.path(at), &item.name)),
                    _ => false,
                };
                is_one.then_some(stamp)
            }
            _ => None,
        })
    }

    pub(crate) fn omitted(&self) -> Vec<Omitted> {
        let mut all = Vec::new();
        for at in &self.with_omitted {
            let Some(folder) = self.get(*at) else { continue };
            let path = self.path(*at);
            for item in &folder.items {
                if let Body::NotCovered(state) = item.body
                    && let Content::NotCovered { why, .. } = state.content
                    && why != NotCovered::Ignored
                {
                    all.push(Omitted {
                        path: joined(&path, &item.name),
                        size: state.size,
                        why,
                    });
                }
            }
        }
        all.sort_by(|a, b| a.path.cmp(&b.path));
        all
    }
}

impl Counts {
    fn plus(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            ignored: self.ignored + other.ignored,
            omitted: self.omitted + other.omitted,
            linked: self.linked + other.linked,
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            files: self.files.saturating_sub(other.files),
            ignored: self.ignored.saturating_sub(other.ignored),
            omitted: self.omitted.saturating_sub(other.omitted),
            linked: self.linked.saturating_sub(other.linked),
        }
    }
}

/// Files of an earlier capture, by the inode of their folder, so that the files of a moved folder need not be read
/// again.
#[derive(Debug, Default)]
pub(crate) struct Known {
    by_inode: HashMap<Inode, Folder>,
}

impl Known {
    pub(crate) fn of(folders: impl Iterator<Item = Folder>) -> Self {
        Self {
            by_inode: folders.map(|folder| (folder.inode, folder)).collect(),
        }
    }

    pub(crate) fn into_folders(self) -> impl Iterator<Item = Folder> {
        self.by_inode.into_values()
    }

    pub(crate) fn add(&mut self, folder: Folder) {
        self.by_inode.insert(folder.inode, folder);
    }

    pub(crate) fn get(&self, inode: Inode) -> Option<&Folder> {
        self.by_inode.get(&inode)
    }

    pub(crate) fn get_mut(&mut self, inode: Inode) -> Option<&mut Folder> {
        self.by_inode.get_mut(&inode)
    }
}

/// Joins the path of a folder and a name. The root's path is empty.
pub(crate) fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(folder.len() + 1 + name.len());
    path.extend(folder);
    if !folder.is_empty() {
        path.push(b'/');
    }
    path.extend(name);
    path
}

pub(crate) fn joined(folder: &[u8], name: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(&join(folder, name)))
}
