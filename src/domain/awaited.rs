//! External programs that Benchdog waits for.

use super::server::ServerName;

/// A program that Benchdog waits for, and the timeout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Awaited {
    pub(crate) who: Who,
    pub(crate) most_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Who {
    Server(ServerName),
    Hook(String),
}
