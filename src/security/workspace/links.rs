//! Recognises a file whose hard link elsewhere has the name of a secret.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::WorkPath;
use crate::hidden::in_homes;
use crate::secrets::is_secret_path;

const MOST_NAMES: usize = 2_000;

/// Whether another hard link has the name of a secret. Searches the file's folder, the roots, and usual folders of
/// secrets.
pub(super) fn is_secret_elsewhere(path: &WorkPath) -> bool {
    let absolute = path.absolute();
    let Ok(meta) = std::fs::symlink_metadata(&absolute) else {
        return false;
    };
    if !meta.is_file() || meta.nlink() < 2 {
        return false;
    }
    let file = (meta.dev(), meta.ino());
    let roots = path.workspace.roots.iter().map(|root| root.path.clone());
    let beside = absolute.parent().map(Path::to_path_buf);
    let mut folders = beside.into_iter().chain(roots);
    let home = path.workspace.home.as_deref();
    folders.any(|folder| holds(&folder, file, is_secret_path))
        || home.is_some_and(|home| {
            let secrets = in_homes(Some(home));
            secrets
                .iter()
                .any(|secret| is_file(secret, file) || holds(secret, file, |_| true))
        })
}

fn holds(folder: &Path, file: (u64, u64), counts: fn(&Path) -> bool) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths = entries.take(MOST_NAMES).map(|entry| entry.path());
    paths.any(|path| counts(&path) && is_file(&path, file))
}

fn is_file(path: &Path, file: (u64, u64)) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| (meta.dev(), meta.ino()) == file)
}
