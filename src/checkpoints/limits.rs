//! Limits of a store, from the settings.

use std::path::Path;

/// Limits of a store. Sizes are in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum size of a covered file. The content of a larger file is not saved.
    pub max_file: u64,
    /// Maximum size of the store. If the store exceeds it, `gc` removes the oldest checkpoints. A capture fails if it
    /// needs more than this by itself. `free_percent` can lower the limit.
    pub quota: u64,
    /// Maximum percent of the free disk space for the store.
    pub free_percent: u64,
    /// Maximum number of files in an ignored folder. A folder with more files is not listed.
    pub max_ignored: usize,
    /// Maximum number of watched folders. With more folders, each capture walks. The kernel's limit is per user, and
    /// editors need watches, too.
    pub max_watches: usize,
    /// Whether a file is secret, by its path relative to the root. The content of a secret file is never saved.
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
