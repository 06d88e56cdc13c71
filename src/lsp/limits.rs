//! Limits of the data that servers send and get.

use std::time::Duration;

/// The longest text of a file that a server gets.
pub const MOST_TEXT: usize = 1 << 20;

/// Files that are open in one server. The one that was not used for the longest time is closed.
pub const MOST_OPEN: usize = 64;

/// The longest message that is parsed. Longer ones are skipped.
pub const MOST_MESSAGE: u64 = 8 << 20;

/// Bytes in a second. A server that sends more waits.
pub const PER_SECOND: u64 = 32 << 20;

/// Diagnostics of a file that are kept: errors, and others.
pub const MOST_ERRORS: usize = 300;
pub const MOST_OTHERS: usize = 100;

/// A server that crashed so often is not started again.
pub const MOST_CRASHES: u32 = 2;

/// The wait for a late answer, in the background. A large project may load for minutes.
pub const CATCH_UP: Duration = Duration::from_mins(5);
