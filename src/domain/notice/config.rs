//! What is said of the configuration file of the person.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum ConfigNotice {
    /// A choice cannot be kept in this file because it is there already.
    Exists {
        path: String,
        /// What was chosen, to be written there by the person.
        base_url: String,
        model: String,
    },
    NotKept {
        path: String,
        error: String,
    },
    /// It is kept, and in use from here on.
    Using {
        model: String,
        /// Without what may be secret in it.
        address: String,
    },
    /// The file as it was, under another name.
    PutAside {
        old: String,
    },
    /// No server was chosen that a new file could be about.
    NothingChosen,
    /// What is wrong with it, in whole sentences.
    Wrong {
        sentences: String,
    },
    /// A key stands there by an earlier name.
    Renamed {
        place: String,
        was: String,
        now: String,
    },
    /// The theme that it names cannot be drawn with; the default one is.
    Theme {
        theme: String,
        /// The first thing that is wrong, with its place.
        wrong: String,
    },
    /// The system does not let us keep our environment from our children.
    NotHidden,
}
