//! Marks of new worktrees. A file `.new-NAME` next to a worktree means that its setup command has not started.

use std::fs::{self, File};
use std::path::Path;

pub(super) fn mark_new(kept: &Path, name: &str) {
    // Ignore the error: without the mark, the setup does not run.
    let _ = File::create(kept.join(mark(name)));
}

/// Removes the mark of a worktree, and returns whether it existed. So the setup runs only once, even if it fails.
pub fn take_new_mark(root: &Path) -> bool {
    let (Some(kept), Some(name)) = (root.parent(), root.file_name().and_then(|name| name.to_str())) else {
        return false;
    };
    fs::remove_file(kept.join(mark(name))).is_ok()
}

fn mark(name: &str) -> String {
    format!(".new-{name}")
}
