//! Reads an image anywhere on this machine, by absolute path.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;

use benchdog_domain::image::{Flaw, ImageKind, MOST_BYTES, Picture};

pub fn is_one(path: &Path) -> bool {
    begun(path).is_some()
}

/// Returns `None` without reading the whole file if the file does not start like an image.
pub fn read(path: &Path) -> Option<Result<Picture, Flaw>> {
    let Begun { file, mut bytes } = begun(path)?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Picture::of(&Arc::from(bytes))
}

struct Begun {
    file: File,
    bytes: Vec<u8>,
}

fn begun(path: &Path) -> Option<Begun> {
    if !path.is_absolute() {
        return None;
    }
    // Do not block, because opening a pipe or device may take forever.
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
    ImageKind::of(&bytes)?;
    Some(Begun { file, bytes })
}

#[cfg(test)]
mod tests;
