//! Hard links: a file that has a harmless name here and the name of a secret elsewhere.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::WorkPath;
use crate::security::secrets::is_secret_path;

/// Where people keep secrets, below their home folder.
const KEEPERS: &[&str] = &[
    "",
    ".ssh",
    ".aws",
    ".gnupg",
    ".kube",
    ".docker",
    ".azure",
    ".config",
    ".config/gh",
    ".config/gcloud",
];
/// Names looked at in one folder.
const MOST_NAMES: usize = 2_000;

/// Whether another name of this file, beside it, at a root or where people keep secrets, is that of a secret. Only a file with
/// several names is looked for; names in other folders are not found.
pub(super) fn is_secret_elsewhere(path: &WorkPath) -> bool {
    let absolute = path.absolute();
    let Ok(meta) = std::fs::symlink_metadata(&absolute) else {
        return false;
    };
    if !meta.is_file() || meta.nlink() < 2 {
        return false;
    }
    let home = path.workspace.home.iter();
    let keepers = home.flat_map(|home| KEEPERS.iter().map(|folder| home.join(folder)));
    let roots = path.workspace.roots.iter().map(|root| root.path.clone());
    let beside = absolute.parent().map(Path::to_path_buf);
    let mut folders = beside.into_iter().chain(roots).chain(keepers);
    folders.any(|folder: PathBuf| holds_secret_name(&folder, (meta.dev(), meta.ino())))
}

fn holds_secret_name(folder: &Path, file: (u64, u64)) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().take(MOST_NAMES).any(|entry| {
        let path = entry.path();
        is_secret_path(&path) && std::fs::symlink_metadata(&path).is_ok_and(|meta| (meta.dev(), meta.ino()) == file)
    })
}
