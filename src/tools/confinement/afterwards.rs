//! Checks the workspace after a confined command for new or changed files that programs outside the sandbox execute or
//! read as settings. Files that no diff shows are renamed, so that they have no effect. Other files are only reported.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::Sandbox;
use benchdog_children::confined::Placeholder;
use benchdog_security::git_folder;
use benchdog_security::hidden::Below;

/// Suffix for the names of renamed files. Git ignores names with this suffix.
const HELD_BACK: &str = ".held-back";

/// Maximum bytes of a file whose content is stored for restoring.
const MOST_KEPT: u64 = 64 * 1024;

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// Renamed files, each with its new name or the error of the rename.
    pub held_back: Vec<(PathBuf, Result<PathBuf, String>)>,
    pub stays: Vec<PathBuf>,
    pub too_many: bool,
}

#[derive(Debug)]
pub(super) struct Watch {
    pub(super) sandbox: Arc<Sandbox>,
    pub(super) roots: Vec<PathBuf>,
    pub(super) held: Vec<PathBuf>,
    pub(super) laid: Vec<Placeholder>,
    before: BTreeMap<PathBuf, Was>,
}

#[derive(Debug)]
struct Was {
    print: Print,
    text: Option<Vec<u8>>,
}

/// Metadata that changes with a file's content. Includes the change time (ctime), which programs cannot set.
type Print = (u64, u64, i64, i64, u64, u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obeyed {
    /// A file that git reads and no diff shows.
    Unseen,
    /// A file that other programs read and that a diff shows, because it is part of the project.
    Seen,
}

impl Watch {
    pub(super) fn new(
        sandbox: Arc<Sandbox>,
        held: Vec<PathBuf>,
        laid: Vec<Placeholder>,
        found: &[(PathBuf, Below)],
    ) -> Self {
        let mut watch = Self {
            sandbox,
            roots: found.iter().map(|(root, _)| root.clone()).collect(),
            held,
            laid,
            before: BTreeMap::new(),
        };
        for (path, obeyed) in names(found.iter().map(|(_, below)| below)).0 {
            if let Some(print) = print(&path).filter(|_| !watch.is_held(&path)) {
                let text = (obeyed == Obeyed::Unseen).then(|| small(&path)).flatten();
                watch.before.insert(path, Was { print, text });
            }
        }
        watch
    }

    /// Checks the workspace after all processes of the command have exited.
    pub(super) fn end(mut self) -> Found {
        self.laid.clear();
        let mut found = Found::default();
        let mut below = Vec::new();
        for root in &self.roots {
            let mut seen = self.sandbox.seen.lock().unwrap_or_else(PoisonError::into_inner);
            below.push(seen.by_name_below(root).unwrap_or_else(|_| {
                found.too_many = true;
                nearest(root)
            }));
        }
        let (names, git_folders) = names(below.iter());
        for (path, obeyed) in names {
            let Some(print) = print(&path).filter(|_| !self.is_held(&path)) else {
                continue;
            };
            let was = self.before.get(&path);
            if was.is_some_and(|was| was.print == print) {
                continue;
            }
            match obeyed {
                Obeyed::Seen => found.stays.push(path),
                Obeyed::Unseen if git_folder::is_harmless(&path) || git_folder::leads_to(&path, &git_folders) => {}
                Obeyed::Unseen => {
                    let now = hold_back(&path, was.and_then(|was| was.text.as_deref()));
                    found.held_back.push((path, now.map_err(|error| error.to_string())));
                }
            }
        }
        found
    }

    fn is_held(&self, path: &Path) -> bool {
        self.held.iter().any(|held| path.starts_with(held))
    }
}

/// Returns all files that programs outside the sandbox execute or read as settings, and all git folders.
fn names<'b>(all: impl Iterator<Item = &'b Below>) -> (Vec<(PathBuf, Obeyed)>, BTreeSet<PathBuf>) {
    let mut names = Vec::new();
    let mut folders = BTreeSet::new();
    for below in all {
        names.extend(below.obeyed.iter().map(|path| (path.clone(), Obeyed::Seen)));
        for git in &below.repositories {
            if git.is_dir() && !git.is_symlink() {
                folders.extend(git_folder::family(git));
            } else {
                names.push((git.clone(), Obeyed::Unseen));
            }
        }
    }
    let inside = folders.iter().flat_map(|git| git_folder::obeyed(git));
    names.extend(inside.map(|path| (path, Obeyed::Unseen)));
    (names, folders)
}

/// Returns the repositories that editors open automatically. This is the reduced check for a workspace with too many
/// folders.
fn nearest(root: &Path) -> Below {
    let trees = fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let git = trees.chain([root.to_path_buf()]).map(|tree| tree.join(".git"));
    Below {
        repositories: git.filter(|git| git.symlink_metadata().is_ok()).collect(),
        ..Below::default()
    }
}

fn print(path: &Path) -> Option<Print> {
    let found = path.symlink_metadata().ok()?;
    let time = (found.ctime(), found.ctime_nsec());
    Some((found.dev(), found.ino(), time.0, time.1, found.size(), found.mode()))
}

fn small(path: &Path) -> Option<Vec<u8>> {
    let found = path.symlink_metadata().ok()?;
    (found.is_file() && found.len() <= MOST_KEPT).then(|| fs::read(path).ok())?
}

fn hold_back(path: &Path, before: Option<&[u8]>) -> io::Result<PathBuf> {
    let name = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(HELD_BACK);
        if number > 0 {
            name.push(format!(".{number}"));
        }
        PathBuf::from(name)
    };
    let free = (0..1_000).map(name).find(|name| name.symlink_metadata().is_err());
    let free = free.ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(path, &free)?;
    if let Some(text) = before {
        fs::write(path, text)?;
        let mode = fs::metadata(&free)?.permissions();
        fs::set_permissions(path, mode)?;
    }
    Ok(free)
}
