//! Disk operations of a restore. Each operation can be reverted, and can be repeated after a kill.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use benchdog_files::beneath::Held;
use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, fchmod, mkdirat, openat, renameat_with, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;

use super::Hook;
use crate::folders::{Inode, joined};
use crate::stat::{self, Stat};
use crate::state::Kind;

/// Number of folders above which one `syncfs` is faster than an `fsync` for each folder.
const MAX_SYNCED: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) inode: Inode,
    pub(crate) kind: Kind,
    /// In bytes. Like `modified`, 0 for a folder.
    pub(crate) size: u64,
    pub(crate) modified: i64,
}

/// An operation on one name in a folder. The temporary name is in the same folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Op {
    pub(crate) kind: OpKind,
    pub(crate) folder: Vec<u8>,
    pub(crate) name: Vec<u8>,
    pub(crate) temporary: Vec<u8>,
    /// Identity of the file before the operation; `new` is the identity after it. `None` if there is no file.
    pub(crate) old: Option<Identity>,
    pub(crate) new: Option<Identity>,
    pub(crate) old_mode: u16,
    pub(crate) new_mode: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpKind {
    Remove,
    Replace,
    Create,
    Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Applied {
    Done,
    /// The file differs from the expected file, and was not touched.
    Conflict,
}

impl Op {
    pub(crate) fn path(&self) -> PathBuf {
        joined(&self.folder, &self.name)
    }

    /// Returns a second temporary name, for the old file, on file systems that cannot exchange two names.
    fn aside(&self) -> Vec<u8> {
        [&self.temporary, b"o".as_slice()].concat()
    }
}

pub(crate) struct Disk<'d> {
    pub(crate) root: &'d Held,
    pub(crate) hook: Hook<'d>,
}

fn os(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

pub(crate) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(at) => (
            path.get(..at).unwrap_or_default(),
            path.get(at + 1..).unwrap_or_default(),
        ),
        None => (b"", path),
    }
}

impl Disk<'_> {
    pub(crate) fn folder(&self, path: &[u8]) -> io::Result<Held> {
        self.root.folder(os(path))
    }

    /// Returns the identity and the metadata of a file. `None` if the file does not exist.
    pub(crate) fn identity(&self, folder: &Held, name: &[u8]) -> io::Result<Option<(Identity, Stat)>> {
        match statat(folder.as_fd(), os(name), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(raw) => {
                let (stat, kind) = (Stat::of(&raw), stat::kind(&raw));
                let is_folder = kind == Kind::Folder;
                let identity = Identity {
                    inode: Inode::of(&stat),
                    kind,
                    size: if is_folder { 0 } else { stat.size },
                    modified: if is_folder { 0 } else { stat.modified },
                };
                Ok(Some((identity, stat)))
            }
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn who(&self, folder: &Held, name: &[u8]) -> io::Result<Option<Identity>> {
        Ok(self.identity(folder, name)?.map(|(identity, _)| identity))
    }

    pub(crate) fn write_file(&self, path: &[u8], bytes: &[u8], mode: u16) -> io::Result<File> {
        (self.hook)("write a file")?;
        let (folder, name) = split(path);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let file = openat(
            self.folder(folder)?.as_fd(),
            os(name),
            flags,
            Mode::from_raw_mode(0o600),
        )?;
        let mut file = File::from(file);
        file.write_all(bytes)?;
        fchmod(&file, Mode::from_raw_mode(mode.into()))?;
        Ok(file)
    }

    pub(crate) fn write_link(&self, path: &[u8], target: &[u8]) -> io::Result<()> {
        (self.hook)("write a link")?;
        let (folder, name) = split(path);
        Ok(symlinkat(os(target), self.folder(folder)?.as_fd(), os(name))?)
    }

    pub(crate) fn make_folder(&self, path: &[u8]) -> io::Result<()> {
        (self.hook)("create a folder")?;
        let (folder, name) = split(path);
        Ok(mkdirat(
            self.folder(folder)?.as_fd(),
            os(name),
            Mode::from_raw_mode(0o700),
        )?)
    }

    pub(crate) fn set_mode(&self, folder: &[u8], name: &[u8], mode: u16) -> io::Result<()> {
        (self.hook)("set a mode")?;
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = openat(self.folder(folder)?.as_fd(), os(name), flags, Mode::empty())?;
        Ok(fchmod(file, Mode::from_raw_mode(mode.into()))?)
    }

    pub(crate) fn apply(&self, op: &Op) -> io::Result<Applied> {
        let folder = match self.folder(&op.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // If the folder is missing, a removal in it is already complete.
                let is_done = op.kind == OpKind::Remove;
                return Ok(if is_done { Applied::Done } else { Applied::Conflict });
            }
            folder => folder?,
        };
        let target = self.who(&folder, &op.name)?;
        match op.kind {
            OpKind::Mode => {
                if target.map(|target| target.inode) != op.old.map(|old| old.inode) {
                    return Ok(Applied::Conflict);
                }
                self.set_mode(&op.folder, &op.name, op.new_mode)?;
                Ok(Applied::Done)
            }
            OpKind::Create => match target {
                _ if target.is_some() && target == op.new => Ok(Applied::Done),
                Some(_) => Ok(Applied::Conflict),
                None => self.rename_new(&folder, &op.temporary, &op.name),
            },
            OpKind::Remove => match target {
                None => Ok(Applied::Done),
                _ if target != op.old => Ok(Applied::Conflict),
                Some(_) => {
                    if self.rename_new(&folder, &op.name, &op.temporary)? == Applied::Conflict {
                        return Ok(Applied::Conflict);
                    }
                    if self.who(&folder, &op.temporary)? == op.old {
                        return Ok(Applied::Done);
                    }
                    // Another process replaced the file before the rename, so undo the rename.
                    self.rename_new(&folder, &op.temporary, &op.name)?;
                    Ok(Applied::Conflict)
                }
            },
            OpKind::Replace => self.replace(&folder, op, target),
        }
    }

    fn replace(&self, folder: &Held, op: &Op, target: Option<Identity>) -> io::Result<Applied> {
        if target.is_some() && target == op.new {
            return Ok(Applied::Done);
        }
        if target.is_none() && self.who(folder, &op.aside())? == op.old {
            // A kill interrupted an earlier attempt between the two renames below.
            return self.rename_new(folder, &op.temporary, &op.name);
        }
        if target != op.old || self.who(folder, &op.temporary)? != op.new {
            return Ok(Applied::Conflict);
        }
        if !self.exchange(folder, &op.temporary, &op.name)? {
            self.rename_new(folder, &op.name, &op.aside())?;
            return self.rename_new(folder, &op.temporary, &op.name);
        }
        if self.who(folder, &op.temporary)? == op.old {
            return Ok(Applied::Done);
        }
        // Another process replaced the file before the exchange, so exchange again.
        self.exchange(folder, &op.temporary, &op.name)?;
        Ok(Applied::Conflict)
    }

    /// Undoes `apply`, even if it was only partly done or not begun.
    pub(crate) fn revert(&self, op: &Op) -> io::Result<()> {
        let folder = self.folder(&op.folder)?;
        let target = self.who(&folder, &op.name)?;
        match op.kind {
            OpKind::Mode => {
                if target.map(|target| target.inode) == op.old.map(|old| old.inode) {
                    self.set_mode(&op.folder, &op.name, op.old_mode)?;
                }
            }
            OpKind::Create => {
                if target.is_some() && target == op.new {
                    self.rename_new(&folder, &op.name, &op.temporary)?;
                }
            }
            OpKind::Remove => {
                if target.is_none() && self.who(&folder, &op.temporary)? == op.old {
                    self.rename_new(&folder, &op.temporary, &op.name)?;
                }
            }
            OpKind::Replace => {
                let aside = op.aside();
                if self.who(&folder, &aside)? == op.old {
                    if target == op.new {
                        self.rename_new(&folder, &op.name, &op.temporary)?;
                    }
                    self.rename_new(&folder, &aside, &op.name)?;
                } else if target.is_some() && target == op.new {
                    self.exchange(&folder, &op.temporary, &op.name)?;
                }
            }
        }
        Ok(())
    }

    /// Renames a file unless the new name is taken.
    fn rename_new(&self, folder: &Held, from: &[u8], to: &[u8]) -> io::Result<Applied> {
        (self.hook)("rename")?;
        let folder = folder.as_fd();
        match renameat_with(folder, os(from), folder, os(to), RenameFlags::NOREPLACE) {
            Ok(()) => Ok(Applied::Done),
            Err(Errno::EXIST) => Ok(Applied::Conflict),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                if statat(folder, os(to), AtFlags::SYMLINK_NOFOLLOW).err() != Some(Errno::NOENT) {
                    return Ok(Applied::Conflict);
                }
                rustix::fs::renameat(folder, os(from), folder, os(to))?;
                Ok(Applied::Done)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Exchanges two names atomically. Returns `false` if the file system does not support it.
    fn exchange(&self, folder: &Held, one: &[u8], other: &[u8]) -> io::Result<bool> {
        (self.hook)("exchange")?;
        let folder = folder.as_fd();
        match renameat_with(folder, os(one), folder, os(other), RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn sync(&self, ops: &[Op]) -> io::Result<()> {
        let folders: BTreeSet<&[u8]> = ops.iter().map(|op| op.folder.as_slice()).collect();
        if folders.len() > MAX_SYNCED {
            return Ok(rustix::fs::syncfs(self.root.as_fd())?);
        }
        for folder in folders {
            match self.folder(folder) {
                Ok(folder) => rustix::fs::fsync(folder.as_fd())?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Deletes the replaced files, then removes `folders`, which must be sorted from the deepest. Returns the folders
    /// that are not empty, and therefore not removed.
    pub(crate) fn clean(&self, ops: &[Op], folders: &[Vec<u8>]) -> io::Result<Vec<PathBuf>> {
        let mut kept = Vec::new();
        for op in ops.iter().filter(|op| op.kind != OpKind::Mode) {
            let Ok(folder) = self.folder(&op.folder) else { continue };
            for name in [&op.temporary, &op.aside()] {
                self.delete(&folder, &op.folder, name)?;
            }
        }
        for path in folders {
            let (folder, name) = split(path);
            let Ok(held) = self.folder(folder) else { continue };
            (self.hook)("remove a folder")?;
            match unlinkat(held.as_fd(), os(name), AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT | Errno::NOTDIR) => {}
                Err(Errno::NOTEMPTY | Errno::EXIST) => kept.push(os(path).to_owned()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(kept)
    }

    /// Deletes prepared files. Keeps an old file that has a temporary name.
    pub(crate) fn remove_temporaries(&self, paths: &[Vec<u8>], ops: &[Op]) -> io::Result<()> {
        for path in paths {
            let (folder, name) = split(path);
            let Ok(held) = self.folder(folder) else { continue };
            let identity = self.who(&held, name)?;
            if identity.is_some() && ops.iter().all(|op| op.old != identity) {
                self.delete(&held, folder, name)?;
            }
        }
        Ok(())
    }

    fn delete(&self, folder: &Held, path: &[u8], name: &[u8]) -> io::Result<()> {
        let Some((identity, _)) = self.identity(folder, name)? else {
            return Ok(());
        };
        (self.hook)("delete")?;
        if identity.kind != Kind::Folder {
            return match unlinkat(folder.as_fd(), os(name), AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => Ok(()),
                Err(error) => Err(error.into()),
            };
        }
        let path = crate::folders::join(path, name);
        // A restored or replaced folder may not allow access.
        let inside = match self.folder(&path) {
            Ok(inside) => inside,
            Err(_) => {
                let opened = openat(folder.as_fd(), os(name), OFlags::PATH | OFlags::NOFOLLOW, Mode::empty())?;
                rustix::fs::chmod(
                    format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&opened)),
                    Mode::RWXU,
                )?;
                self.folder(&path)?
            }
        };
        fchmod(inside.as_fd(), Mode::RWXU)?;
        for item in inside.items()? {
            self.delete(&inside, &path, item.name.as_bytes())?;
        }
        match unlinkat(folder.as_fd(), os(name), AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
