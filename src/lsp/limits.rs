//! Limits of the data that is exchanged with servers.

use std::time::Duration;

/// In bytes. Larger files are not sent.
pub const MOST_TEXT: usize = 1 << 20;

/// A further file closes the least recently used one.
pub const MOST_OPEN: usize = 64;

/// In bytes. Longer messages are skipped.
pub const MOST_MESSAGE: u64 = 8 << 20;

/// Maximum bytes read from a server per second.
pub const PER_SECOND: u64 = 32 << 20;

/// Maximum numbers of stored errors and other diagnostics of a file.
pub const MOST_ERRORS: usize = 300;
pub const MOST_OTHERS: usize = 100;

pub const MOST_CRASHES: u32 = 2;

/// Maximum background wait for a late answer. A server may need minutes to load a large project.
pub const CATCH_UP: Duration = Duration::from_mins(5);
