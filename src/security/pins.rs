//! Checks before each start of a configured command that its program files still have the trusted content.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::trust::MAX_BYTES;
use benchdog_base::id::BlobId;
use benchdog_domain::pin::{Differs, Pin, Pinned};

/// Checks that the pinned files have the trusted content. May block.
pub fn same(root: &Path, pinned: &[Pinned]) -> Result<(), Differs> {
    for Pinned { file, was } in pinned {
        let is_same = match was {
            Pin::Unknown(error) => {
                let (file, error) = (file.clone(), error.clone());
                return Err(Differs::Unknown { file, error });
            }
            Pin::Names(names) => files_below(&root.join(file)).is_some_and(|now| listing(&now) == *names),
            Pin::Absent => !std::fs::metadata(root.join(file)).is_ok_and(|meta| !meta.is_dir()),
            Pin::Bytes(bytes) => now(&root.join(file)).is_some_and(|now| BlobId::of(&now) == *bytes),
        };
        if !is_same {
            return Err(Differs::Changed { file: file.clone() });
        }
    }
    Ok(())
}

const MOST_FILES: usize = 300;

/// Returns the sorted relative paths of the files below a folder. Empty if the folder does not exist. `None` if there
/// are too many files, or if a file is unreadable. Ignores files that Python compiled.
pub fn files_below(folder: &Path) -> Option<Vec<String>> {
    let (mut open, mut found) = (vec![String::new()], Vec::new());
    while let Some(inside) = open.pop() {
        let entries = match std::fs::read_dir(folder.join(&inside)) {
            Err(error) if inside.is_empty() && is_no_folder(&error) => return Some(found),
            entries => entries.ok()?,
        };
        for entry in entries {
            let entry = entry.ok()?;
            let name = format!("{inside}{}", entry.file_name().to_str()?);
            if !entry.file_type().ok()?.is_dir() {
                found.push(name);
            } else if !name.ends_with("__pycache__") {
                open.push(format!("{name}/"));
            }
            if found.len() + open.len() > MOST_FILES {
                return None;
            }
        }
    }
    found.sort_unstable();
    Some(found)
}

fn is_no_folder(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

pub fn listing(names: &[String]) -> BlobId {
    BlobId::of(names.join("\0").as_bytes())
}

/// `None` if the file is not regular or exceeds the limit, even if it grows during the read.
fn now(file: &Path) -> Option<Vec<u8>> {
    // Opening a pipe or a device could block.
    if !std::fs::metadata(file).is_ok_and(|meta| meta.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    let file = File::open(file).ok()?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MAX_BYTES).then_some(bytes)
}

#[cfg(test)]
mod tests;
