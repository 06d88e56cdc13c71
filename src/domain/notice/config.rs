//! Notices about the person's configuration file.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum ConfigNotice {
    Exists {
        path: String,
        /// The chosen server, for the person to add to the file.
        base_url: String,
        model: String,
    },
    NotKept {
        path: String,
        error: String,
    },
    /// The choice was saved and is active.
    Using {
        model: String,
        /// Without user info and query, which may contain secrets.
        address: String,
    },
    PutAside {
        old: String,
    },
    /// No server was chosen that a new file could contain.
    NothingChosen,
    Wrong {
        sentences: String,
    },
    Renamed {
        place: String,
        was: String,
        now: String,
    },
    /// The theme is invalid. The default theme is used.
    Theme {
        theme: String,
        wrong: String,
    },
    /// The system cannot hide our environment from child processes.
    NotHidden,
}
