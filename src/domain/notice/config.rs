//! Notices about the person's configuration file.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum ConfigNotice {
    NotKept {
        path: String,
        error: String,
    },
    Using {
        model: String,
        /// The address without user info and query, which may contain secrets.
        address: String,
    },
    PutAside {
        old: String,
    },
    Wrong {
        sentences: String,
    },
    Renamed {
        place: String,
        was: String,
        now: String,
    },
    Theme {
        theme: String,
        wrong: String,
    },
    NotHidden,
}
