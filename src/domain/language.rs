//! Problems of language servers, reported to the person.

use serde::{Deserialize, Serialize};

use super::server::ServerTrouble;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageNotice {
    pub server: String,
    pub trouble: ServerTrouble,
    /// Number of crashes. 0 if the server could not be started.
    pub crashes: u32,
}
