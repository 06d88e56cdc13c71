//! Copies the ignored files that match `.worktreeinclude` into a new worktree.
//!
//! Copies only regular files, replaces no existing file, and follows no link.

use std::fs;
use std::path::{Component, Path};

use super::{git_in, query};

const INCLUDE: &str = ".worktreeinclude";
const MOST_FILES: usize = 10_000;
const MOST_BYTES: u64 = 1 << 30;

#[derive(Debug, Default)]
pub(super) struct Copied {
    pub(super) names: Vec<String>,
    /// Number of matching files that were not copied, because they exceed a limit, are not regular, or are unreadable.
    pub(super) omitted: u64,
}

impl Copied {
    /// Whether the file `ignored`, or a file in the folder `ignored`, was copied. A folder ends with a slash.
    pub(super) fn has(&self, ignored: &str) -> bool {
        let is_below = |name: &String| ignored.ends_with('/') && name.starts_with(ignored);
        self.names.iter().any(|name| name == ignored || is_below(name))
    }
}

pub(super) fn copy(top: &Path, to: &Path) -> Copied {
    let is_file = fs::symlink_metadata(top.join(INCLUDE)).is_ok_and(|meta| meta.is_file());
    if !is_file {
        return Copied::default();
    }
    let from = format!("--exclude-from={INCLUDE}");
    let matching = query(top, &["ls-files", "--others", "--ignored", &from, "-z"]).unwrap_or_default();
    // Exclude untracked files that git does not ignore, because they are work in progress.
    let ignored = git_in(top).query_with_input(&["check-ignore", "-z", "--stdin"], matching.into_bytes());
    let ignored = String::from_utf8_lossy(&ignored.unwrap_or_default()).into_owned();
    let mut copied = Copied::default();
    let mut bytes = 0;
    for name in ignored.split('\0').filter(|name| !name.is_empty()) {
        let size = fs::symlink_metadata(top.join(name)).ok().filter(|meta| meta.is_file());
        let fits = |size: &u64| copied.names.len() < MOST_FILES && bytes + size <= MOST_BYTES;
        match size.map(|meta| meta.len()).filter(fits) {
            Some(size) if copy_one(top, to, Path::new(name)).is_some() => {
                bytes += size;
                copied.names.push(name.to_owned());
            }
            _ => copied.omitted += 1,
        }
    }
    copied
}

fn copy_one(top: &Path, to: &Path, name: &Path) -> Option<()> {
    let mut folder = to.to_owned();
    for part in name.parent()?.components() {
        let Component::Normal(part) = part else { return None };
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(meta) if meta.is_dir() => {}
            // A link that the commit contains may lead out of the worktree.
            Ok(_) => return None,
            Err(_) => fs::create_dir(&folder).ok()?,
        }
    }
    let place = folder.join(name.file_name()?);
    if fs::symlink_metadata(&place).is_ok() {
        return None;
    }
    fs::copy(top.join(name), place).ok().map(drop)
}
