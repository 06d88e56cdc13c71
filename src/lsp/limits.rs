//! Limits of the data that is exchanged with servers.

use std::time::Duration;

/// Maximum size of a file in bytes. Larger files are not sent.
pub const MOST_TEXT: usize = 1 << 20;

/// Maximum number of files that are open in a server. A further file closes the least recently used one.
pub const MOST_OPEN: usize = 64;

/// Maximum size of a message in bytes. Longer messages are skipped.
pub const MOST_MESSAGE: u64 = 8 << 20;

/// Maximum bytes read from a server per second.
pub const PER_SECOND: u64 = 32 << 20;

/// Maximum number of stored errors of a file. `MOST_OTHERS` is the maximum number of other diagnostics.
pub const MOST_ERRORS: usize = 300;
pub const MOST_OTHERS: usize = 100;

pub const MOST_CRASHES: u32 = 2;

/// Maximum background wait for a late answer. A server may need minutes to load a large project.
pub const CATCH_UP: Duration = Duration::from_mins(5);
