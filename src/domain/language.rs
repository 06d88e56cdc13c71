//! Troubles of language servers, for people.

use serde::{Deserialize, Serialize};

/// A language server that is not used any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageNotice {
    pub server: String,
    #[serde(flatten)]
    pub trouble: LanguageTrouble,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "trouble", rename_all = "snake_case")]
pub enum LanguageTrouble {
    NotStarted {
        why: String,
    },
    /// It ended by itself as often as it may.
    Crashed {
        times: u32,
        why: String,
    },
}
