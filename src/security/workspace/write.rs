//! Changing files beneath a handle: whole or not at all. A new body is written beside the old one, synced, and takes
//! its name in one step.

use std::ffi::{OsStr, OsString};
use std::io::Write;

use cap_std::fs::Dir;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};

use super::open::{Parents, open_file, parent_of};
use super::pending::{self, Note};
use super::resolve::{RootPath, follow_parent};
use super::{PathError, WorkPath};

/// What must be true of the name a new body takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    MayExist,
    MustBeNew,
}

impl WorkPath {
    /// Replaces the file's content, or creates it with its folders. Keeps the old file's mode unless one is given; a
    /// new file gets what the umask leaves of 0644. Through a link, its target is written and the link stays.
    pub(crate) fn write(&self, bytes: &[u8], mode: Option<u32>) -> Result<(), PathError> {
        let (dir, name) = self.open_for_writing(Parents::Create)?;
        let old = match rustix::fs::statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => {
                self.check_regular(&dir, &name)?;
                Some(stat.st_mode & 0o7777)
            }
            Err(rustix::io::Errno::NOENT) => None,
            Err(error) => return Err(self.system(error.into())),
        };
        self.replace(&dir, &name, bytes, mode.or(old), Target::MayExist)
    }

    /// Creates the file with its folders; fails `exists` when another was faster.
    pub(crate) fn create_new(&self, bytes: &[u8], mode: Option<u32>) -> Result<(), PathError> {
        let (dir, name) = self.open_for_writing(Parents::Create)?;
        if rustix::fs::statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Err(self.error("exists"));
        }
        self.replace(&dir, &name, bytes, mode, Target::MustBeNew)
    }

    /// Removes a file; of a link, the link itself.
    pub(crate) fn remove(&self) -> Result<(), PathError> {
        let place = self.own_place()?;
        self.check_writable(&place)?;
        let found = parent_of(&self.workspace, &place, Parents::Expect, &self.shown)?;
        let (dir, name) = found.ok_or_else(|| self.error_because("not_a_file", "it is a folder"))?;
        let stat = rustix::fs::statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW);
        if FileType::from_raw_mode(stat.map_err(|error| self.system(error.into()))?.st_mode) == FileType::Directory {
            return Err(self.error_because("not_a_file", "it is a folder"));
        }
        self.note_removed(&dir, &name);
        dir.remove_file(&name).map_err(|error| self.system(error))?;
        sync_folder(&dir);
        Ok(())
    }

    pub(crate) fn set_mode(&self, mode: u32) -> Result<(), PathError> {
        let (dir, name) = self.open_for_writing(Parents::Expect)?;
        self.check_regular(&dir, &name)?;
        let file = open_file(&dir, &name, OFlags::RDONLY, Mode::empty()).map_err(|error| self.system(error))?;
        self.check_one_name(&file)?;
        rustix::fs::fchmod(&file, Mode::from_raw_mode(mode & 0o777)).map_err(|error| self.system(error.into()))
    }

    fn open_for_writing(&self, parents: Parents) -> Result<(Dir, OsString), PathError> {
        self.check_links()?;
        self.check_writable(&self.named)?;
        self.check_writable(&self.real)?;
        let found = parent_of(&self.workspace, &self.real, parents, &self.shown)?;
        found.ok_or_else(|| self.error_because("not_a_file", "it is a folder"))
    }

    /// The name itself with the links before it followed, but not the one it may be; the same as when it was judged.
    fn own_place(&self) -> Result<RootPath, PathError> {
        let own = self
            .own
            .clone()
            .ok_or_else(|| self.error_because("not_a_file", "it is a folder"))?;
        let now = follow_parent(&self.workspace, &self.named, &self.shown)?;
        if now.as_ref() == Some(&own) {
            Ok(own)
        } else {
            Err(self.error("symlink_changed"))
        }
    }

    fn replace(
        &self,
        dir: &Dir,
        name: &OsStr,
        bytes: &[u8],
        mode: Option<u32>,
        target: Target,
    ) -> Result<(), PathError> {
        let temporary = pending::name();
        let notes = self.workspace.notes.as_deref();
        // There until the body has its place, or is gone.
        let _note = notes.and_then(|notes| Note::of(notes, &self.absolute().with_file_name(&temporary)));
        let mut file = self.temporary(dir, &temporary, mode)?;
        let written = (|| {
            file.write_all(bytes)?;
            if let Some(mode) = mode {
                rustix::fs::fchmod(&file, Mode::from_raw_mode(mode & 0o7777))?;
            }
            file.sync_all()?;
            match target {
                Target::MayExist => {
                    self.note_removed(dir, name);
                    dir.rename(&temporary, dir, name)
                }
                Target::MustBeNew => rename_new(dir, &temporary, name),
            }?;
            self.note_made(&file);
            Ok(())
        })();
        match written {
            Ok(()) => {
                sync_folder(dir);
                Ok(())
            }
            Err(error) => {
                // The temporary name may be gone already; the first error is the one to tell.
                let _ = dir.remove_file(&temporary);
                Err(self.system(error))
            }
        }
    }

    fn temporary(&self, dir: &Dir, name: &OsStr, mode: Option<u32>) -> Result<std::fs::File, PathError> {
        // A body that replaces a private file must not be readable on the way; a new one is left to the umask.
        let first = if mode.is_some() { 0o600 } else { 0o644 };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        open_file(dir, name, flags, Mode::from_raw_mode(first)).map_err(|error| self.system(error))
    }
}

/// A rename that never replaces. File systems without it have hard links, which never replace either.
fn rename_new(dir: &Dir, from: &OsStr, to: &OsStr) -> std::io::Result<()> {
    use rustix::io::Errno;
    match rustix::fs::renameat_with(dir, from, dir, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            dir.hard_link(from, dir, to)?;
            dir.remove_file(from)
        }
        other => other.map_err(Into::into),
    }
}

/// Makes the new name durable. A file system that cannot sync a folder has nothing better to offer.
fn sync_folder(dir: &Dir) {
    let _ = rustix::fs::fsync(dir);
}
