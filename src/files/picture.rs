//! An image anywhere on this machine, by absolute path.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;

use benchdog_domain::image::{Flaw, ImageKind, MOST_BYTES, Picture};

pub fn is_one(path: &Path) -> bool {
    begun(path).is_some()
}

/// Returns `None` for a file that does not begin like an image, without reading the rest.
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
    // Opening a pipe or device may block forever.
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
mod tests {
    use super::*;

    #[test]
    fn whether_it_is_an_image_costs_its_beginning_and_holds_for_what_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let mut gif = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;".to_vec();
        gif.resize(4_000, 7);
        let (image, text) = (of("a.gif", &gif), of("b.png", b"plain words, whatever its name says"));
        assert!(is_one(&image) && !is_one(&text) && !is_one(Path::new("a.png")));
        assert_eq!(&**read(&image).unwrap().unwrap().bytes(), gif);
        assert!(read(&text).is_none());
        let begun = begun(&image).unwrap();
        assert!(begun.bytes.len() < 32, "no more than tells the kind");
    }
}
