//! Programs that are no part of Benchdog, while they are waited for.

use super::server::ServerName;

/// Who is waited for, and how long at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Awaited {
    pub(crate) who: Who,
    pub(crate) most_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Who {
    /// For what a prompt names or calls.
    Server(ServerName),
    /// For its answer; by its name.
    Hook(String),
}
