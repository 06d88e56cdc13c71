//! Ignored files that git tracks, from the names in git's index.
//!
//! Reads index versions 2 to 4 without running git. Treats a split or damaged index as empty.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::folders::{At, Body, Folders, ROOT};
use crate::stat::Stat;
use crate::state::{Content, NotCovered};
use crate::tree::take;

/// Maximum size of the index in bytes. A million files take 100 MB.
const MAX_INDEX: u64 = 1 << 30;

/// Bytes of an index entry before its name: times, metadata, id, flags.
const FACTS: usize = 40;
const SHA1: usize = 20;
const EXTENDED: u16 = 0x4000;
const NAME_LEN: u16 = 0x0fff;

#[derive(Default)]
pub(crate) struct Tracked {
    /// Metadata of the index when it was last read. The inner `None` means that there is no index. The outer `None`
    /// forces a read, at the start and after a change of the ignore rules.
    index: Option<Option<Stat>>,
    /// Tracked files that match the ignore rules, relative to the root.
    pub(crate) ignored: BTreeSet<Vec<u8>>,
}

impl Tracked {
    /// Returns the index if its metadata changed since the last read.
    pub(crate) fn changed_index(&self, root: &Path) -> Option<Index> {
        let index = Index::of(root);
        let stat = index.as_ref().and_then(|index| index.stat);
        (Some(stat) != self.index).then(|| index.unwrap_or_default())
    }

    pub(crate) fn forget_index(&mut self) {
        self.index = None;
    }

    /// Updates `ignored` from the index. Returns the paths that became tracked or untracked.
    pub(crate) fn update(&mut self, index: &Index, folders: &Folders) -> Vec<Vec<u8>> {
        let mut ignored = BTreeSet::new();
        let mut last: (Vec<u8>, Option<At>) = (Vec::new(), Some(ROOT));
        index.each_name(|path| {
            let (folder, name) = match path.iter().rposition(|byte| *byte == b'/') {
                Some(end) => (
                    path.get(..end).unwrap_or_default(),
                    path.get(end + 1..).unwrap_or_default(),
                ),
                None => (&[][..], path),
            };
            // Names are sorted, so the folder is often the same as before.
            if last.0 != folder {
                let (at, len) = folders.find(folder);
                last = (folder.to_vec(), (len == folder.len()).then_some(at));
            }
            let body = last.1.and_then(|at| folders.get(at)?.body(name));
            let is_ignored = matches!(body, Some(Body::NotCovered(state))
                if matches!(state.content, Content::NotCovered { why: NotCovered::Ignored, .. }));
            if is_ignored || self.ignored.contains(path) {
                ignored.insert(path.to_vec());
            }
        });
        self.index = Some(index.stat);
        let changed = self.ignored.symmetric_difference(&ignored).cloned().collect();
        self.ignored = ignored;
        changed
    }
}

/// Git's index, and the path of the root inside the repository.
#[derive(Default)]
pub(crate) struct Index {
    path: PathBuf,
    prefix: Vec<u8>,
    stat: Option<Stat>,
}

impl Index {
    fn of(root: &Path) -> Option<Self> {
        let top = root.ancestors().find(|folder| folder.join(".git").exists())?;
        let mut prefix = root.strip_prefix(top).ok()?.as_os_str().as_bytes().to_vec();
        if !prefix.is_empty() {
            prefix.push(b'/');
        }
        let git = top.join(".git");
        let folder = if git.is_dir() {
            git
        } else {
            // In a linked worktree or submodule, `.git` is a file.
            let text = std::fs::read(&git).ok()?;
            let named = text.strip_prefix(b"gitdir: ")?.trim_ascii_end();
            top.join(OsStr::from_bytes(named))
        };
        let path = folder.join("index");
        let stat = rustix::fs::lstat(&path).ok().map(|raw| Stat::of(&raw));
        Some(Self { path, prefix, stat })
    }

    fn each_name(&self, mut each: impl FnMut(&[u8])) {
        if self.stat.is_none_or(|stat| stat.size > MAX_INDEX) {
            return;
        }
        let bytes = std::fs::read(&self.path).unwrap_or_default();
        let prefix = self.prefix.as_slice();
        // A damaged entry ends the list.
        let _ = names(&bytes, |path| {
            if let Some(path) = path.strip_prefix(prefix) {
                each(path);
            }
        });
    }
}

fn names(bytes: &[u8], mut each: impl FnMut(&[u8])) -> Option<()> {
    let mut rest = bytes;
    if take(&mut rest, 4)? != b"DIRC" {
        return None;
    }
    let version = u32::from_be_bytes(take(&mut rest, 4)?.try_into().ok()?);
    let count = u32::from_be_bytes(take(&mut rest, 4)?.try_into().ok()?);
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..count {
        let start = rest.len();
        take(&mut rest, FACTS + SHA1)?;
        let flags = u16::from_be_bytes(take(&mut rest, 2)?.try_into().ok()?);
        if version > 2 && flags & EXTENDED != 0 {
            take(&mut rest, 2)?;
        }
        if version == 4 {
            let cut = offset(&mut rest)?;
            name.truncate(name.len().checked_sub(cut)?);
        } else {
            name.clear();
        }
        let known = usize::from(flags & NAME_LEN);
        let len = if version < 4 && known < usize::from(NAME_LEN) {
            known
        } else {
            rest.iter().position(|byte| *byte == 0)?
        };
        name.extend(take(&mut rest, len)?);
        if version == 4 {
            take(&mut rest, 1)?;
        } else {
            // Padding of one to eight zero bytes, up to a multiple of eight.
            let used = start - rest.len();
            take(&mut rest, 8 - used % 8)?;
        }
        each(&name);
    }
    Some(())
}

/// Reads a number in git's offset encoding: seven bits per byte, the highest first. Each further byte adds an offset,
/// so that no number has two forms.
fn offset(rest: &mut &[u8]) -> Option<usize> {
    let mut byte = *take(rest, 1)?.first()?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = *take(rest, 1)?.first()?;
        value = value
            .checked_add(1)?
            .checked_mul(128)?
            .checked_add(usize::from(byte & 0x7f))?;
    }
    Some(value)
}
