//! Marks of new worktrees: a file `.new-NAME` beside a worktree whose setup has not begun.

use std::fs::{self, File};
use std::path::Path;

pub(super) fn mark_new(kept: &Path, name: &str) {
    // Without the mark, there is no setup.
    let _ = File::create(kept.join(mark(name)));
}

/// Removes the mark of a worktree. Returns whether there was one, so that its setup runs once, also if it fails.
pub fn take_new_mark(root: &Path) -> bool {
    let (Some(kept), Some(name)) = (root.parent(), root.file_name().and_then(|name| name.to_str())) else {
        return false;
    };
    fs::remove_file(kept.join(mark(name))).is_ok()
}

fn mark(name: &str) -> String {
    format!(".new-{name}")
}
