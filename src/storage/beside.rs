//! Small files next to a session, written atomically.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

pub(super) const MOST: usize = 32 << 20;

/// `draft` is the temporary path.
pub(super) fn replace(path: &Path, draft: &Path, bytes: &[u8]) -> io::Result<()> {
    if bytes.len() > MOST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    // Deleted first, because it may be a symbolic link.
    let _ = fs::remove_file(draft);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(draft)?;
    file.write_all(bytes)
        .and_then(|()| fs::rename(draft, path))
        .inspect_err(|_| {
            let _ = fs::remove_file(draft);
        })
}

pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    // Follow no link, and do not block on a FIFO.
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).ok()?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MOST as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
