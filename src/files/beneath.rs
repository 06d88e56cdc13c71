//! Opens files and folders below an open folder without following links, even if a link replaces a folder of the path.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

/// An open folder. Refers to the same folder even after the path is renamed.
#[derive(Debug)]
pub struct Held(OwnedFd);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    Link,
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub name: OsString,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Nanoseconds since 1970.
    pub modified: i128,
    pub size: u64,
}

impl Held {
    /// Opens a folder by its absolute path, which must not contain links.
    pub fn open(path: &Path) -> io::Result<Self> {
        let relative = path
            .strip_prefix("/")
            .map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let top = rustix::fs::open("/", flags, Mode::empty())?;
        open_beneath(top.as_fd(), relative, flags).map(Self)
    }

    /// Opens a file. Refuses pipes, devices and sockets without blocking.
    pub fn file(&self, relative: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = File::from(open_beneath(self.0.as_fd(), relative, flags)?);
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
        }
    }

    pub fn folder(&self, relative: &Path) -> io::Result<Self> {
        open_beneath(
            self.0.as_fd(),
            relative,
            OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
        )
        .map(Self)
    }

    /// Returns the items in no order, without `.` and `..`.
    pub fn items(&self) -> io::Result<Vec<Item>> {
        let mut items = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let name = OsString::from_vec(name.to_vec());
            let kind = match entry.file_type() {
                FileType::Unknown => self.kind(Path::new(&name))?,
                known => Kind::of(known),
            };
            items.push(Item { name, kind });
        }
        Ok(items)
    }

    pub fn len(&self, name: &Path) -> io::Result<u64> {
        let stat = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(u64::try_from(stat.st_size).unwrap_or(0))
    }

    /// Returns the modification time of a file, or of a link itself, in nanoseconds since 1970.
    pub fn modified(&self, relative: &Path) -> io::Result<i128> {
        self.stat(relative).map(|stat| stat.modified)
    }

    /// Returns the metadata of a file, or of a link itself.
    pub fn stat(&self, relative: &Path) -> io::Result<Stat> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let stat = rustix::fs::fstat(open_beneath(self.0.as_fd(), relative, flags)?)?;
        Ok(Stat {
            modified: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
            size: u64::try_from(stat.st_size).unwrap_or(0),
        })
    }

    pub(crate) fn link(&self, relative: &Path) -> io::Result<Vec<u8>> {
        let (Some(parent), Some(name)) = (relative.parent(), relative.file_name()) else {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        };
        let folder = self.folder(parent)?;
        Ok(rustix::fs::readlinkat(&folder.0, name, Vec::new())?.into_bytes())
    }

    fn kind(&self, name: &Path) -> io::Result<Kind> {
        let stat = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(Kind::of(FileType::from_raw_mode(stat.st_mode)))
    }
}

impl AsFd for Held {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Kind {
    fn of(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            _ => Self::Other,
        }
    }
}

fn open_beneath(top: BorrowedFd<'_>, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let relative = if relative.as_os_str().is_empty() {
        Path::new(".")
    } else {
        relative
    };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    // The kernel returns EAGAIN after a concurrent rename, so repeat the call.
    for _ in 0..8 {
        match rustix::fs::openat2(top, relative, flags, Mode::empty(), resolve) {
            Ok(fd) => return Ok(fd),
            Err(Errno::AGAIN) => {}
            // The system call is missing before Linux 5.6, and in containers that filter it.
            Err(Errno::NOSYS | Errno::PERM) => return open_step_by_step(top, relative, flags),
            Err(error) => return Err(error.into()),
        }
    }
    open_step_by_step(top, relative, flags)
}

fn open_step_by_step(top: BorrowedFd<'_>, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let mut names = Vec::new();
    for component in relative.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            _ => {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidInput,
                    "the path leaves its folder",
                ));
            }
        }
    }
    let last = names.pop();
    let mut at: Option<OwnedFd> = None;
    for name in names {
        let step = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let from = at.as_ref().map_or(top, AsFd::as_fd);
        at = Some(rustix::fs::openat(from, name, step, Mode::empty())?);
    }
    let from = at.as_ref().map_or(top, AsFd::as_fd);
    let name = last.unwrap_or_else(|| std::ffi::OsStr::new("."));
    Ok(rustix::fs::openat(from, name, flags | OFlags::NOFOLLOW, Mode::empty())?)
}

#[cfg(test)]
mod tests;
