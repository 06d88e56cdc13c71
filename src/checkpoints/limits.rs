//! Limits of a store.

use std::path::Path;

/// Sizes are in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum size of a file whose content is saved.
    pub max_file: u64,
    /// Maximum size of the store, which `free_percent` can lower. Above it, `gc` removes the oldest checkpoints. A
    /// single capture that needs more fails.
    pub quota: u64,
    /// Maximum size of the store in percent of the free disk space and the store's own size.
    pub free_percent: u64,
    /// Maximum number of files in an ignored folder. Larger folders are not listed.
    pub max_ignored: usize,
    /// Maximum number of watched folders. With more folders, each capture walks all folders. The kernel's limit is per
    /// user, and editors need watches too.
    pub max_watches: usize,
    /// Whether the file at a path, relative to the root, is secret. Contents of secret files are never saved.
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
