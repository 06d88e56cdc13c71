//! The folders that tools may access, and paths that cannot leave them. Files are opened beneath a directory handle,
//! name by name and without following links. So `..`, links and races cannot lead elsewhere.

mod attributes;
mod buffers;
mod error;
mod links;
mod open;
mod path;
mod pending;
mod resolve;
mod scratch;
mod world;
mod write;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use benchdog_base::charset::Charset;
use buffers::Guarded;
pub use buffers::{Buffer, Buffers, Reply, Unanswered};
pub use error::PathError;
pub use path::{FileKind, WorkPath};
use scratch::Made;
pub use scratch::lock_unused;
pub(crate) use world::WorkspaceWorld;

/// The workspace, added roots, read-only folders, and a scratch folder for temporary files.
#[derive(Clone)]
pub struct Workspace {
    roots: Arc<[Arc<Root>]>,
    /// Absolute paths whose content tools must not write.
    protected: Arc<[PathBuf]>,
    home: Option<Arc<Path>>,
    /// Folder with notes about unfinished writes.
    notes: Option<Arc<Path>>,
    /// Encoding of texts that are not UTF-8.
    charset: Option<Charset>,
    buffers: Option<Guarded>,
}

struct Root {
    path: PathBuf,
    /// The absolute path as configured. Differs from `path` if the configured path contains a link.
    named: PathBuf,
    dir: Dir,
    access: Access,
}

#[derive(Debug)]
enum Access {
    Write,
    Read,
    /// A scratch folder. Files that tools created in the folder may be written again without approval.
    Scratch(Made),
}

impl Workspace {
    /// Opens the folder handles. `root` and `added` must be folders. A missing folder of `readable` is skipped.
    pub fn open(root: &Path, added: &[PathBuf], readable: &[PathBuf]) -> Result<Self, PathError> {
        let mut roots = vec![Root::open(root, Access::Write)?];
        for path in added {
            roots.push(Root::open(path, Access::Write)?);
        }
        roots.extend(readable.iter().filter_map(|path| Root::open(path, Access::Read).ok()));
        Ok(Self {
            roots: roots.into_iter().map(Arc::new).collect(),
            protected: Arc::new([]),
            home: None,
            notes: None,
            charset: None,
            buffers: None,
        })
    }

    pub fn with_charset(self, charset: Option<Charset>) -> Self {
        Self { charset, ..self }
    }

    /// Returns the absolute and canonical path of the workspace.
    pub fn root(&self) -> &Path {
        self.roots.first().map_or(Path::new("/"), |root| &root.path)
    }

    /// Returns the writable folders, the workspace first. Absolute and canonical.
    pub fn writable_roots(&self) -> impl Iterator<Item = &Path> {
        let writable = self.roots.iter().filter(|root| !matches!(root.access, Access::Read));
        writable.map(|root| root.path.as_path())
    }

    /// Adds a scratch folder at `below` inside `data`. The folder stays in use while a copy of the workspace exists.
    pub fn with_scratch(&self, data: &Path, below: &Path) -> Result<Self, PathError> {
        let scratch = Arc::new(scratch::open(data, below)?);
        let with = Self {
            roots: self.roots.iter().cloned().chain([scratch]).collect(),
            ..self.clone()
        };
        if let Some(notes) = &with.notes {
            pending::remove_left(&with, notes);
        }
        Ok(with)
    }

    /// Resolves a path, which need not exist. Relative paths start at the workspace. `~` is an ordinary name.
    pub fn resolve(&self, text: &str) -> Result<WorkPath, PathError> {
        resolve::resolve(self, text)
    }

    /// Forbids tools to write a file, or a folder with its content, under any of its names.
    pub fn protect(&mut self, path: PathBuf) {
        let canonical = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let mut all = self.protected.to_vec();
        all.extend([path, canonical]);
        self.protected = all.into();
    }

    /// Sets the person's home folder. A hard link to a secret file there also counts as secret.
    pub fn know_home(&mut self, home: &Path) {
        self.home = Some(home.into());
    }

    /// Sets the folder for notes about unfinished writes. Removes temporary files that killed writes left.
    pub fn note_writes(&mut self, folder: &Path) {
        self.notes = Some(folder.into());
        pending::remove_left(self, folder);
    }

    pub(crate) fn world(&self, folder: &str) -> WorkspaceWorld {
        WorkspaceWorld::new(self.clone(), folder)
    }
}

impl Root {
    fn open(path: &Path, access: Access) -> Result<Self, PathError> {
        let shown = path.to_string_lossy();
        let canonical = std::fs::canonicalize(path).map_err(|error| PathError::system(&shown, error))?;
        let named = std::path::absolute(path).map_err(|error| PathError::system(&shown, error))?;
        if !canonical.is_dir() {
            return Err(PathError::because("not_a_folder", &shown, "it is not a folder"));
        }
        let dir =
            Dir::open_ambient_dir(&canonical, ambient_authority()).map_err(|error| PathError::system(&shown, error))?;
        Ok(Self {
            path: canonical,
            named,
            dir,
            access,
        })
    }
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.roots.iter().map(|root| &root.path))
            .finish()
    }
}
