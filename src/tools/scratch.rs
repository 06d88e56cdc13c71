//! Scratch folder of a session, `data/scratch/SESSION`, for temporary files without approval. The folder is private,
//! and is deleted with the session.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use benchdog_base::clock::Time;
use benchdog_base::id::SessionId;
use benchdog_security::workspace::lock_unused;

/// Maximum total bytes that file tools may write to the folder. Commands have no limit.
pub const MOST: u64 = 256 << 20;
/// Days until an unused folder is deleted.
pub const DAYS: u64 = 30;

/// Maximum number of examined names. A folder with more names counts as full and recently used.
const MOST_NAMES: usize = 20_000;

const ALL: &str = "scratch";

#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    below: PathBuf,
}

impl Scratch {
    pub fn of(data: &Path, session: &SessionId) -> io::Result<Self> {
        let below = below(session).ok_or(io::ErrorKind::InvalidInput)?;
        let path = std::path::absolute(data)?.join(&below);
        DirBuilder::new().recursive(true).mode(0o700).create(&path)?;
        Ok(Self { path, below })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn below(&self) -> &Path {
        &self.below
    }

    /// Deletes an empty folder when the session closes.
    pub fn leave(&self) {
        let _ = fs::remove_dir(&self.path);
    }
}

fn below(session: &SessionId) -> Option<PathBuf> {
    let mut parts = Path::new(&session.0).components();
    let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    is_name.then(|| Path::new(ALL).join(&session.0))
}

pub fn forget(data: &Path, session: &SessionId) {
    if let Some(below) = below(session) {
        // For a symbolic link, delete only the link.
        let path = data.join(below);
        let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
    }
}

pub fn remove_left(data: &Path) {
    let most = i64::try_from(DAYS * 86_400).unwrap_or(i64::MAX);
    remove_older(data, (Time::now().0 / 1_000).saturating_sub(most));
}

fn remove_older(data: &Path, oldest: i64) {
    for item in fs::read_dir(data.join(ALL)).into_iter().flatten().flatten() {
        let path = item.path();
        if let Some(_held) = lock_unused(&path)
            && is_older(&path, oldest)
        {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Whether the last change of the folder and its content was before `oldest`, in seconds since 1970.
fn is_older(path: &Path, oldest: i64) -> bool {
    let old = |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| found.mtime().max(found.ctime()) < oldest);
    let mut names = 0;
    let mut open = vec![path.to_path_buf()];
    while let Some(folder) = open.pop() {
        if !old(&folder) {
            return false;
        }
        for item in fs::read_dir(&folder).into_iter().flatten().flatten() {
            names += 1;
            let is_folder = item.file_type().is_ok_and(|kind| kind.is_dir());
            if names > MOST_NAMES || !old(&item.path()) {
                return false;
            }
            open.extend(is_folder.then(|| item.path()));
        }
    }
    true
}

pub(super) fn has_room(path: &Path, more: u64) -> bool {
    let mut open = vec![path.to_path_buf()];
    let (mut bytes, mut names) = (more, 0);
    while let Some(folder) = open.pop() {
        for item in fs::read_dir(&folder).into_iter().flatten().flatten() {
            names += 1;
            let Ok(found) = item.metadata() else { continue };
            if found.is_dir() {
                open.push(item.path());
            } else {
                bytes = bytes.saturating_add(found.len());
            }
            if bytes > MOST || names > MOST_NAMES {
                return false;
            }
        }
    }
    bytes <= MOST
}

#[cfg(test)]
mod tests;
