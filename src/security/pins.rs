//! Whether what a command of a folder names is still what trust was given for. It is asked before each start, because a start is when
//! bytes begin to count.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::trust::MAX_BYTES;
use benchdog_base::id::BlobId;
use benchdog_domain::pin::{Differs, Pin, Pinned};

/// Whether these files are as they were when trust was asked for. It reads them, on a thread that may wait.
pub fn same(root: &Path, pinned: &[Pinned]) -> Result<(), Differs> {
    for Pinned { file, was } in pinned {
        let is_same = match was {
            Pin::Unknown(error) => {
                let (file, error) = (file.clone(), error.clone());
                return Err(Differs::Unknown { file, error });
            }
            Pin::Absent => !std::fs::metadata(root.join(file)).is_ok_and(|meta| !meta.is_dir()),
            Pin::Bytes(bytes) => now(&root.join(file)).is_some_and(|now| BlobId::of(&now) == *bytes),
        };
        if !is_same {
            return Err(Differs::Changed { file: file.clone() });
        }
    }
    Ok(())
}

/// Returns the file's current content; `None` if it is not a regular file or exceeds the limit, even while growing.
fn now(file: &Path) -> Option<Vec<u8>> {
    // What is no file might keep whoever opens it waiting.
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
