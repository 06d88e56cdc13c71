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
    /// The server announces no authorization server.
    NotOffered,
    /// The server's metadata is about another resource.
    OtherResource {
        told: String,
    },
    /// The address is neither `https` nor local, or it is on the local network although the server is not.
    Unsafe {
        address: String,
    },
    /// The issuer does not match the expected one.
    OtherIssuer {
        told: String,
    },
    /// The authorization server does not support PKCE.
    NoProof,
    /// The server does not register clients, and no `client_id` is configured.
    NoRegistration,
    /// The registration was refused.
    NotRegistered {
        words: String,
    },
    Denied {
        words: String,
    },
    /// The code was not exchanged for a token.
    NoToken {
        words: String,
    },
    /// The browser did not return in time.
    Late {
        minutes: u64,
    },
    /// The callback address cannot be opened.
    NoDoor {
        words: String,
    },
    Http {
        words: String,
    },
    Silent {
        seconds: u64,
    },
    /// A response exceeded the size limit.
    TooLong {
        most: u64,
    },
    /// The token file cannot be read or written.
    NotKept {
        words: String,
    },
    /// Sign-in is automatic, with the configured credentials.
    Alone,
    /// A file with a secret cannot be read.
    Unread {
        file: String,
        words: String,
    },
    NoKey {
        words: String,
    },
    /// The identity token was not exchanged.
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
