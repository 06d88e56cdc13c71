//! Differences of two trees.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use crate::error::Damage;
use crate::folders::{join, joined};
use crate::id::TreeId;
use crate::state::FileState;
use crate::store::Store;
use crate::tree::{Node, TreeItem, decode};

/// A path with different states in the two trees. A folder is listed only if it was added or removed, or its mode
/// changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Relative to the root.
    pub path: PathBuf,
    pub before: Option<FileState>,
    pub after: Option<FileState>,
}

pub(crate) fn items(store: &Store, tree: &TreeId) -> Result<Vec<TreeItem>, Damage> {
    if *tree == TreeId::empty() {
        return Ok(Vec::new());
    }
    let bytes = store.read_tree(&tree.0)?;
    decode(&bytes).ok_or_else(|| Damage::Damaged {
        id: tree.to_string(),
        pack: store.packs(),
        reason: "it is not a tree",
    })
}

/// The differences of two trees. `changed` does not include paths in damaged folders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compared {
    pub changed: Vec<Changed>,
    /// Folders whose trees are damaged in the store. Their contents are unknown.
    pub damaged: Vec<(PathBuf, Damage)>,
}

pub(crate) fn compare(store: &Store, before: &TreeId, after: &TreeId) -> Compared {
    let mut compared = Compared::default();
    let mut rest = vec![(Vec::new(), Some(*before), Some(*after))];
    while let Some((folder, before, after)) = rest.pop() {
        if before == after {
            continue;
        }
        let pairs = match pairs(store, before, after) {
            Ok(pairs) => pairs,
            Err(damage) => {
                compared
                    .damaged
                    .push((PathBuf::from(OsStr::from_bytes(&folder)), damage));
                continue;
            }
        };
        for (name, (before, after)) in pairs {
            if before == after {
                continue;
            }
            let state = |node: Option<Node>| node.map(|node| node.state());
            if state(before) != state(after) {
                compared.changed.push(Changed {
                    path: joined(&folder, &name),
                    before: state(before),
                    after: state(after),
                });
            }
            let (before, after) = (subtree(before), subtree(after));
            if before.is_some() || after.is_some() {
                rest.push((join(&folder, &name), before, after));
            }
        }
    }
    let by_bytes = |a: &Changed, b: &Changed| a.path.as_os_str().as_bytes().cmp(b.path.as_os_str().as_bytes());
    compared.changed.sort_by(by_bytes);
    compared
}

type Pairs = BTreeMap<Box<[u8]>, (Option<Node>, Option<Node>)>;

fn pairs(store: &Store, before: Option<TreeId>, after: Option<TreeId>) -> Result<Pairs, Damage> {
    let mut pairs = Pairs::new();
    if let Some(tree) = before {
        for item in items(store, &tree)? {
            pairs.entry(item.name).or_default().0 = Some(item.node);
        }
    }
    if let Some(tree) = after {
        for item in items(store, &tree)? {
            pairs.entry(item.name).or_default().1 = Some(item.node);
        }
    }
    Ok(pairs)
}

fn subtree(node: Option<Node>) -> Option<TreeId> {
    match node? {
        Node::Folder { tree, .. } => Some(tree),
        Node::Leaf(_) => None,
    }
}

pub(crate) fn find(store: &Store, tree: &TreeId, path: &Path) -> Result<Option<FileState>, Damage> {
    let mut names: Vec<&OsStr> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            _ => return Ok(None),
        }
    }
    let mut tree = Some(*tree);
    let mut state = None;
    for name in names {
        let Some(folder) = tree else { return Ok(None) };
        let item = items(store, &folder)?
            .into_iter()
            .find(|item| *item.name == *name.as_bytes());
        let Some(item) = item else { return Ok(None) };
        tree = subtree(Some(item.node));
        state = Some(item.node.state());
    }
    Ok(state)
}
