//! Metadata that proves, without a read, that a file's content is unchanged.

use rustix::fs::{FileType, Stat as Raw};
use rustix::time::{ClockId, clock_gettime};

use crate::state::Kind;

/// Times are nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) modified: i64,
    pub(crate) changed: i64,
    pub(crate) size: u64,
    pub(crate) inode: u64,
    pub(crate) device: u32,
    pub(crate) mode: u16,
    /// Whether the file has more than one hard link. A write through another link triggers no event for this name.
    pub(crate) is_linked: bool,
}

const SECOND: i64 = 1_000_000_000;

/// 20 ms in nanoseconds. This is twice the longest clock tick of the kernel.
const TICK: i64 = SECOND / 50;

/// Age below which two writes may have equal times if the file system stores whole seconds. FAT has a resolution of two
/// seconds.
const COARSE: i64 = 2 * SECOND;

impl Stat {
    pub(crate) fn of(raw: &Raw) -> Self {
        Self {
            modified: nanoseconds(raw.st_mtime, raw.st_mtime_nsec),
            changed: nanoseconds(raw.st_ctime, raw.st_ctime_nsec),
            size: u64::try_from(raw.st_size).unwrap_or(0),
            inode: raw.st_ino,
            device: fold(raw.st_dev),
            mode: u16::try_from(raw.st_mode & 0o7777).unwrap_or(0),
            is_linked: raw.st_nlink > 1 && kind(raw) == Kind::File,
        }
    }

    /// Whether a write after `now` may leave the metadata unchanged. Git calls such a file "racily clean".
    pub(crate) fn is_racy(&self, now: i64) -> bool {
        let newest = self.modified.max(self.changed);
        let window = if newest % SECOND == 0 { COARSE } else { TICK };
        newest.saturating_add(window) >= now
    }

    /// Returns a hash that identifies one version of a file with unknown content. Excludes the change time, because it
    /// also changes if a hard link is added.
    pub(crate) fn stamp(&self) -> u64 {
        let parts = [self.modified.cast_unsigned(), self.size, self.inode];
        // FNV-1a.
        parts
            .iter()
            .flat_map(|part| part.to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }
}

pub(crate) fn kind(raw: &Raw) -> Kind {
    match FileType::from_raw_mode(raw.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        _ => Kind::Special,
    }
}

/// Returns the kernel's time stamp for a write that happens now.
pub(crate) fn now() -> i64 {
    let now = clock_gettime(ClockId::RealtimeCoarse);
    now.tv_sec.saturating_mul(SECOND).saturating_add(now.tv_nsec)
}

fn nanoseconds(seconds: i64, rest: impl TryInto<i64>) -> i64 {
    seconds
        .saturating_mul(SECOND)
        .saturating_add(rest.try_into().unwrap_or(0))
}

fn fold(device: u64) -> u32 {
    u32::try_from((device ^ device >> 32) & 0xffff_ffff).unwrap_or(0)
}

#[cfg(test)]
mod tests;
