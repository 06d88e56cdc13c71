//! Placeholders in a workspace while a confined child runs. To protect a missing path, something must be mounted there,
//! and a mount needs an existing target. Placeholders are removed when the child ends. The next start of Benchdog
//! removes the placeholders of a killed Benchdog.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use benchdog_domain::confinement::{ITSELF, Stand};

/// File in the sandbox folder of a running Benchdog that lists the placeholders, one on each line.
const LIST: &str = "laid";

/// A placeholder on disk. Drop removes it, unless somebody changed it.
#[derive(Debug)]
pub struct Placeholder {
    path: PathBuf,
}

impl Placeholder {
    /// Creates a placeholder and records it in the folder `own`. `None` if the name exists or cannot be created.
    pub(super) fn new(own: &Path, path: &Path, stand: Stand) -> Option<Self> {
        if path.symlink_metadata().is_ok() {
            return None;
        }
        record(own, path).ok()?;
        create(path, stand).ok()?;
        Some(Self {
            path: path.to_path_buf(),
        })
    }
}

impl Drop for Placeholder {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes all placeholders that an ended Benchdog listed in its folder `own`.
pub(super) fn remove_placeholders(own: &Path) {
    let list = fs::read(own.join(LIST)).unwrap_or_default();
    let names = list.split(|byte| *byte == b'\0').filter(|name| !name.is_empty());
    names.for_each(|name| remove(&PathBuf::from(std::ffi::OsString::from_vec(name.to_vec()))));
}

fn record(own: &Path, path: &Path) -> io::Result<()> {
    let mut list = OpenOptions::new().append(true).create(true).open(own.join(LIST))?;
    list.write_all(&[path.as_os_str().as_bytes(), b"\0"].concat())
}

fn create(path: &Path, stand: Stand) -> io::Result<()> {
    match stand {
        Stand::Folder => DirBuilder::new().mode(0o755).create(path),
        Stand::File(text) => {
            let mut file: File = OpenOptions::new().write(true).create_new(true).mode(0o644).open(path)?;
            file.write_all(text.as_bytes())
        }
    }
}

fn remove(path: &Path) {
    if is_placeholder(path) {
        let _ = fs::remove_dir(path).or_else(|_| fs::remove_file(path));
    }
}

/// Whether the file or folder at this path is a placeholder, or has the same content as one.
pub fn is_placeholder(path: &Path) -> bool {
    let Ok(found) = path.symlink_metadata() else {
        return false;
    };
    if found.is_dir() {
        return fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    }
    let is_untouched = |text: Vec<u8>| text.is_empty() || text == ITSELF.as_bytes();
    found.is_file() && found.len() < 8 && fs::read(path).is_ok_and(is_untouched)
}

#[cfg(test)]
mod tests;
