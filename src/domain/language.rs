//! Troubles of language servers, for people.

use serde::{Deserialize, Serialize};

use super::server::ServerTrouble;

/// A language server that is not used any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageNotice {
    pub server: String,
    pub trouble: ServerTrouble,
    /// The number of times it ended unexpectedly. 0: it was not started.
    pub crashes: u32,
}
