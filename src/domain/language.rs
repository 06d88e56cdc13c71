//! Problems of language servers, reported to the person.

use serde::{Deserialize, Serialize};

use super::server::ServerTrouble;

/// A notice that a language server is no longer used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageNotice {
    pub server: String,
    pub trouble: ServerTrouble,
    /// Number of crashes. 0 means that it could not be started.
    pub crashes: u32,
}
