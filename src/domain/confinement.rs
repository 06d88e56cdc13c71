//! How far commands are held in by the kernel: what is asked for, what it is made of, and what of it can be had here.

use serde::{Deserialize, Serialize};

/// How far a command is held in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Level {
    /// Not at all.
    Off,
    /// It writes in the workspace, in a `/tmp` of its own, and in its own layer over the caches of tools.
    Workspace,
    /// It writes in a `/tmp` of its own, and no tool changes a file.
    ReadOnly,
}

/// Whether a command reaches the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Network {
    /// As the program itself does.
    #[default]
    Inherit,
    None,
}

/// The part of the file system that a command sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum View {
    /// All of it but secrets.
    Whole,
    /// The workspace with the added folders, and the folders where programs are.
    Project,
}

/// Who asked for the level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// Nobody: it follows from how the program was started.
    Default,
    /// The configuration, or the agent that works. It is never less in silence.
    Person,
}

/// What stands in a workspace, while a command runs, under a name that nothing has and that the command must not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stand {
    Folder,
    File(&'static str),
}

/// The text of a file that leads git to the folder in which it lies.
pub(crate) const ITSELF: &str = ".\n";

/// What confinement is made of. Each part comes from another feature of the kernel and can be missing by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// A mount namespace: all else is read-only, secrets and sockets are covered, `/tmp` and `/dev` are its own.
    Mounts,
    /// A process namespace with a `/proc` of its own.
    Processes,
    /// Landlock: files are opened for writing only where they may be.
    Landlock,
    /// seccomp: calls into the kernel that no build or test needs.
    Calls,
    /// A network namespace, where the network is cut off.
    Network,
}

impl Part {
    pub(crate) const ALL: [Self; 5] = [
        Self::Mounts,
        Self::Processes,
        Self::Landlock,
        Self::Calls,
        Self::Network,
    ];

    /// The stable name scripts know.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Mounts => "mounts",
            Self::Processes => "processes",
            Self::Landlock => "landlock",
            Self::Calls => "calls",
            Self::Network => "network",
        }
    }
}

/// A part that cannot be had, and what the system said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Missing {
    pub(crate) part: Part,
    pub(crate) why: String,
}

/// What holds for commands of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Confinement {
    pub(crate) level: Level,
    pub(crate) network: Network,
    /// Tried on this system; empty where everything holds.
    pub(crate) missing: Vec<Missing>,
}

impl Level {
    /// As configurations write it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Workspace => "workspace",
            Self::ReadOnly => "read-only",
        }
    }
}
