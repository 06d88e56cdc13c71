//! Private copies of task folders. Links and special files are refused, because they lead out of the copy.

use std::fs;
use std::path::Path;

use super::trouble::RunError;

const MOST_FILES: u64 = 50_000;
const MOST_BYTES: u64 = 1 << 30;
/// The maximum depth of folders that are copied.
const DEEPEST: u32 = 64;

/// Copies a folder with its permissions. The target must not exist.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), RunError> {
    let mut copied = CopyCount::default();
    copied.folder(from, from, to, 0)
}

#[derive(Default)]
struct CopyCount {
    files: u64,
    bytes: u64,
}

impl CopyCount {
    fn folder(&mut self, whole: &Path, from: &Path, to: &Path, depth: u32) -> Result<(), RunError> {
        fs::create_dir(to).map_err(RunError::at(to))?;
        for entry in fs::read_dir(from).map_err(RunError::at(from))? {
            let entry = entry.map_err(RunError::at(from))?;
            let (path, target) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type().map_err(RunError::at(&path))?;
            self.files += 1;
            if kind.is_dir() {
                self.allow(whole, depth)?;
                self.folder(whole, &path, &target, depth + 1)?;
            } else if kind.is_file() {
                self.bytes += entry.metadata().map_err(RunError::at(&path))?.len();
                self.allow(whole, depth)?;
                fs::copy(&path, &target).map_err(RunError::at(&path))?;
            } else {
                return Err(RunError::Special(path));
            }
        }
        Ok(())
    }

    fn allow(&self, whole: &Path, depth: u32) -> Result<(), RunError> {
        if self.files > MOST_FILES || self.bytes > MOST_BYTES || depth >= DEEPEST {
            let folder = whole.to_path_buf();
            return Err(RunError::Large {
                folder,
                most: MOST_FILES,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
