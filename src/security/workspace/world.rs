//! Disk queries of the shell analysis. Changes nothing.

use std::path::{Path, PathBuf};

use super::{FileKind, Workspace};
use crate::shell::World;

const SCRIPT_BYTES: u64 = 64 * 1024;
/// Maximum number of names that are listed for `*` and `?`.
const MAX_NAMES: usize = 2_000;

pub(crate) struct WorkspaceWorld {
    workspace: Workspace,
    folder: PathBuf,
}

impl WorkspaceWorld {
    pub(super) fn new(workspace: Workspace, folder: &str) -> Self {
        let folder = workspace.root().join(folder);
        Self { workspace, folder }
    }
}

impl World for WorkspaceWorld {
    /// Includes paths outside the roots, because the shell can write there.
    fn exists(&self, path: &str) -> bool {
        !path.contains('\0') && std::fs::symlink_metadata(self.folder.join(path)).is_ok()
    }

    fn is_folder(&self, path: &str) -> bool {
        !path.contains('\0') && std::fs::metadata(self.folder.join(path)).is_ok_and(|meta| meta.is_dir())
    }

    fn read_small(&self, path: &str) -> Option<String> {
        let absolute = self.folder.join(path);
        let path = self.workspace.resolve(absolute.to_str()?).ok()?;
        let stat = path.stat().ok()??;
        if stat.kind != FileKind::File || path.is_secret() {
            return None;
        }
        String::from_utf8(path.read(SCRIPT_BYTES).ok()?).ok()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let folder = if folder.is_empty() {
            Path::new(".")
        } else {
            Path::new(folder)
        };
        let Ok(entries) = std::fs::read_dir(self.folder.join(folder)) else {
            return Vec::new();
        };
        let names = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.take(MAX_NAMES).collect();
        names.sort();
        names
    }
}
