//! Size limits and timeouts for servers, so that no server can block the program or fill its memory.

use std::time::Duration;

pub use benchdog_domain::server::{MOST_PAGES, MOST_PROMPTS, MOST_RESOURCES, MOST_TOOLS};

/// Maximum size of a message in bytes. The excess of a larger one is skipped.
pub const MOST_MESSAGE: usize = 16 << 20;

/// Maximum length of a page cursor in bytes. A longer one ends the list.
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

/// Maximum number of arguments of a prompt, and maximum columns of its description.
pub(super) const MOST_ARGUMENTS: usize = 20;
pub(super) const MOST_PROMPT_WORDS: usize = 200;

pub const LONGEST_PROMPT: Duration = Duration::from_secs(15);

/// Maximum length of a resource URI in bytes, and of its title in columns.
pub(super) const MOST_ADDRESS: usize = 2_048;
pub(super) const MOST_RESOURCE_WORDS: usize = 120;

pub(super) const MOST_MEDIA: usize = 80;

/// Timeout for reading all resources of a prompt.
pub const LONGEST_READING: Duration = Duration::from_secs(20);

pub(super) const LONGEST_COMPLETION: Duration = Duration::from_secs(2);
pub(super) const MOST_VALUES: usize = 20;
pub(super) const MOST_VALUE: usize = 200;

/// Maximum length of a tool's description in characters.
pub const MOST_DESCRIPTION: usize = 2_000;

/// Maximum size of a schema in bytes, and its maximum depth.
pub const MOST_SCHEMA: usize = 16 << 10;
pub(super) const DEEPEST_SCHEMA: usize = 24;

/// Maximum number of notifications per second. Excess ones are dropped.
pub(super) const MOST_NOTIFICATIONS: u32 = 200;

/// Maximum number of a server's requests per second, and of unanswered ones. A server that exceeds either is stopped.
pub const MOST_REQUESTS: u32 = 50;
pub(super) const MOST_IN_FLIGHT: usize = 50;

/// Maximum bytes of stderr to store in memory, and in the log file.
pub(super) const MOST_STDERR: usize = 16 << 10;
pub const MOST_STDERR_FILE: u64 = 1 << 20;

/// Maximum duration of a call that reports progress.
pub const LONGEST_CALL: Duration = Duration::from_secs(30 * 60);

/// Maximum number of restarts of an exited server, and their delays.
pub const MOST_RESTARTS: u32 = 3;
pub(super) const RESTART_DELAYS: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(2),
    Duration::from_secs(8),
];

/// Time without failure that resets the restart count.
pub(super) const RESTART_RESET: Duration = Duration::from_secs(300);

pub(super) const MOST_CACHED: usize = 100;
