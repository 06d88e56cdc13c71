//! Sizes and garbage collection of all stores in a data folder.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use crate::checkpoints::{Checkpoints, FOLDER};
use crate::error::CheckpointError;
use crate::limits::Limits;
use crate::restore;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreSize {
    pub root: PathBuf,
    pub bytes: u64,
    folder: PathBuf,
}

#[derive(Debug)]
pub struct StoreGc {
    pub root: PathBuf,
    pub before: u64,
    pub after: u64,
    /// Whether nothing was removed, because another process uses the store or a restore must be finished first.
    pub is_busy: bool,
    pub error: Option<CheckpointError>,
}

/// Lists the stores, the largest first. Reads no contents.
pub fn stores(data: &Path) -> Vec<StoreSize> {
    let Ok(folders) = fs::read_dir(data.join(FOLDER)) else {
        return Vec::new();
    };
    let store = |folder: PathBuf| {
        // Skip symbolic links, because Benchdog creates no links in this folder.
        let is_folder = fs::symlink_metadata(&folder).is_ok_and(|about| about.is_dir());
        let root = fs::read(folder.join("root")).ok().filter(|_| is_folder)?;
        Some(StoreSize {
            root: PathBuf::from(OsString::from_vec(root)),
            bytes: size_of(&folder),
            folder,
        })
    };
    let mut stores: Vec<StoreSize> = folders.flatten().filter_map(|entry| store(entry.path())).collect();
    stores.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.root.cmp(&b.root)));
    stores
}

/// Removes checkpoints that no session needs, except those of the last hour. Also removes the stores of deleted
/// workspace folders.
pub fn gc_all(data: &Path, limits: Limits) -> Vec<StoreGc> {
    stores(data).into_iter().map(|store| gc(data, store, limits)).collect()
}

fn gc(data: &Path, store: StoreSize, limits: Limits) -> StoreGc {
    let mut result = StoreGc {
        root: store.root,
        before: store.bytes,
        after: store.bytes,
        is_busy: restore::is_interrupted(&store.folder),
        error: None,
    };
    if result.is_busy {
        return result;
    }
    let done = match fs::symlink_metadata(&result.root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => remove(&store.folder),
        _ => Checkpoints::open_unrecovered(data, &result.root, limits).and_then(|opened| {
            let collected = opened.gc(&[])?;
            result.is_busy = collected.is_busy;
            Ok(())
        }),
    };
    result.error = done.err();
    result.after = size_of(&store.folder);
    result
}

/// Removes the store of a workspace root that no longer exists. No other process can use such a store.
fn remove(folder: &Path) -> Result<(), CheckpointError> {
    fs::remove_dir_all(folder).map_err(CheckpointError::io("remove", folder))
}

/// Adds up the sizes of the files in the store and in `packs`. A store has no other folders.
fn size_of(folder: &Path) -> u64 {
    let files = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let files = entries.filter_map(|entry| entry.metadata().ok().filter(fs::Metadata::is_file));
        files.map(|about| about.len()).sum::<u64>()
    };
    files(folder) + files(&folder.join("packs"))
}

#[cfg(test)]
mod tests;
