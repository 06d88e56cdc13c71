//! Size and time limits for servers. They prevent a server from blocking the program or filling its memory.

use std::time::Duration;

pub use benchdog_domain::server::{MOST_PAGES, MOST_PROMPTS, MOST_RESOURCES, MOST_TOOLS};

/// Maximum bytes of a message. The rest of a longer message is skipped.
pub const MOST_MESSAGE: usize = 16 << 20;

/// Maximum bytes of the cursor for the next page. A longer cursor ends the list.
pub(super) const MOST_CURSOR: usize = 4 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    Complete,
    Partial,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageResult {
    /// Request the next page.
    Continue,
    /// The limit was reached exactly at the end of the page.
    Full,
    /// The limit was reached within the page.
    Exceeded,
}

impl PageResult {
    /// Compares the number of items with the limit.
    pub(super) fn of_count(most: usize, seen: usize) -> Self {
        if seen > most { Self::Exceeded } else { Self::Continue }
    }
}

/// Maximum number of a prompt's arguments, and maximum display columns of its description.
pub(super) const MOST_ARGUMENTS: usize = 20;
pub(super) const MOST_PROMPT_WORDS: usize = 200;

pub const LONGEST_PROMPT: Duration = Duration::from_secs(15);

/// Maximum bytes of a resource URI, and maximum display columns of its title.
pub(super) const MOST_ADDRESS: usize = 2_048;
pub(super) const MOST_RESOURCE_WORDS: usize = 120;

pub(super) const MOST_MEDIA: usize = 80;

/// Time limit for reading all resources that a prompt mentions.
pub const LONGEST_READING: Duration = Duration::from_secs(20);

pub(super) const LONGEST_COMPLETION: Duration = Duration::from_secs(2);
pub(super) const MOST_VALUES: usize = 20;
pub(super) const MOST_VALUE: usize = 200;

/// Maximum length of a tool's description in characters.
pub const MOST_DESCRIPTION: usize = 2_000;

/// Maximum bytes of a tool's schema, and maximum nesting depth of it.
pub const MOST_SCHEMA: usize = 16 << 10;
pub(super) const DEEPEST_SCHEMA: usize = 24;

/// Maximum number of notifications per second. Excess ones are dropped.
pub(super) const MOST_NOTIFICATIONS: u32 = 200;

/// Maximum number of requests that a server may send per second, and of its requests that are not answered yet. A
/// server that exceeds one of these limits is stopped.
pub const MOST_REQUESTS: u32 = 50;
pub(super) const MOST_IN_FLIGHT: usize = 50;

/// Maximum bytes of a server's stderr that are stored in memory and in the log file.
pub(super) const MOST_STDERR: usize = 16 << 10;
pub const MOST_STDERR_FILE: u64 = 1 << 20;

/// Maximum duration of a call, even if it reports progress.
pub const LONGEST_CALL: Duration = Duration::from_secs(30 * 60);

/// Maximum number of restarts after a server has exited, and the delay before each.
pub const MOST_RESTARTS: u32 = 3;
pub(super) const RESTART_DELAYS: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(2),
    Duration::from_secs(8),
];

/// A server that has run for this time without an error may be restarted `MOST_RESTARTS` times again.
pub(super) const RESTART_RESET: Duration = Duration::from_secs(300);

pub(super) const MOST_CACHED: usize = 100;
