//! What can be wrong with a server.

use serde::{Deserialize, Serialize};

use super::ServerName;
use crate::domain::sign_in::SignInTrouble;

/// What is wrong with a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum ServerTrouble {
    /// There is no such program.
    NotFound { program: String },
    /// The folder it is to be started in is not there.
    NoFolder { folder: String },
    /// The system does not start it; in its words.
    NotStarted { words: String },
    /// A variable of the person that it is to get is not set.
    Lacks { variable: String },
    /// A file that its command names is not the one that the folder was trusted with.
    Changed { file: String },
    /// Such a file cannot be compared.
    Unpinned { file: String, error: String },
    /// It asked for more in a second, or at once, than is answered.
    Floods { most: u32 },
    /// It has ended, and the last it said beside.
    Ended {
        code: Option<i32>,
        signal: Option<i32>,
        said: String,
    },
    /// What it writes where it should answer is no message: the first such line.
    Garbage { line: String },
    /// It did not answer in time.
    NoAnswer { seconds: u64, said: String },
    /// It sent more than is read of one message.
    TooLong { most: u64 },
    /// It answered with an error; in its words.
    Refused { words: String },
    /// It speaks no revision of the protocol that is spoken here.
    OtherRevision,
    /// Its answer cannot be read.
    Unreadable,
    /// It answered with something else than was asked for.
    Unexpected,
    /// It wants something of the person or of a model, which is not given.
    Asks { what: String },
    /// Its address cannot be asked, or not to the end; in the words of whoever asked.
    Http { words: String },
    /// It answered with a status of HTTP that is no answer to this, and its words.
    Status { status: u16, words: String },
    /// It sends whoever asks to another address, which is not followed.
    Redirects { to: String },
    /// It wants to know who asks, and does not.
    Unauthorized { server: ServerName, why: WhyUnauthorized },
    /// None of the variables is set that may hold the token it is to get, and none is kept.
    NoToken { server: ServerName, variable: String },
    /// What was signed in for does not reach as far as this; what would.
    Narrow { server: ServerName, scope: String },
    /// No token could be had where no person signs in.
    Alone { server: ServerName, why: SignInTrouble },
    /// What is had where no person signs in does not reach as far as this; what would.
    NarrowAlone { server: ServerName, scope: String },
    /// The tokens that are kept cannot be read or written; in the words of the system.
    Tokens { words: String },
    /// No new token could be had in the place of one that has ended; in the words of whoever was asked.
    NotRenewed { words: String },
    /// The person has switched it off in this session.
    Off,
}

impl ServerTrouble {
    /// It is not started again by itself for good, and a person who has mended it starts it anew.
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
            // What ends them is said with them: `/reload`, a sign-in, `/mcp on`.
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

    /// Nothing is wrong with the server: a person is to say who asks.
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

/// Why a server does not know who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhyUnauthorized {
    /// Nobody has signed in.
    NoSignIn,
    /// There is no token, and it is to get one.
    NoToken,
    /// The configuration says that it gets none.
    Nothing,
    /// It does not take the token that a person gave it.
    TokenRefused,
    /// The sign-in has ended, or was taken back.
    Over,
    /// It does not take a token that has just been given for it.
    NotTaken,
}

/// Why a prompt of a server comes to nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NoPrompt {
    /// Its server has none of this name.
    Unknown,
    /// It needs what was not written.
    Lacks { lacks: Vec<String> },
    /// The server cannot be had, or refuses.
    Trouble(ServerTrouble),
}

impl From<ServerTrouble> for NoPrompt {
    fn from(trouble: ServerTrouble) -> Self {
        Self::Trouble(trouble)
    }
}
