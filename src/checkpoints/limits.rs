//! Limits of a store, from the settings.

use std::path::Path;

/// Sizes are in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Size above which the bytes of a file are not covered.
    pub max_file: u64,
    /// Size of the store above which `gc` drops checkpoints. A capture that needs more by itself fails. The share of the free space below counts, too.
    pub quota: u64,
    /// Percent of the free space that the store may take.
    pub free_percent: u64,
    /// Number of ignored files above which an ignored folder is not listed.
    pub max_ignored: usize,
    /// Number of folders above which the watcher gives up. The kernel's own limit is per user, and editors need it, too.
    pub max_watches: usize,
    /// Files whose bytes are never copied. The path is relative to the root.
    pub is_secret: fn(&Path) -> bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_file: 16 << 20,
            quota: 2 << 30,
            free_percent: 10,
            max_ignored: 200_000,
            max_watches: 150_000,
            is_secret: |_| false,
        }
    }
}
