//! Errors of MCP servers.

use serde::{Deserialize, Serialize};

use super::ServerName;
use crate::sign_in::SignInTrouble;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ServerTrouble {
    NotFound {
        program: String,
    },
    NoFolder {
        folder: String,
    },
    NotStarted {
        words: String,
    },
    /// The server must not start, because the sandbox is off and the folder is not trusted.
    Untrusted,
    /// The server requires the sandbox, which is unavailable on this system.
    NoSandbox {
        words: String,
    },
    Lacks {
        variable: String,
    },
    Changed {
        file: String,
    },
    Unpinned {
        file: String,
        error: String,
    },
    Floods {
        most: u32,
    },
    /// The server exited. Contains the last line of its stderr.
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
    /// A language server runs, but reports a problem. Because of the problem, the server may miss errors.
    Unhealthy {
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
    Redirects {
        to: String,
    },
    Unauthorized {
        server: ServerName,
        why: WhyUnauthorized,
    },
    NoToken {
        server: ServerName,
        variable: String,
    },
    Narrow {
        server: ServerName,
        scope: String,
    },
    Alone {
        server: ServerName,
        why: SignInTrouble,
    },
    NarrowAlone {
        server: ServerName,
        scope: String,
    },
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
    pub fn ends_with_restart(&self) -> bool {
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
            // Other actions resolve these errors: `/reload`, a sign-in, `/mcp on`.
            Self::Untrusted
            | Self::NoSandbox { .. }
            | Self::Changed { .. }
            | Self::Unpinned { .. }
            | Self::Unhealthy { .. }
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

    pub fn wants_sign_in(&self) -> bool {
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
pub enum WhyUnauthorized {
    NoSignIn,
    NoToken,
    Nothing,
    TokenRefused,
    Over,
    NotTaken,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoPrompt {
    Unknown,
    Lacks { lacks: Vec<String> },
    Trouble(ServerTrouble),
}

impl From<ServerTrouble> for NoPrompt {
    fn from(trouble: ServerTrouble) -> Self {
        Self::Trouble(trouble)
    }
}
