//! Encoding of a tree: the items of one folder, sorted by name.
//!
//! An item begins with a tag, a mode and a name. The tag contains the kind of the item, and the reason if the item's
//! content is not saved. A folder adds the id of its subtree, and a file with saved content adds the content's size and
//! id. Other items add size and stamp. Equal folders have equal bytes, and so equal ids.

use crate::id::{ContentId, Id, TreeId};
use crate::state::{Content, FileState, Kind, NotCovered};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeItem {
    pub(crate) name: Box<[u8]>,
    pub(crate) node: Node,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Node {
    Folder { mode: u16, tree: TreeId },
    Leaf(FileState),
}

impl Node {
    pub(crate) fn state(&self) -> FileState {
        match *self {
            Self::Folder { mode, .. } => FileState {
                kind: Kind::Folder,
                mode,
                size: 0,
                content: Content::Folder,
            },
            Self::Leaf(state) => state,
        }
    }
}

const KINDS: [Kind; 4] = [Kind::File, Kind::Link, Kind::Folder, Kind::Special];

/// Reasons why the content of an item is not saved. A tag contains the index of the reason plus 1, or 0 for saved
/// content.
const REASONS: [NotCovered; 6] = [
    NotCovered::Ignored,
    NotCovered::TooLarge,
    NotCovered::Special,
    NotCovered::Unreadable,
    NotCovered::TooMany,
    NotCovered::Secret,
];

fn position<T: PartialEq>(all: &[T], one: &T) -> u8 {
    let at = all.iter().position(|other| other == one).unwrap_or(0);
    u8::try_from(at).unwrap_or(0)
}

pub(crate) fn encode_item(out: &mut Vec<u8>, name: &[u8], node: &Node) {
    let state = node.state();
    let reason = match &state.content {
        Content::NotCovered { why, .. } => position(&REASONS, why) + 1,
        Content::Stored(_) | Content::Folder => 0,
    };
    out.push(position(&KINDS, &state.kind) | reason << 4);
    out.extend(state.mode.to_le_bytes());
    number(out, name.len() as u64);
    out.extend(name);
    match node {
        Node::Folder { tree, .. } => out.extend(tree.0.0),
        Node::Leaf(state) => {
            number(out, state.size);
            match state.content {
                Content::Stored(id) => out.extend(id.0.0),
                Content::NotCovered { stamp, .. } => out.extend(stamp.to_le_bytes()),
                Content::Folder => {}
            }
        }
    }
}

/// Parses a tree. Returns `None` if the bytes are not a tree.
pub(crate) fn decode(bytes: &[u8]) -> Option<Vec<TreeItem>> {
    let mut items = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        items.push(item(&mut rest)?);
    }
    Some(items)
}

fn item(rest: &mut &[u8]) -> Option<TreeItem> {
    let tag = *take(rest, 1)?.first()?;
    let kind = *KINDS.get(usize::from(tag & 0xf))?;
    let mode = u16::from_le_bytes(take(rest, 2)?.try_into().ok()?);
    let len = usize::try_from(take_number(rest)?).ok()?;
    let name = take(rest, len)?;
    if name.is_empty() || name.contains(&b'/') || name == b"." || name == b".." {
        return None;
    }
    let reason = tag >> 4;
    if kind == Kind::Folder && reason == 0 {
        let tree = TreeId(Id(take(rest, Id::LEN)?.try_into().ok()?));
        return Some(TreeItem {
            name: name.into(),
            node: Node::Folder { mode, tree },
        });
    }
    let size = take_number(rest)?;
    let content = match usize::from(reason).checked_sub(1) {
        None => Content::Stored(ContentId(Id(take(rest, Id::LEN)?.try_into().ok()?))),
        Some(at) => Content::NotCovered {
            why: *REASONS.get(at)?,
            stamp: u64::from_le_bytes(take(rest, 8)?.try_into().ok()?),
        },
    };
    Some(TreeItem {
        name: name.into(),
        node: Node::Leaf(FileState {
            kind,
            mode,
            size,
            content,
        }),
    })
}

const PUT: u8 = 0;
const REMOVE: u8 = 1;

type Slice<'b> = (Box<[u8]>, &'b [u8]);

fn slices(bytes: &[u8]) -> Option<Vec<Slice<'_>>> {
    let mut all = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let start = rest;
        let name = item(&mut rest)?.name;
        all.push((name, start.get(..start.len() - rest.len())?));
    }
    Some(all)
}

/// Returns the difference between two trees: items to add or replace, and names to remove.
pub(crate) fn difference(base: &[u8], tree: &[u8]) -> Option<Vec<u8>> {
    let (base, tree) = (slices(base)?, slices(tree)?);
    let mut out = Vec::new();
    let mut old = base.into_iter().peekable();
    let remove = |out: &mut Vec<u8>, name: &[u8]| {
        out.push(REMOVE);
        number(out, name.len() as u64);
        out.extend(name);
    };
    for (name, item) in tree {
        while let Some((gone, _)) = old.next_if(|(known, _)| *known < name) {
            remove(&mut out, &gone);
        }
        let known = old.next_if(|(known, _)| *known == name);
        if known.is_none_or(|(_, known)| known != item) {
            out.push(PUT);
            out.extend(item);
        }
    }
    old.for_each(|(gone, _)| remove(&mut out, &gone));
    Some(out)
}

pub(crate) fn apply(base: &[u8], difference: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(base.len() + difference.len());
    let mut old = slices(base)?.into_iter().peekable();
    let mut rest = difference;
    while !rest.is_empty() {
        let op = *take(&mut rest, 1)?.first()?;
        let start = rest;
        let (name, put) = if op == PUT {
            let name = item(&mut rest)?.name;
            (name, start.get(..start.len() - rest.len())?)
        } else {
            let len = usize::try_from(take_number(&mut rest)?).ok()?;
            (take(&mut rest, len)?.into(), &[][..])
        };
        while let Some((_, item)) = old.next_if(|(known, _)| *known < name) {
            out.extend(item);
        }
        old.next_if(|(known, _)| *known == name);
        out.extend(put);
    }
    old.for_each(|(_, item)| out.extend(item));
    Some(out)
}

/// Writes a number in groups of seven bits per byte, the lowest first (LEB128).
pub(crate) fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

pub(crate) fn take<'b>(rest: &mut &'b [u8], len: usize) -> Option<&'b [u8]> {
    let (first, behind) = rest.split_at_checked(len)?;
    *rest = behind;
    Some(first)
}

pub(crate) fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = *take(rest, 1)?.first()?;
        value |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests;
