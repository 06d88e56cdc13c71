//! Plan of a restore: checks all steps against the disk, then prepares the new files next to their targets.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use benchdog_files::beneath::Held;
use rustix::fs::{Access, AtFlags, accessat};

use super::disk::{Disk, Identity, Op, OpKind, split};
use super::{RestoreError, Restored, Step, Wanted};
use crate::checkpoints::Checkpoints;
use crate::folders::{join, joined};
use crate::id::ContentId;
use crate::reading::{in_parallel, state_of};
use crate::stat::Stat;
use crate::state::{Content, Kind};
use crate::store::batch::temporary_name;
use crate::walk::{TEMPORARY, inode_of};

/// Mode of a new parent folder that has no step in the plan.
const FOLDER_MODE: u16 = 0o755;

/// Number of prepared files above which one `syncfs` is faster than an `fsync` for each file.
const MAX_SYNCED: usize = 32;

#[derive(Debug, Clone)]
struct New {
    /// Path relative to the target of the operation. Empty for the target itself.
    inside: Vec<u8>,
    kind: Kind,
    mode: u16,
    bytes: Source,
}

#[derive(Debug, Clone)]
enum Source {
    None,
    Stored(ContentId),
    Own(Vec<u8>),
}

#[derive(Default)]
pub(crate) struct Plan {
    pub(crate) ops: Vec<Op>,
    /// Folders to remove at the end, the deepest first.
    pub(crate) folders: Vec<Vec<u8>>,
    /// New files of each operation, by the path of its target.
    new: BTreeMap<Vec<u8>, Vec<New>>,
}

struct Checked<'s> {
    step: &'s Step,
    found: Option<(Identity, Stat)>,
}

type Steps<'s> = BTreeMap<Vec<u8>, Checked<'s>>;

impl Plan {
    /// Fails if a file differs from its expected state, or cannot be restored.
    pub(crate) fn new(root: &Held, steps: &[Step]) -> Result<Self, RestoreError> {
        let disk = Disk {
            root,
            hook: &|_| Ok(()),
        };
        let steps = checked(&disk, steps)?;
        let mut plan = Self::default();
        for (path, one) in &steps {
            if let Some(new) = wanted(one.step)? {
                plan.add_wanted(&disk, &steps, path, one, new)?;
            }
        }
        let replaced = plan.ops.iter().filter(|op| op.kind == OpKind::Replace);
        let replaced: Vec<Vec<u8>> = replaced.map(|op| join(&op.folder, &op.name)).collect();
        for (path, one) in &steps {
            let is_inside = || replaced.iter().any(|above| is_below(path, above));
            if let (Wanted::Absent, Some((identity, _))) = (&one.step.wanted, one.found)
                && !is_inside()
            {
                match identity.kind {
                    Kind::Folder => plan.folders.push(path.clone()),
                    _ => plan.add(path, OpKind::Remove, one.found),
                }
            }
        }
        plan.folders.reverse();
        plan.drop_twins(&disk)?;
        // Remove first, so that the names are free for new files.
        plan.ops.sort_by_key(|op| match op.kind {
            OpKind::Remove => 0,
            OpKind::Replace => 1,
            OpKind::Create => 2,
            OpKind::Mode => 3,
        });
        plan.check_access(&disk)?;
        Ok(plan)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ops.is_empty() && self.folders.is_empty()
    }

    fn add(&mut self, path: &[u8], kind: OpKind, found: Option<(Identity, Stat)>) {
        let (folder, name) = split(path);
        let mut temporary = TEMPORARY.to_vec();
        temporary.extend(temporary_name().trim_end_matches(".tmp").as_bytes());
        self.ops.push(Op {
            kind,
            folder: folder.to_vec(),
            name: name.to_vec(),
            temporary,
            old: found.map(|(identity, _)| identity),
            new: None,
            old_mode: found.map_or(0, |(_, stat)| stat.mode),
            new_mode: 0,
        });
    }

    fn add_wanted(
        &mut self,
        disk: &Disk<'_>,
        steps: &Steps<'_>,
        path: &[u8],
        one: &Checked<'_>,
        new: New,
    ) -> Result<(), RestoreError> {
        if let Some(top) = self.new_folder_above(disk, steps, path)? {
            let inside = path.get(top.len() + 1..).unwrap_or_default().to_vec();
            self.new.entry(top).or_default().push(New { inside, ..new });
            return Ok(());
        }
        let expected = one.step.expected;
        let same_bytes = match (&new.bytes, expected) {
            (Source::None, Some(state)) => state.kind == Kind::Folder,
            (Source::Stored(id), Some(state)) => state.kind == new.kind && state.content == Content::Stored(*id),
            (Source::Own(bytes), Some(state)) => {
                state.kind == Kind::File && state.content == Content::Stored(ContentId::of(bytes))
            }
            (_, None) => false,
        };
        if same_bytes {
            if expected.is_some_and(|state| state.mode != new.mode) {
                self.add(path, OpKind::Mode, one.found);
                if let Some(op) = self.ops.last_mut() {
                    op.new_mode = new.mode;
                }
            }
            return Ok(());
        }
        match one.found {
            None => self.add(path, OpKind::Create, None),
            Some((identity, _)) => {
                if identity.kind == Kind::Folder {
                    check_items(disk, steps, path)?;
                }
                self.add(path, OpKind::Replace, one.found);
            }
        }
        self.new.entry(path.to_vec()).or_default().push(new);
        Ok(())
    }

    /// Returns the topmost folder above a path that this plan creates. Adds missing parent folders to the plan.
    fn new_folder_above(
        &mut self,
        disk: &Disk<'_>,
        steps: &Steps<'_>,
        path: &[u8],
    ) -> Result<Option<Vec<u8>>, RestoreError> {
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut folders = ends.filter_map(|(end, _)| path.get(..end));
        let Some(top) = folders.find_map(|above| match self.is_new(disk, steps, above) {
            Ok(false) => None,
            Ok(true) => Some(Ok(above.to_vec())),
            Err(error) => Some(Err(error)),
        }) else {
            return Ok(None);
        };
        let top = top?;
        let needed = std::iter::once(top.as_slice()).chain(folders);
        for above in needed {
            if steps.contains_key(above) {
                continue;
            }
            let inside = above.get(top.len() + 1..).unwrap_or_default();
            let known = self.new.get(&top);
            if known.is_none_or(|known| known.iter().all(|new| new.inside != inside)) {
                if inside.is_empty() {
                    self.add(&top, OpKind::Create, None);
                }
                self.new.entry(top.clone()).or_default().push(New {
                    inside: inside.to_vec(),
                    kind: Kind::Folder,
                    mode: FOLDER_MODE,
                    bytes: Source::None,
                });
            }
        }
        Ok(Some(top))
    }

    fn is_new(&self, disk: &Disk<'_>, steps: &Steps<'_>, path: &[u8]) -> Result<bool, RestoreError> {
        if self.new.contains_key(path) {
            return Ok(true);
        }
        let invalid = |reason| RestoreError::Invalid {
            path: joined(b"", path),
            reason,
        };
        if let Some(one) = steps.get(path) {
            return match wanted(one.step)? {
                Some(new) if new.kind == Kind::Folder => {
                    Ok(one.found.is_none_or(|(identity, _)| identity.kind != Kind::Folder))
                }
                _ => Err(invalid("is to be no folder, but has files in the plan")),
            };
        }
        let (folder, name) = split(path);
        let found = disk.folder(folder).and_then(|folder| disk.identity(&folder, name));
        match found.map_err(RestoreError::io("look at", &joined(b"", path)))? {
            None => Ok(true),
            Some((identity, _)) if identity.kind == Kind::Folder => Ok(false),
            Some(_) => Err(RestoreError::Blocked {
                path: joined(b"", path),
            }),
        }
    }

    /// Removes duplicate operations on a file that has two paths, such as through a bind mount.
    fn drop_twins(&mut self, disk: &Disk<'_>) -> Result<(), RestoreError> {
        let mut inodes = BTreeMap::new();
        for op in &self.ops {
            if !inodes.contains_key(&op.folder) {
                let inode = disk.folder(&op.folder).and_then(|folder| Ok(inode_of(&folder)?));
                let inode = inode.map_err(RestoreError::io("look at", &joined(b"", &op.folder)))?;
                inodes.insert(op.folder.clone(), inode);
            }
        }
        let mut known = HashSet::new();
        self.ops
            .retain(|op| known.insert((inodes.get(&op.folder).copied(), op.name.clone())));
        Ok(())
    }

    fn check_access(&self, disk: &Disk<'_>) -> Result<(), RestoreError> {
        let removed = self.folders.iter().map(|path| split(path).0);
        let changed = self.ops.iter().filter(|op| op.kind != OpKind::Mode);
        let folders: BTreeSet<&[u8]> = changed.map(|op| op.folder.as_slice()).chain(removed).collect();
        for path in folders {
            let access = || -> std::io::Result<()> {
                let folder = disk.folder(path)?;
                let needed = Access::WRITE_OK | Access::EXEC_OK;
                Ok(accessat(folder.as_fd(), ".", needed, AtFlags::EACCESS)?)
            };
            access().map_err(RestoreError::io("write in the folder", &joined(b"", path)))?;
        }
        Ok(())
    }

    pub(crate) fn temporaries(&self) -> Vec<Vec<u8>> {
        let prepared = self
            .ops
            .iter()
            .filter(|op| matches!(op.kind, OpKind::Create | OpKind::Replace));
        prepared.map(|op| join(&op.folder, &op.temporary)).collect()
    }

    /// Writes all new files under their temporary names.
    pub(crate) fn prepare(&mut self, all: &Checkpoints, disk: &Disk<'_>) -> Result<(), RestoreError> {
        let count: usize = self.new.values().map(Vec::len).sum();
        for op in &mut self.ops {
            let target = join(&op.folder, &op.name);
            let Some(news) = self.new.get(&target) else { continue };
            let temporary = join(&op.folder, &op.temporary);
            for new in news {
                let path = within(&temporary, &new.inside);
                let shown = joined(b"", &within(&target, &new.inside));
                new.write(all, disk, (&path, &shown), count <= MAX_SYNCED)?;
            }
            // Set the modes of the deepest folders first, because a folder's new mode may forbid access to its
            // contents.
            for new in news.iter().rev().filter(|new| new.kind == Kind::Folder) {
                let path = within(&temporary, &new.inside);
                let (folder, name) = split(&path);
                let set = disk.set_mode(folder, name, new.mode);
                set.map_err(RestoreError::io("create the folder", &joined(b"", &target)))?;
            }
            let found = disk
                .folder(&op.folder)
                .and_then(|folder| disk.identity(&folder, &op.temporary));
            let found = found.map_err(RestoreError::io("write", &joined(b"", &target)))?;
            op.new = found.map(|(identity, _)| identity);
        }
        let has_folders = self.new.values().flatten().any(|new| new.kind == Kind::Folder);
        if count > MAX_SYNCED || has_folders {
            let synced = rustix::fs::syncfs(disk.root.as_fd()).map_err(Into::into);
            synced.map_err(RestoreError::io("write to the disk of", all.root()))?;
        }
        Ok(())
    }

    /// Checks all files again, because they may have changed during the preparation.
    pub(crate) fn check(&self, disk: &Disk<'_>) -> Result<(), RestoreError> {
        let mut changed = Vec::new();
        for op in &self.ops {
            let found = disk
                .folder(&op.folder)
                .and_then(|folder| disk.identity(&folder, &op.name));
            let found = found.map_err(RestoreError::io("look at", &op.path()))?;
            let found = found.map(|(identity, _)| identity);
            let is_removed = |other: &Op| other.kind == OpKind::Remove && other.old == found;
            let is_renamed = || op.kind == OpKind::Create && self.ops.iter().any(is_removed);
            if found != op.old && !is_renamed() {
                changed.push(op.path());
            }
        }
        if changed.is_empty() {
            Ok(())
        } else {
            Err(RestoreError::Changed { paths: changed })
        }
    }

    pub(crate) fn counts(&self) -> Restored {
        let mut counts = counts(&self.ops, &self.folders);
        let created = self.new.values().map(|news| news.len().saturating_sub(1));
        counts.written += created.sum::<usize>();
        counts
    }
}

pub(crate) fn counts(ops: &[Op], folders: &[Vec<u8>]) -> Restored {
    let removed = ops.iter().filter(|op| op.kind == OpKind::Remove).count();
    Restored {
        written: ops.len() - removed,
        removed: removed + folders.len(),
        ..Restored::default()
    }
}

impl New {
    fn write(
        &self,
        all: &Checkpoints,
        disk: &Disk<'_>,
        (path, shown): (&[u8], &Path),
        sync: bool,
    ) -> Result<(), RestoreError> {
        let stored;
        let bytes = match &self.bytes {
            Source::None => &[],
            Source::Own(bytes) => bytes.as_slice(),
            Source::Stored(id) => {
                stored = all.content(id).map_err(|source| RestoreError::Damage {
                    path: shown.to_owned(),
                    source,
                })?;
                stored.as_slice()
            }
        };
        let written = match self.kind {
            Kind::Folder => disk.make_folder(path),
            Kind::Link => disk.write_link(path, bytes),
            Kind::File | Kind::Special => disk.write_file(path, bytes, self.mode).and_then(|file| {
                if sync {
                    file.sync_data()?;
                }
                Ok(())
            }),
        };
        written.map_err(RestoreError::io("write", shown))
    }
}

fn within(top: &[u8], inside: &[u8]) -> Vec<u8> {
    if inside.is_empty() {
        top.to_vec()
    } else {
        join(top, inside)
    }
}

fn is_below(path: &[u8], above: &[u8]) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.first() == Some(&b'/'))
}

/// Returns the file that a step writes, or `None` for a removal.
fn wanted(step: &Step) -> Result<Option<New>, RestoreError> {
    let new = |kind, mode, bytes| {
        Some(New {
            inside: Vec::new(),
            kind,
            mode,
            bytes,
        })
    };
    Ok(match &step.wanted {
        Wanted::Absent => None,
        Wanted::Bytes { bytes, mode } => new(Kind::File, *mode, Source::Own(bytes.clone())),
        Wanted::State(state) => match state.content {
            Content::Stored(id) => new(state.kind, state.mode, Source::Stored(id)),
            Content::Folder => new(Kind::Folder, state.mode, Source::None),
            Content::NotCovered { why, .. } => {
                return Err(RestoreError::NotCovered {
                    path: step.path.clone(),
                    why,
                });
            }
        },
    })
}

fn checked<'s>(disk: &Disk<'_>, steps: &'s [Step]) -> Result<Steps<'s>, RestoreError> {
    let paths: Vec<(Vec<u8>, &Step)> = steps
        .iter()
        .map(|step| Ok((valid(&step.path)?, step)))
        .collect::<Result<_, RestoreError>>()?;
    let found = in_parallel(&paths, Vec::new, |buffer, (path, step)| {
        let (folder, name) = split(path);
        let found = match disk.folder(folder) {
            Ok(folder) => disk.identity(&folder, name),
            // A parent folder is missing, or is now a file or a link.
            Err(_) => Ok(None),
        };
        let Ok(found) = found else { return Ok((None, false)) };
        let state = match &step.expected {
            None => None,
            Some(expected) => state_of(disk.root, path, expected, buffer),
        };
        let is_expected = state == step.expected && found.is_some() == step.expected.is_some();
        Ok((found, is_expected))
    })?;
    let removed: Vec<(Vec<u8>, Identity)> = paths
        .iter()
        .zip(&found)
        .filter(|((_, step), _)| step.wanted == Wanted::Absent)
        .filter_map(|((path, _), (found, _))| Some((path.clone(), (*found)?.0)))
        .collect();
    // If only the case of a name changes, a case-insensitive disk finds the file under both names.
    let is_renamed = |path: &[u8], found: Option<(Identity, Stat)>| {
        let mut names = removed.iter().filter(|(name, _)| name.eq_ignore_ascii_case(path));
        names.any(|(_, removed)| found.is_some_and(|(identity, _)| identity == *removed))
    };
    let mut checked = Steps::new();
    let mut changed: Vec<PathBuf> = Vec::new();
    let mut named = BTreeSet::new();
    for ((path, step), found) in paths.into_iter().zip(found) {
        if !named.insert(path.clone()) {
            return Err(RestoreError::Invalid {
                path: step.path.clone(),
                reason: "is in the plan twice",
            });
        }
        match found {
            (found, true) => {
                checked.insert(path, Checked { step, found });
            }
            (found, false) if step.expected.is_none() && is_renamed(&path, found) => {
                checked.insert(path, Checked { step, found: None });
            }
            _ => changed.push(step.path.clone()),
        }
    }
    if changed.is_empty() {
        Ok(checked)
    } else {
        Err(RestoreError::Changed { paths: changed })
    }
}

fn valid(path: &Path) -> Result<Vec<u8>, RestoreError> {
    let invalid = |reason| RestoreError::Invalid {
        path: path.to_owned(),
        reason,
    };
    let mut bytes = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) if name.eq_ignore_ascii_case(".git") => return Err(invalid("belongs to git")),
            Component::Normal(name) => bytes = join(&bytes, name.as_bytes()),
            _ => return Err(invalid("is not inside of the workspace")),
        }
    }
    if bytes.is_empty() {
        return Err(invalid("is the workspace itself"));
    }
    Ok(bytes)
}

/// Checks that the plan removes all items of a folder to remove.
fn check_items(disk: &Disk<'_>, steps: &Steps<'_>, folder: &[u8]) -> Result<(), RestoreError> {
    let failed = RestoreError::io("list the folder", &joined(b"", folder));
    let items = match disk.folder(folder).and_then(|held| held.items()) {
        Ok(items) => items,
        Err(error) => return Err(failed(error)),
    };
    for item in items {
        let path = join(folder, item.name.as_bytes());
        match steps.get(&path) {
            Some(one) if one.step.wanted == Wanted::Absent => {}
            _ => {
                return Err(RestoreError::NotEmpty {
                    path: joined(b"", folder),
                });
            }
        }
        if item.kind == benchdog_files::beneath::Kind::Folder {
            check_items(disk, steps, &path)?;
        }
    }
    Ok(())
}
