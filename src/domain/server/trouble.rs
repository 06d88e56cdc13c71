//! Errors of MCP servers.

use serde::{Deserialize, Serialize};

use super::ServerName;
use crate::domain::sign_in::SignInTrouble;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum ServerTrouble {
    NotFound {
        program: String,
    },
    NoFolder {
        folder: String,
    },
    NotStarted {
        words: String,
    },
    Lacks {
        variable: String,
    },
    Changed {
        file: String,
    },
    /// A file of the command cannot be compared with the trusted version.
    Unpinned {
        file: String,
        error: String,
    },
    /// The server exceeded the limit of requests per second, or of concurrent requests.
    Floods {
        most: u32,
    },
    /// The server exited. Contains its last stderr line.
    Ended {
        code: Option<i32>,
        signal: Option<i32>,
        said: String,
    },
    Garbage {
        line: String,
    },
    NoAnswer {
        seconds: u64,
        said: String,
    },
    TooLong {
        most: u64,
    },
    Refused {
        words: String,
    },
    OtherRevision,
    Unreadable,
    Unexpected,
    Asks {
        what: String,
    },
    Http {
        words: String,
    },
    Status {
        status: u16,
        words: String,
    },
    /// A redirect, which is not followed.
    Redirects {
        to: String,
    },
    Unauthorized {
        server: ServerName,
        why: WhyUnauthorized,
    },
    /// Neither the token variable is set, nor is a token stored.
    NoToken {
        server: ServerName,
        variable: String,
    },
    /// The token lacks this scope.
    Narrow {
        server: ServerName,
        scope: String,
    },
    /// No token was obtained without a person.
    Alone {
        server: ServerName,
        why: SignInTrouble,
    },
    /// The token obtained without a person lacks this scope.
    NarrowAlone {
        server: ServerName,
        scope: String,
    },
    /// The token store cannot be read or written.
    Tokens {
        words: String,
    },
    NotRenewed {
        words: String,
    },
    Off,
}

impl ServerTrouble {
    /// Whether the error persists until a person fixes it and restarts the server.
    pub(crate) fn ends_with_restart(&self) -> bool {
        match self {
            Self::NotFound { .. }
            | Self::NoFolder { .. }
            | Self::NotStarted { .. }
            | Self::Lacks { .. }
            | Self::Floods { .. }
            | Self::Ended { .. }
            | Self::Garbage { .. }
            | Self::NoAnswer { .. }
            | Self::TooLong { .. }
            | Self::Refused { .. }
            | Self::OtherRevision
            | Self::Unreadable
            | Self::Unexpected
            | Self::Asks { .. }
            | Self::Http { .. }
            | Self::Status { .. }
            | Self::Redirects { .. } => true,
            // Other actions resolve these: `/reload`, a sign-in, `/mcp on`.
            Self::Changed { .. }
            | Self::Unpinned { .. }
            | Self::Unauthorized { .. }
            | Self::NoToken { .. }
            | Self::Narrow { .. }
            | Self::Tokens { .. }
            | Self::NotRenewed { .. }
            | Self::Alone { .. }
            | Self::NarrowAlone { .. }
            | Self::Off => false,
        }
    }

    pub(crate) fn wants_sign_in(&self) -> bool {
        match self {
            Self::Unauthorized { why, .. } => match why {
                WhyUnauthorized::NoSignIn | WhyUnauthorized::NoToken | WhyUnauthorized::Over => true,
                WhyUnauthorized::Nothing | WhyUnauthorized::TokenRefused | WhyUnauthorized::NotTaken => false,
            },
            _ => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhyUnauthorized {
    NoSignIn,
    /// A token is configured, but missing.
    NoToken,
    /// The configuration disables authentication.
    Nothing,
    TokenRefused,
    /// The sign-in expired or was revoked.
    Over,
    /// The server rejected a token that was just issued.
    NotTaken,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NoPrompt {
    Unknown,
    Lacks { lacks: Vec<String> },
    Trouble(ServerTrouble),
}

impl From<ServerTrouble> for NoPrompt {
    fn from(trouble: ServerTrouble) -> Self {
        Self::Trouble(trouble)
    }
}
