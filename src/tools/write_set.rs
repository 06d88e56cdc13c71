//! Writing of several files, completely or not at all.

use std::path::PathBuf;
use std::sync::Arc;

/// Writes a set of files so that a kill in between leaves all of them or none.
pub trait WriteSet: Send + Sync {
    /// Refuses the whole set if a file is not as expected. The error says so in one sentence.
    fn write(&self, files: Vec<SetFile>) -> Result<(), String>;
}

pub struct SetFile {
    /// Absolute, without links.
    pub path: PathBuf,
    /// `None` if there must be no file.
    pub before: Option<FileImage>,
    /// `None` to remove the file.
    pub after: Option<FileImage>,
}

pub struct FileImage {
    pub bytes: Arc<[u8]>,
    pub mode: u32,
}
