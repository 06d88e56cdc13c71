//! The private folder for sockets and status files.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::DetachedError;

/// Maximum path length of a Unix socket without the final zero byte: 107 on Linux, 103 on other systems.
const LONGEST_PATH: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// Creates the folder if it is missing, and checks that nobody else can change it.
pub fn ready(folder: &Path) -> Result<(), DetachedError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    if let Err(error) = made
        && error.kind() != io::ErrorKind::AlreadyExists
    {
        return Err(unusable(folder, error));
    }
    check(folder)
}

/// Checks that the folder is a real folder of this user, without access for others.
pub fn check(folder: &Path) -> Result<(), DetachedError> {
    let found = fs::symlink_metadata(folder).map_err(|error| unusable(folder, error))?;
    let why = if !found.is_dir() {
        "it is not a folder"
    } else if found.uid() != rustix::process::getuid().as_raw() {
        "it belongs to another user"
    } else if found.permissions().mode() & 0o077 != 0 {
        "others may enter it"
    } else {
        return Ok(());
    };
    let folder = folder.display().to_string();
    Err(DetachedError::Unsafe { folder, why })
}

/// Returns the files of the folder after checking it. A missing folder has none.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, DetachedError> {
    match check(folder) {
        Err(DetachedError::Folder { error, .. }) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        checked => checked?,
    }
    let files = fs::read_dir(folder).map_err(|error| unusable(folder, error))?;
    Ok(files.flatten().map(|entry| entry.path()).collect())
}

fn unusable(folder: &Path, error: io::Error) -> DetachedError {
    let folder = folder.display().to_string();
    DetachedError::Folder { folder, error }
}

/// Whether a host can have this name. Such a name never leads out of the folder.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

pub fn socket(folder: &Path, name: &str) -> Result<PathBuf, DetachedError> {
    if !is_name(name) {
        let name = name.to_owned();
        return Err(DetachedError::BadName { name });
    }
    let path = folder.join(format!("{name}.sock"));
    if path.as_os_str().len() > LONGEST_PATH {
        let path = path.display().to_string();
        return Err(DetachedError::TooLong { path });
    }
    Ok(path)
}

#[cfg(test)]
mod tests;
