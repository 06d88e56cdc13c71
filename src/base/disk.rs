//! Disk space for optional data. Required data may use the whole disk.

use std::io;
use std::path::Path;

use rustix::fs::statvfs;

/// Reserve that optional data leaves free: a percentage of the disk, but at most `LEFT_MOST` bytes.
pub const LEFT_PERCENT: u64 = 5;
pub const LEFT_MOST: u64 = 1 << 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    pub whole: u64,
    pub free: u64,
}

impl Space {
    pub fn of(path: &Path) -> Option<Self> {
        let disk = statvfs(path).ok()?;
        Some(Self {
            whole: disk.f_blocks.saturating_mul(disk.f_frsize),
            free: disk.f_bavail.saturating_mul(disk.f_frsize),
        })
    }

    fn has_room_for(self, bytes: u64) -> bool {
        self.free >= (self.whole / 100 * LEFT_PERCENT).min(LEFT_MOST).saturating_add(bytes) || self.whole == 0
    }
}

pub fn has_room(path: &Path, bytes: u64) -> bool {
    Space::of(path).is_none_or(|space| space.has_room_for(bytes))
}

pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

/// Returns `812 bytes`, `4.2 KB`, `31 MB`. A kilobyte has 1,024 bytes.
pub fn bytes_text(bytes: impl TryInto<u64>) -> String {
    let bytes = bytes.try_into().unwrap_or(u64::MAX);
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut tenths = bytes.saturating_mul(10) / 1024;
    let mut unit = "KB";
    for next in ["MB", "GB", "TB"] {
        if tenths < 10_240 {
            break;
        }
        tenths /= 1024;
        unit = next;
    }
    if tenths < 100 {
        format!("{}.{} {unit}", tenths / 10, tenths % 10)
    } else {
        format!("{} {unit}", tenths / 10)
    }
}

#[cfg(test)]
mod tests;
