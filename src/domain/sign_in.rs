//! Results of signing in to an MCP server.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignInTrouble {
    NotThere,
    ByToken,
    Lacks {
        variable: String,
    },
    NotOffered,
    OtherResource {
        told: String,
    },
    /// A sign-in address that is neither `https` nor on this machine, or an address in a private network from a public
    /// server.
    Unsafe {
        address: String,
    },
    OtherIssuer {
        told: String,
    },
    NoProof,
    /// The server does not register clients, and no `client_id` is configured.
    NoRegistration,
    NotRegistered {
        words: String,
    },
    Denied {
        words: String,
    },
    NoToken {
        words: String,
    },
    Late {
        minutes: u64,
    },
    NoDoor {
        words: String,
    },
    Http {
        words: String,
    },
    Silent {
        seconds: u64,
    },
    TooLong {
        most: u64,
    },
    NotKept {
        words: String,
    },
    Alone,
    Unread {
        file: String,
        words: String,
    },
    NoKey {
        words: String,
    },
    NotExchanged {
        words: String,
    },
    GivenUp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    Begun,
    Link(String),
    Done,
    Out,
    NotIn,
    Failed(SignInTrouble),
}
