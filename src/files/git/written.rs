//! Tells whether git wrote a file.

use std::path::{Path, PathBuf};

use super::{Git, PATIENCE, top};

/// Whether git has stored this content of a file: in the index, a commit or a stash. Returns `false` without a
/// repository. Content that a person has just saved is usually not in git.
pub fn is_stored(file: &Path, content: Vec<u8>) -> bool {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name().and_then(|name| name.to_str())) else {
        return false;
    };
    if top(folder).is_none() {
        return false;
    }
    let git = Git::at(folder).with_timeout(PATIENCE).without_filters();
    let path = format!("--path={name}");
    let Ok(id) = git.query_with_input(&["hash-object", "--stdin", &path], content) else {
        return false;
    };
    git.query(&["cat-file", "-e", String::from_utf8_lossy(&id).trim()])
        .is_ok()
}

/// Returns the path of the lock that git holds while it changes the index, or `None` without a repository.
pub fn index_lock(root: &Path) -> Option<PathBuf> {
    top(root)?;
    let asked = ["rev-parse", "--git-path", "index.lock"];
    let said = Git::at(root).with_timeout(PATIENCE).query(&asked).ok()?;
    Some(root.join(String::from_utf8_lossy(&said).trim_end()))
}

#[cfg(test)]
mod tests;
