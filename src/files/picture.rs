//! An image anywhere on this machine, by its whole path.

use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;

use crate::domain::image::{ImageKind, MOST_BYTES};

/// The bytes of a file that begins as an image does. `None` for all else, so that no other file is read whole this way.
pub(crate) fn read(path: &Path) -> Option<(ImageKind, Arc<[u8]>)> {
    if !path.is_absolute() {
        return None;
    }
    // A pipe or a device may let an open wait for ever.
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut file = OpenOptions::new()
        .read(true)
        .custom_flags(nonblocking)
        .open(path)
        .ok()?;
    let stat = file.metadata().ok()?;
    if !stat.is_file() || stat.len() > MOST_BYTES {
        return None;
    }
    let mut bytes = [0; 16].to_vec();
    let read = file.read(&mut bytes).ok()?;
    bytes.truncate(read);
    let kind = ImageKind::of(&bytes)?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MOST_BYTES).then(|| (kind, bytes.into()))
}
