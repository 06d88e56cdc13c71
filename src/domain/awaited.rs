//! External programs that Benchdog waits for.

use super::server::ServerName;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Awaited {
    pub who: Who,
    pub most_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    Server(ServerName),
    Hook(String),
}
