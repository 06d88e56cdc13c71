//! Workbenches that outlive their terminal, and the list of all workbenches of the user.
//!
//! A host process runs the workbench. It also owns a pseudo-terminal for the programs that the workbench starts.
//! `benchdog attach` connects a real terminal to the host through a Unix socket. The workbench does not restart, so
//! scroll position, draft and focus persist.

pub mod client;
mod credentials;
pub mod folder;
mod frame;
pub mod host;
mod source;
pub mod status;

use std::io;

use serde::{Deserialize, Serialize};

/// Version of the frame protocol. A host and a client with different versions reject each other.
pub const PROTOCOL: u32 = 2;

/// The first message of a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub wants: Request,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// The client shows the workbench. It also sends key presses, unless `view_only` is set.
    Terminal { size: Size, view_only: bool },
    /// Sends a prompt to a session.
    Prompt { session: String, text: String },
    /// Stops the turn of a session.
    Stop { session: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    pub columns: u16,
    pub rows: u16,
}

/// The last message on a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goodbye {
    /// The workbench ended with an exit code.
    Ended {
        code: u8,
    },
    /// The person detached this terminal.
    Detached,
    /// Another terminal attached and replaced this one.
    TakenOver,
    /// The request was carried out.
    Done,
    /// No open session has the requested id.
    NoSession,
    OtherProtocol {
        protocol: u32,
    },
}

#[derive(Debug, thiserror::Error)]
pub enum DetachedError {
    // --- the folder of the sockets ---
    /// Other users could write to the folder.
    #[error("{folder} is not a private folder of yours: {why}")]
    Unsafe { folder: String, why: &'static str },
    #[error("{folder}: {error}")]
    Folder { folder: String, error: io::Error },
    #[error("the path of the socket is too long: {path}")]
    TooLong { path: String },
    #[error("not the name of a workbench: {name}")]
    BadName { name: String },

    // --- the connection ---
    #[error("{socket}: {error}")]
    Socket { socket: String, error: io::Error },
    /// The process at the other end belongs to another user.
    #[error("{socket} belongs to another user")]
    OtherUser { socket: String },
    /// `was_shown`: the workbench has answered before.
    #[error("no answer in {seconds} seconds from {socket}")]
    Silent {
        socket: String,
        seconds: u64,
        was_shown: bool,
    },
    #[error("unreadable data from the workbench")]
    Garbled,
    #[error("the workbench speaks protocol {theirs}, this program {PROTOCOL}")]
    OtherProtocol { theirs: u32 },

    // --- this process ---
    /// A terminal, a pipe or a thread of this process failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl DetachedError {
    /// Whether the folder of the sockets is the cause.
    pub fn is_about_folder(&self) -> bool {
        match self {
            Self::Unsafe { .. } | Self::Folder { .. } | Self::TooLong { .. } => true,
            Self::BadName { .. }
            | Self::Socket { .. }
            | Self::OtherUser { .. }
            | Self::Silent { .. }
            | Self::Garbled
            | Self::OtherProtocol { .. }
            | Self::Io(_) => false,
        }
    }
}
