//! MCP servers: their names, status, answers, and offered tools, prompts and resources.

mod trouble;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::adjustment::Switched;
use super::sign_in::SignIn;
pub use trouble::{NoPrompt, ServerTrouble, WhyUnauthorized};

pub const JOINT: &str = "__";

/// Maximum length of a server's name. With this limit, the names of the server's tools are valid in all APIs.
pub const LONGEST_NAME: usize = 32;

/// Maximum length of a tool name that all APIs accept.
const MOST_NAME: usize = 64;

/// Limits for one server.
pub const MOST_TOOLS: usize = 1_000;
pub const MOST_PROMPTS: usize = 200;
pub const MOST_RESOURCES: usize = 500;
pub const MOST_PAGES: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ServerName(pub String);

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ServerName {
    /// Returns the name of a tool for models and rules. Replaces invalid characters by `_`. Shortens a long name, and
    /// appends a hash of the whole name.
    pub fn tool(&self, tool: &str) -> String {
        let may = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let plain: String = tool.chars().map(|c| if may(c) { c } else { '_' }).collect();
        let whole = format!("{}{JOINT}{plain}", self.0);
        if whole.len() <= MOST_NAME {
            return whole;
        }
        let number = benchdog_base::id::BlobId::of(tool.as_bytes()).0;
        let number = number.get(..8).unwrap_or_default();
        let kept: String = whole.chars().take(MOST_NAME - number.len() - 1).collect();
        format!("{kept}_{number}")
    }
}

pub fn server_of(tool: &str) -> Option<&str> {
    tool.split_once(JOINT).map(|(server, _)| server)
}

/// A tool of a server. Its texts contain no control characters, and its size is limited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offered {
    pub name: String,
    pub description: String,
    pub schema: Value,
}

/// A prompt of a server. Its texts contain no control characters, and its size is limited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedPrompt {
    pub name: String,
    pub description: String,
    pub arguments: Vec<PromptArgument>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptArgument {
    pub name: String,
    pub need: Need,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    Required,
    Optional,
}

/// A resource of a server. Its texts contain no control characters, and its size is limited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedResource {
    pub uri: String,
    pub title: String,
    pub kind: ResourceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResourceKind {
    Whole,
    Template,
}

impl OfferedResource {
    pub fn beginning(&self) -> &str {
        match self.kind {
            ResourceKind::Whole => &self.uri,
            ResourceKind::Template => self.uri.split('{').next().unwrap_or_default(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Spoken {
    pub by: Speaker,
    pub part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Person,
    Model,
}

impl ServerName {
    pub fn resource(&self, uri: &str) -> String {
        format!("{}:{uri}", self.0)
    }

    /// Returns the command name of a prompt, without the slash. Letters, digits, `_`, `-` and `.` stay, and other
    /// characters become `_`.
    pub fn prompt(&self, prompt: &str) -> String {
        let may = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let plain: String = prompt.chars().map(|c| if may(c) { c } else { '_' }).collect();
        format!("{}:{plain}", self.0)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub server: ServerName,
    pub tools: Arc<[Offered]>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Text(String),
    Bytes {
        media: String,
        bytes: Arc<[u8]>,
    },
    Link {
        uri: String,
        name: String,
        description: String,
    },
    Unreadable {
        media: String,
    },
    Unknown {
        kind: String,
    },
    Resource {
        uri: String,
        text: String,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    pub parts: Vec<Part>,
    pub structured: Option<Value>,
    pub failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServerEnd {
    pub code: Option<i32>,
    pub signal: Option<i32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerStage {
    Waiting,
    Starting,
    Ready,
    Dead,
    Off,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ServerStatus {
    pub name: ServerName,
    pub stage: ServerStage,
    pub tools: Vec<ServerTool>,
    pub tokens: u64,
    pub sent: Sent,
    pub prompts: Vec<String>,
    pub resources: usize,
    pub templates: usize,
    pub trouble: Option<ServerTrouble>,
    pub restarts: u32,
    pub asked: Vec<String>,
    pub left_out: Vec<LeftOut>,
    pub missing: Vec<String>,
    pub sign_in: Option<SignIn>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerTool {
    pub name: String,
    pub about: String,
    pub switched: Switched,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerOrder {
    Restart,
    On,
    Off,
    SignIn,
    SignOut,
}

/// Form in which the model gets a server's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    Whole,
    OnDemand,
    NotYet,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum ServerNotice {
    Awaited {
        servers: Vec<ServerName>,
    },
    Declared {
        whole: Vec<ServerTools>,
        on_demand: Vec<ServerTools>,
    },
    NamesTaken {
        tools: Vec<String>,
    },
    Unknown {
        server: ServerName,
    },
    NoTool {
        tool: String,
    },
    Missing {
        server: ServerName,
        tools: Vec<String>,
    },
    Dead {
        server: ServerName,
        trouble: ServerTrouble,
    },
    Form {
        server: ServerName,
        came_to: FormEnd,
    },
    FormRefused {
        server: ServerName,
        why: WhyNoForm,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyNoForm {
    Secret { word: String, field: Option<String> },
    Address,
    Odd,
    TooMany,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormEnd {
    Told,
    Declined,
    Withdrawn,
    /// Several calls were running, so Benchdog cannot tell which call the form belongs to.
    Unclear,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    NotYet,
    Known { values: Vec<String>, left_out: LeftUntold },
}

/// Whether some values are not shown. `Of` contains the total number of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftUntold {
    None,
    Of(u64),
    Some,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerTools {
    pub server: ServerName,
    pub tools: u64,
    pub tokens: u64,
}

impl ServerNotice {
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Awaited { .. } => "servers_awaited",
            Self::Declared { .. } => "servers_declared",
            Self::NamesTaken { .. } => "server_names_taken",
            Self::Unknown { .. } => "no_server",
            Self::NoTool { .. } => "no_server_tool",
            Self::Missing { .. } => "server_tools_missing",
            Self::Dead { .. } => "server_dead",
            Self::Form { .. } | Self::FormRefused { .. } => "server_form",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub tool: String,
    pub why: WhyLeftOut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyLeftOut {
    NameTaken,
    Misnamed,
    Schema,
    NoTool,
    TooMany,
    Unlisted,
}

#[cfg(test)]
mod tests;
