//! Results of signing in to an MCP server.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SignInTrouble {
    /// The server is a local program, or its `auth` setting excludes a sign-in.
    NotThere,
    /// The server uses a token that the person enters elsewhere.
    ByToken,
    Lacks {
        variable: String,
    },
    NotOffered,
    /// The server's metadata is about another resource.
    OtherResource {
        told: String,
    },
    /// The address is neither `https` nor local, or it is on the local network although the server is not.
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
    /// Sign-in is automatic, with the configured credentials.
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
pub(crate) enum SignIn {
    /// The authorization server is being discovered.
    Begun,
    /// The person must open this URL.
    Link(String),
    Done,
    Out,
    /// A sign-out was requested, but nobody was signed in.
    NotIn,
    Failed(SignInTrouble),
}
