//! Copies owner, group, access lists and other extended attributes of a file to its replacement.

use std::ffi::{CString, OsStr};
use std::fs::File;

use cap_std::fs::Dir;
use rustix::fs::{Gid, Mode, OFlags, Stat, Uid, XattrFlags};

use super::open::open_file;

/// Maximum size of the attribute names or of one value. Larger than any file system allows.
const MOST: usize = 64 << 10;

pub(super) struct Attributes {
    uid: u32,
    gid: u32,
    extended: Vec<(CString, Vec<u8>)>,
}

impl Attributes {
    /// Reading extended attributes needs read access to the file.
    pub(super) fn of(dir: &Dir, name: &OsStr, stat: &Stat) -> Self {
        let file = open_file(dir, name, OFlags::RDONLY, Mode::empty());
        Self {
            uid: stat.st_uid,
            gid: stat.st_gid,
            extended: file.map(|file| extended(&file)).unwrap_or_default(),
        }
    }

    /// Sets the attributes of `file`. Returns `false` if one cannot be set. The caller sets the mode afterwards.
    pub(super) fn give(&self, file: &File) -> bool {
        let Ok(stat) = rustix::fs::fstat(file) else {
            return false;
        };
        let uid = (stat.st_uid != self.uid).then(|| Uid::from_raw(self.uid));
        let gid = (stat.st_gid != self.gid).then(|| Gid::from_raw(self.gid));
        if (uid.is_some() || gid.is_some()) && rustix::fs::fchown(file, uid, gid).is_err() {
            return false;
        }
        let own = extended(file);
        self.extended
            .iter()
            .filter(|one| !own.contains(one))
            .all(|(name, value)| {
                match rustix::fs::fsetxattr(file, name.as_c_str(), value, XattrFlags::empty()) {
                    Ok(()) => true,
                    // The system sets these labels.
                    Err(_) => name.to_bytes().starts_with(b"security.") || name.to_bytes().starts_with(b"trusted."),
                }
            })
    }
}

fn extended(file: &File) -> Vec<(CString, Vec<u8>)> {
    let mut names = vec![0_u8; MOST];
    let Ok(length) = rustix::fs::flistxattr(file, names.as_mut_slice()) else {
        return Vec::new();
    };
    names.truncate(length);
    let mut found = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let Ok(name) = CString::new(name) else { continue };
        let mut value = vec![0_u8; MOST];
        if let Ok(length) = rustix::fs::fgetxattr(file, name.as_c_str(), value.as_mut_slice()) {
            value.truncate(length);
            found.push((name, value));
        }
    }
    found
}
