//! The sandbox for commands: the requested level, its parts, and the kernel's support.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Off,
    /// Commands may write to the workspace and a private `/tmp`. Changes of tool caches go to a private layer.
    Workspace,
    /// Commands may write only to a private `/tmp`, and tools may not change files.
    ReadOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    #[default]
    Inherit,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    Whole,
    /// Only the workspace, the added folders, and the folders of programs are visible.
    Project,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedBy {
    Default,
    /// Requested by the configuration or the agent. Benchdog never lowers this level without a message.
    Person,
}

/// Placeholder for a missing file or folder of the workspace. The placeholder prevents a running command from creating
/// a file with that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    Folder,
    File(&'static str),
}

pub const ITSELF: &str = ".\n";

/// Parts of a sandbox. Each depends on a different kernel feature, so any part may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// A mount namespace: read-only by default, secrets and sockets hidden, private `/tmp` and `/dev`.
    Mounts,
    Processes,
    /// Landlock: restricts which files can be opened for writing.
    Landlock,
    /// seccomp: blocks system calls that no build or test needs.
    Calls,
    Network,
}

impl Part {
    pub const ALL: [Self; 5] = [
        Self::Mounts,
        Self::Processes,
        Self::Landlock,
        Self::Calls,
        Self::Network,
    ];

    pub fn code(self) -> &'static str {
        match self {
            Self::Mounts => "mounts",
            Self::Processes => "processes",
            Self::Landlock => "landlock",
            Self::Calls => "calls",
            Self::Network => "network",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    pub part: Part,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    pub level: Level,
    pub network: Network,
    pub missing: Vec<Missing>,
}

impl Level {
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Workspace => "workspace",
            Self::ReadOnly => "read-only",
        }
    }
}
