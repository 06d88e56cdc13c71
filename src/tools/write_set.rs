//! Writing of several files, completely or not at all.

use std::path::PathBuf;
use std::sync::Arc;

/// Writes a set of files. Even after a kill during the write, either all files are written in the end or none.
pub trait WriteSet: Send + Sync {
    /// Writes nothing if any file differs from its expected content.
    fn write(&self, files: Vec<SetFile>) -> Result<(), NotWritten>;
}

#[derive(Debug)]
pub struct NotWritten {
    /// The code of the tool error: `conflict`, `no_access`, `no_room`, `outside_workspace` or `io`.
    pub code: &'static str,
    /// One sentence, without its full stop.
    pub text: String,
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
