//! Changes files beneath a handle atomically. The new content goes to a temporary file, which is synced and renamed
//! over the old file. Owner, group and attributes are preserved. If that is impossible, or if the file has several hard
//! links or is a mount, the file is overwritten in place.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Seek, Write};

use cap_std::fs::Dir;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};

use super::attributes::Attributes;
use super::open::{Parents, open_file, parent_of};
use super::pending::{self, Note};
use super::resolve::{RootPath, follow_parent};
use super::{PathError, WorkPath};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    MayExist,
    MustBeNew,
}

impl WorkPath {
    /// Replaces the file's content, or creates the file with its folders. Without `mode`, an old file's mode is
    /// preserved, and a new file gets 0644 minus the umask. For a link, writes its target.
    pub fn write(&self, bytes: &[u8], mode: Option<u32>) -> Result<(), PathError> {
        let (dir, name) = self.open_for_writing(Parents::Create)?;
        let old = match rustix::fs::statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => {
                self.check_regular(&dir, &name)?;
                Some(stat)
            }
            Err(rustix::io::Errno::NOENT) => None,
            Err(error) => return Err(self.system(error.into())),
        };
        let Some(old) = old else {
            return self.replace(&dir, &name, bytes, mode, Target::MayExist);
        };
        let attributes = Attributes::of(&dir, &name, &old);
        let kept = mode.or(Some(old.st_mode & 0o7777));
        // A scratch file with several hard links is not from this session. Replace it, so that its other names stay
        // unchanged.
        if old.st_nlink > 1 && self.made().is_none() {
            return self.in_place(&dir, &name, bytes, mode);
        }
        match self.replace_like(&dir, &name, bytes, kept, &attributes) {
            Err(Blocked::InPlace) => self.in_place(&dir, &name, bytes, mode),
            Err(Blocked::Error(error)) => Err(error),
            Ok(()) => Ok(()),
        }
    }

    fn replace_like(
        &self,
        dir: &Dir,
        name: &OsStr,
        bytes: &[u8],
        mode: Option<u32>,
        attributes: &Attributes,
    ) -> Result<(), Blocked> {
        let temporary = pending::name();
        let notes = self.workspace.notes.as_deref();
        // The note exists until the temporary file is renamed or removed.
        let _note = notes.and_then(|notes| Note::of(notes, &self.absolute().with_file_name(&temporary)));
        let mut file = self.temporary(dir, &temporary, mode)?;
        let written = (|| {
            file.write_all(bytes)?;
            if !attributes.give(&file) {
                return Ok(false);
            }
            if let Some(mode) = mode {
                rustix::fs::fchmod(&file, Mode::from_raw_mode(mode & 0o7777))?;
            }
            file.sync_all()?;
            self.note_removed(dir, name);
            match rustix::fs::renameat(dir, &temporary, dir, name) {
                // The name is a mount point.
                Err(rustix::io::Errno::BUSY | rustix::io::Errno::XDEV) => return Ok(false),
                renamed => renamed?,
            }
            self.note_made(&file);
            Ok::<bool, std::io::Error>(true)
        })();
        if !matches!(written, Ok(true)) {
            // The temporary file may be gone already. Report the first error.
            let _ = dir.remove_file(&temporary);
        }
        match written {
            Ok(true) => {
                sync_folder(dir);
                Ok(())
            }
            Ok(false) => Err(Blocked::InPlace),
            Err(error) => Err(Blocked::Error(self.system(error))),
        }
    }

    /// Overwrites the file in place, because no other file can take its name. Until the new content is complete, a
    /// backup next to the file allows recovery after a kill.
    fn in_place(&self, dir: &Dir, name: &OsStr, bytes: &[u8], mode: Option<u32>) -> Result<(), PathError> {
        let fail = |error: std::io::Error| self.system(error);
        let mut file = open_file(dir, name, OFlags::RDWR, Mode::empty()).map_err(fail)?;
        let stat = rustix::fs::fstat(&file).map_err(|error| fail(error.into()))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(self.error("not_a_file"));
        }
        let mut old = Vec::new();
        file.read_to_end(&mut old).map_err(fail)?;
        let mut backup = OsString::from(".");
        backup.push(name);
        backup.push(".benchdog-backup");
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let mut kept = open_file(dir, &backup, flags, Mode::from_raw_mode(0o600)).map_err(fail)?;
        let saved = kept.write_all(&old).and_then(|()| kept.sync_all());
        let written = saved.and_then(|()| overwrite(&mut file, bytes));
        if let Err(error) = written {
            // If the old content cannot be restored, the backup stays.
            if overwrite(&mut file, &old).is_ok() {
                let _ = dir.remove_file(&backup);
            }
            return Err(fail(error));
        }
        let _ = dir.remove_file(&backup);
        sync_folder(dir);
        if let Some(mode) = mode {
            rustix::fs::fchmod(&file, Mode::from_raw_mode(mode & 0o7777)).map_err(|error| fail(error.into()))?;
        }
        Ok(())
    }

    /// Creates the file with its folders. Fails with `exists` if the file exists.
    pub fn create_new(&self, bytes: &[u8], mode: Option<u32>) -> Result<(), PathError> {
        let (dir, name) = self.open_for_writing(Parents::Create)?;
        if rustix::fs::statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Err(self.error("exists"));
        }
        self.replace(&dir, &name, bytes, mode, Target::MustBeNew)
    }

    /// For a link, removes the link itself.
    pub fn remove(&self) -> Result<(), PathError> {
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

    pub fn set_mode(&self, mode: u32) -> Result<(), PathError> {
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

    /// Returns the path with all links but the last name resolved. Fails if it changed since the permission check.
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
        // The note exists until the temporary file is renamed or removed.
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
                // The temporary file may be gone already. Report the first error.
                let _ = dir.remove_file(&temporary);
                Err(self.system(error))
            }
        }
    }

    fn temporary(&self, dir: &Dir, name: &OsStr, mode: Option<u32>) -> Result<std::fs::File, PathError> {
        // The temporary content of a private file must be private. Without `mode`, the umask reduces the mode of a new
        // file.
        let first = if mode.is_some() { 0o600 } else { 0o644 };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        open_file(dir, name, flags, Mode::from_raw_mode(first)).map_err(|error| self.system(error))
    }
}

enum Blocked {
    /// The file cannot be replaced by renaming, but can be overwritten in place.
    InPlace,
    Error(PathError),
}

impl From<PathError> for Blocked {
    fn from(error: PathError) -> Self {
        Self::Error(error)
    }
}

fn overwrite(file: &mut std::fs::File, bytes: &[u8]) -> std::io::Result<()> {
    file.seek(std::io::SeekFrom::Start(0))?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// Renames a file without replacing another. As a fallback, creates a hard link, which never replaces a file.
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

/// Makes a new name durable. Ignores errors, because some file systems cannot sync a folder.
fn sync_folder(dir: &Dir) {
    let _ = rustix::fs::fsync(dir);
}
