//! Writing of several files, completely or not at all.

use std::path::PathBuf;
use std::sync::Arc;

/// Writes a set of files so that a kill in between leaves all of them or none.
pub trait WriteSet: Send + Sync {
    /// Writes the set. Refuses all of it if a file is not as expected. The error is one sentence.
    fn write(&self, files: Vec<SetFile>) -> Result<(), String>;
}

pub struct SetFile {
    /// Absolute path, without symbolic links.
    pub path: PathBuf,
    /// The expected content. `None` if the file must not exist.
    pub before: Option<FileImage>,
    /// The new content. `None` removes the file.
    pub after: Option<FileImage>,
}

pub struct FileImage {
    pub bytes: Arc<[u8]>,
    pub mode: u32,
}
