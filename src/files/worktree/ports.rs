//! Port offsets of the worktrees of a repository: a file `.port-N` beside them holds the name of the worktree with that offset.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

/// Distance of two offsets, so that a program may use several ports.
const STEP: u32 = 10;
/// Highest offset. Ports end at 65,535.
const LAST: u32 = 10_000;
/// Longest name that is read.
const LONGEST: u64 = 1_000;

/// Returns the number for the ports of programs in this folder: 0, or that of the worktree.
pub fn port_offset(root: &Path) -> u32 {
    // Only in linked worktrees it is a file.
    if !root.join(".git").is_file() {
        return 0;
    }
    let (Some(kept), Some(name)) = (root.parent(), root.file_name().and_then(|name| name.to_str())) else {
        return 0;
    };
    offsets()
        .find(|offset| holder(kept, *offset).is_some_and(|holder| holder == name))
        .unwrap_or(0)
}

/// Gives a worktree the lowest free offset, unless it has one. An offset is free if its worktree is gone.
pub(super) fn assign(kept: &Path, name: &str) {
    if port_offset(&kept.join(name)) > 0 {
        return;
    }
    for offset in offsets() {
        let slot = slot(kept, offset);
        if holder(kept, offset).is_some_and(|holder| !kept.join(holder).exists()) {
            let _ = fs::remove_file(&slot);
        }
        // Another process may have taken it meanwhile.
        if let Ok(mut file) = File::create_new(&slot) {
            let _ = file.write_all(name.as_bytes());
            return;
        }
    }
}

fn offsets() -> impl Iterator<Item = u32> {
    (1..=LAST / STEP).map(|number| number * STEP)
}

fn slot(kept: &Path, offset: u32) -> std::path::PathBuf {
    kept.join(format!(".port-{offset}"))
}

fn holder(kept: &Path, offset: u32) -> Option<String> {
    let mut name = String::new();
    let file = File::open(slot(kept, offset)).ok()?;
    file.take(LONGEST).read_to_string(&mut name).ok()?;
    Some(name).filter(|name| !name.is_empty())
}
