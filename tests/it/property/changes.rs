//! Finds the changes in an overlay's upper layer.

use std::fs::Metadata;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    New,
    Removed,
    Content,
    Longer,
    Mode,
    Owner,
    Time,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub what: What,
    /// Path relative to the folder around the project.
    pub path: String,
}

pub fn between(lower: &Path, upper: &Path) -> std::io::Result<Vec<Change>> {
    let mut found = Vec::new();
    walk(lower, upper, Path::new(""), &mut found)?;
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

fn walk(lower: &Path, upper: &Path, folder: &Path, found: &mut Vec<Change>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(upper.join(folder))? {
        let path = folder.join(entry?.file_name());
        let (below, above) = (lower.join(&path), upper.join(&path));
        let (old, new) = (below.symlink_metadata().ok(), above.symlink_metadata()?);
        let mut add = |what, path: &Path| {
            let path = path.to_string_lossy().into_owned();
            found.push(Change { what, path });
        };
        // A device with number 0 marks a deleted file.
        let whiteout = new.file_type().is_char_device() && new.rdev() == 0;
        let Some(old) = old else {
            if !whiteout {
                add(What::New, &path);
            }
            continue;
        };
        if whiteout {
            add(What::Removed, &path);
            continue;
        }
        if old.is_dir() && new.is_dir() {
            if old.mode() != new.mode() {
                add(What::Mode, &path);
            }
            if is_opaque(&above) {
                for name in std::fs::read_dir(&below)?.flatten() {
                    if above.join(name.file_name()).symlink_metadata().is_err() {
                        add(What::Removed, &path.join(name.file_name()));
                    }
                }
            }
            walk(lower, upper, &path, found)?;
            continue;
        }
        if let Some(what) = difference((&below, &old), (&above, &new)) {
            add(what, &path);
        }
    }
    Ok(())
}

fn difference(old: (&Path, &Metadata), new: (&Path, &Metadata)) -> Option<What> {
    let (before, after) = (content(old), content(new));
    if before != after {
        let longer = old.1.is_file() && new.1.is_file() && after.starts_with(&before);
        return Some(if longer { What::Longer } else { What::Content });
    }
    let owner = |of: &Metadata| (of.uid(), of.gid());
    let time = |of: &Metadata| (of.mtime(), of.mtime_nsec());
    match (old.1, new.1) {
        (old, new) if old.mode() != new.mode() => Some(What::Mode),
        (old, new) if owner(old) != owner(new) => Some(What::Owner),
        (old, new) if time(old) != time(new) => Some(What::Time),
        _ => None,
    }
}

fn content((path, data): (&Path, &Metadata)) -> Vec<u8> {
    if data.is_file() {
        std::fs::read(path).unwrap_or_default()
    } else {
        let target = std::fs::read_link(path).unwrap_or_default();
        format!("{:?} {}", data.file_type(), target.display()).into_bytes()
    }
}

/// A folder that was removed and created again hides everything below it.
fn is_opaque(path: &Path) -> bool {
    let mut value = [0_u8; 1];
    let length = rustix::fs::getxattr(path, "user.overlay.opaque", &mut value[..]);
    length.is_ok_and(|length| length == 1) && value == *b"y"
}
