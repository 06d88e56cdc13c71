//! Marks of new worktrees: a file `.new-NAME` beside a worktree whose setup has not begun.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

pub(super) fn note_new(kept: &Path, name: &str) {
    // Without the mark, there is no setup.
    let _ = File::create(kept.join(mark(name)));
}

/// Whether Benchdog made this worktree, and `set_up` was not called for it.
pub fn is_to_be_set_up(root: &Path) -> bool {
    mark_of(root).is_some_and(|mark| mark.exists())
}

/// The setup of the worktree begins. It runs once, also if it fails.
pub fn set_up(root: &Path) {
    let _ = mark_of(root).map(fs::remove_file);
}

fn mark_of(root: &Path) -> Option<PathBuf> {
    Some(root.parent()?.join(mark(root.file_name()?.to_str()?)))
}

fn mark(name: &str) -> String {
    format!(".new-{name}")
}
