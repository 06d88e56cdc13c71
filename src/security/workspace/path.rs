//! A path that was checked to be beneath a root. A `WorkPath` contains names, not an open file. Each use opens the file
//! again, and fails if a link on the way changed.

use std::io::Read;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};

use super::links::is_secret_elsewhere;
use super::open::{Parents, open_file, parent_of};
use super::resolve::{RootPath, follow};
use super::{Access, PathError, Workspace};
use crate::secrets::is_secret_path;
use benchdog_base::charset::Charset;
use benchdog_base::clock::Time;
use benchdog_base::path_name;

/// Created only by `Workspace::resolve`.
#[derive(Clone)]
pub struct WorkPath {
    pub(super) workspace: Workspace,
    /// The path as given, without following links.
    pub(super) named: RootPath,
    /// The path with all links but the last name resolved, or `None` for a root. `remove` removes this file or link.
    pub(super) own: Option<RootPath>,
    /// The path with all links resolved. All other operations open this path.
    pub(super) real: RootPath,
    pub(super) shown: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStat {
    pub kind: FileKind,
    pub len: u64,
    /// Permission bits, at most `0o7777`.
    pub mode: u32,
    pub modified: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    File,
    Folder,
    /// A pipe, a socket or a device, which is never opened.
    Other,
}

impl WorkPath {
    pub(super) fn new(workspace: Workspace, named: RootPath, own: Option<RootPath>, real: RootPath) -> Self {
        let shown = match (named.root, named.path.as_os_str().is_empty()) {
            (0, true) => ".".to_owned(),
            (0, false) => path_name::display(&named.path).into_owned(),
            (root, _) => path_name::display(&absolute(&workspace, root, &named.path)).into_owned(),
        };
        Self {
            workspace,
            named,
            own,
            real,
            shown,
        }
    }

    /// Returns the path relative to the workspace with `/`, or `.` for the workspace. Paths in other roots are
    /// absolute.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns the absolute path with links resolved. Use it for display and for other programs, not for opening.
    pub fn absolute(&self) -> PathBuf {
        absolute(&self.workspace, self.real.root, &self.real.path)
    }

    pub fn charset(&self) -> Option<Charset> {
        self.workspace.charset
    }

    pub fn is_link(&self) -> bool {
        self.own.as_ref().is_some_and(|own| *own != self.real)
    }

    /// Whether the path, its link target, or another hard link of the file has the name of a secret.
    pub fn is_secret(&self) -> bool {
        is_secret_path(&self.named.path) || is_secret_path(&self.absolute()) || is_secret_elsewhere(self)
    }

    /// Whether a file below this folder is a secret, under any of its names.
    pub fn is_secret_below(&self, relative: &Path) -> bool {
        let path = self.absolute().join(relative);
        let found = path.to_str().map(|path| self.workspace.resolve(path));
        found.is_none_or(|found| found.is_ok_and(|path| path.is_secret()))
    }

    /// Whether the path now leads out of the roots, because a link on the way changed.
    pub(crate) fn leads_out(&self) -> bool {
        let again = self.workspace.resolve(&self.shown);
        again.is_err_and(|error| matches!(error.code, "outside_workspace" | "symlink_escape"))
    }

    /// `None` if the file does not exist.
    pub fn stat(&self) -> Result<Option<FileStat>, PathError> {
        self.check_links()?;
        let (dir, name) = match parent_of(&self.workspace, &self.real, Parents::Expect, &self.shown) {
            Ok(Some(found)) => found,
            Ok(None) => return self.stat_root(),
            Err(error) if error.code == "not_found" => return Ok(None),
            Err(error) => return Err(error),
        };
        match rustix::fs::statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => {
                Err(PathError::new("symlink_changed", &self.shown))
            }
            Ok(stat) => Ok(Some(file_stat(&stat))),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(PathError::system(&self.shown, error)),
        }
    }

    fn stat_root(&self) -> Result<Option<FileStat>, PathError> {
        let root = self.workspace.roots.get(self.real.root);
        let root = root.ok_or_else(|| PathError::new("outside_workspace", &self.shown))?;
        let stat = rustix::fs::fstat(&root.dir).map_err(|error| PathError::system(&self.shown, error))?;
        Ok(Some(file_stat(&stat)))
    }

    /// Fails with `too_large` above `max` bytes, and with `not_a_file` for anything but a file.
    pub fn read(&self, max: u64) -> Result<Vec<u8>, PathError> {
        self.check_links()?;
        let found = parent_of(&self.workspace, &self.real, Parents::Expect, &self.shown)?;
        let (dir, name) = found.ok_or_else(|| self.error_because("not_a_file", "it is a folder"))?;
        // Opening a device may have effects, so check the type first.
        self.check_regular(&dir, &name)?;
        let file = open_file(&dir, &name, OFlags::RDONLY, Mode::empty()).map_err(|error| self.system(error))?;
        let stat = rustix::fs::fstat(&file).map_err(|error| self.system(error.into()))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(self.error("not_a_file"));
        }
        let len = u64::try_from(stat.st_size).unwrap_or(0);
        if len > max {
            return Err(self.error_because("too_large", format!("it holds {len} bytes, {max} can be read")));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
        file.take(max.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| self.system(error))?;
        if bytes.len() as u64 > max {
            return Err(self.error_because("too_large", format!("it holds more than {max} bytes")));
        }
        Ok(bytes)
    }

    pub(super) fn check_regular(&self, dir: &cap_std::fs::Dir, name: &std::ffi::OsStr) -> Result<(), PathError> {
        let stat = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW);
        match FileType::from_raw_mode(stat.map_err(|error| self.system(error.into()))?.st_mode) {
            FileType::RegularFile => Ok(()),
            FileType::Symlink => Err(self.error("symlink_changed")),
            FileType::Directory => Err(self.error_because("not_a_file", "it is a folder")),
            _ => Err(self.error_because("not_a_file", "it is a pipe, a socket or a device")),
        }
    }

    /// Checks that all links on the way still lead to the same targets as when the path was resolved.
    pub(super) fn check_links(&self) -> Result<(), PathError> {
        let now = follow(&self.workspace, &self.named, &self.shown)?;
        if now == self.real {
            Ok(())
        } else {
            Err(self.error("symlink_changed"))
        }
    }

    /// Checks that tools may write to the given and the resolved location.
    pub(super) fn check_writable(&self, place: &RootPath) -> Result<(), PathError> {
        let root = self
            .workspace
            .roots
            .get(place.root)
            .ok_or_else(|| self.error("outside_workspace"))?;
        if matches!(root.access, Access::Read) {
            return Err(self.error("read_only"));
        }
        let absolute = root.path.join(&place.path);
        if self.workspace.protected.iter().any(|path| absolute.starts_with(path)) {
            return Err(self.error_because("protected", "it belongs to Benchdog"));
        }
        for name in place.path.components() {
            let name = name.as_os_str();
            if name.eq_ignore_ascii_case(".git") {
                return Err(self.error_because("protected", "it lies inside git's own folder"));
            }
            if name.eq_ignore_ascii_case(".benchdog") {
                return Err(self.error_because("protected", "it is Benchdog's configuration"));
            }
        }
        Ok(())
    }

    pub(super) fn error(&self, code: &'static str) -> PathError {
        PathError::new(code, &self.shown)
    }

    pub(super) fn error_because(&self, code: &'static str, reason: impl Into<String>) -> PathError {
        PathError::because(code, &self.shown, reason)
    }

    pub(super) fn system(&self, error: std::io::Error) -> PathError {
        PathError::system(&self.shown, error)
    }
}

fn absolute(workspace: &Workspace, root: usize, path: &Path) -> PathBuf {
    let start = workspace.roots.get(root).map_or(Path::new("/"), |root| &root.path);
    if path.as_os_str().is_empty() {
        start.to_path_buf()
    } else {
        start.join(path)
    }
}

fn file_stat(stat: &rustix::fs::Stat) -> FileStat {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Folder,
        _ => FileKind::Other,
    };
    FileStat {
        kind,
        len: u64::try_from(stat.st_size).unwrap_or(0),
        mode: stat.st_mode & 0o7777,
        modified: Time(stat.st_mtime * 1_000 + i64::try_from(stat.st_mtime_nsec).unwrap_or(0) / 1_000_000),
    }
}

impl std::fmt::Debug for WorkPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WorkPath").field(&self.shown).finish()
    }
}
