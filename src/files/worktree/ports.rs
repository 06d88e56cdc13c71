//! Port offsets of the worktrees of a repository. A file `.port-N` next to the worktrees names the worktree with the
//! offset N.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

/// Distance between two offsets, so that a worktree's programs can use several ports.
const STEP: u32 = 10;
/// Highest offset, limited because the highest port is 65,535.
const LAST: u32 = 10_000;
/// Maximum bytes of a worktree's name in such a file.
const LONGEST: u64 = 1_000;

/// Returns the offset that programs in this folder add to their ports. Returns 0 outside a worktree.
pub fn port_offset(root: &Path) -> u32 {
    // `.git` is a file only in linked worktrees.
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

/// Reserves the lowest free offset for a worktree that has no offset. The offset of a removed worktree is free.
pub(super) fn assign(kept: &Path, name: &str) {
    if port_offset(&kept.join(name)) > 0 {
        return;
    }
    for offset in offsets() {
        let slot = slot(kept, offset);
        if holder(kept, offset).is_some_and(|holder| !kept.join(holder).exists()) {
            let _ = fs::remove_file(&slot);
        }
        // Another process may have taken the offset meanwhile.
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
