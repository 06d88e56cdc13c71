//! Limits of the data that is sent to servers and received from them.

use std::time::Duration;

/// Maximum bytes of a file's text that is sent to a server.
pub const MOST_TEXT: usize = 1 << 20;

/// Maximum number of files that are open in one server. A further one closes the file that was not used for the longest
/// time.
pub const MOST_OPEN: usize = 64;

/// Maximum bytes of a message that is parsed. Longer messages are skipped.
pub const MOST_MESSAGE: u64 = 8 << 20;

/// Maximum bytes that are read from a server per second. If a server sends more, it has to wait.
pub const PER_SECOND: u64 = 32 << 20;

/// Maximum number of a file's diagnostics that are stored: of errors, and of all others.
pub const MOST_ERRORS: usize = 300;
pub const MOST_OTHERS: usize = 100;

/// Number of crashes after which a server is not started again.
pub const MOST_CRASHES: u32 = 2;

/// Maximum wait in the background for a late answer. It is long, because a server may need minutes to load a large
/// project.
pub const CATCH_UP: Duration = Duration::from_mins(5);
