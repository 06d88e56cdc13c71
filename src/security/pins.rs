//! Whether what a command of a folder names is still what trust was given for. It is asked before each start, because a start is when
//! bytes begin to count.

use std::path::Path;

use crate::base::id::BlobId;
use crate::domain::pin::{Differs, Pin, Pinned};
use crate::security::trust::MAX_BYTES;

/// Whether these files are as they were when trust was asked for. It reads them, on a thread that may wait.
pub(crate) fn same(root: &Path, pinned: &[Pinned]) -> Result<(), Differs> {
    let now = |name: &str| {
        let file = root.join(name);
        let meta = std::fs::metadata(&file).ok()?;
        let fits = meta.is_file() && meta.len() <= MAX_BYTES;
        fits.then(|| std::fs::read(&file).ok()).flatten()
    };
    for Pinned { file, was } in pinned {
        let is_same = match was {
            Pin::Unknown(error) => {
                let (file, error) = (file.clone(), error.clone());
                return Err(Differs::Unknown { file, error });
            }
            Pin::Absent => !std::fs::metadata(root.join(file)).is_ok_and(|meta| !meta.is_dir()),
            Pin::Bytes(bytes) => now(file).is_some_and(|now| BlobId::of(&now) == *bytes),
        };
        if !is_same {
            return Err(Differs::Changed { file: file.clone() });
        }
    }
    Ok(())
}
