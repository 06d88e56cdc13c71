//! MCP servers: names, offered tools, prompts and resources, answers, and status.

mod trouble;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::adjustment::Switched;
use super::sign_in::SignIn;
pub(crate) use trouble::{NoPrompt, ServerTrouble, WhyUnauthorized};

/// The separator between server name and tool name.
pub(crate) const JOINT: &str = "__";

/// Maximum length of a tool name that all APIs accept.
const MOST_NAME: usize = 64;

/// Maximum number of tools, prompts, resources and pages per server.
pub(crate) const MOST_TOOLS: usize = 1_000;
pub(crate) const MOST_PROMPTS: usize = 200;
pub(crate) const MOST_RESOURCES: usize = 500;
pub(crate) const MOST_PAGES: usize = 50;

/// The name in the configuration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ServerName(pub(crate) String);

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ServerName {
    /// Returns the tool name for models and rules. Invalid characters become `_`. A name that is too long ends with a hash of the whole
    /// name.
    pub(crate) fn tool(&self, tool: &str) -> String {
        let may = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let plain: String = tool.chars().map(|c| if may(c) { c } else { '_' }).collect();
        let whole = format!("{}{JOINT}{plain}", self.0);
        if whole.len() <= MOST_NAME {
            return whole;
        }
        let number = crate::base::id::BlobId::of(tool.as_bytes()).0;
        let number = number.get(..8).unwrap_or_default();
        let kept: String = whole.chars().take(MOST_NAME - number.len() - 1).collect();
        format!("{kept}_{number}")
    }
}

pub(crate) fn server_of(tool: &str) -> Option<&str> {
    tool.split_once(JOINT).map(|(server, _)| server)
}

/// A tool of a server, without control characters and within size limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Offered {
    pub(crate) name: String,
    pub(crate) description: String,
    /// A JSON Schema of type object.
    pub(crate) schema: Value,
}

/// A prompt of a server, without control characters and within size limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OfferedPrompt {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) arguments: Vec<PromptArgument>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PromptArgument {
    pub(crate) name: String,
    pub(crate) need: Need,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Need {
    Required,
    Optional,
}

/// A resource of a server, without control characters and within size limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OfferedResource {
    /// The URI. In a template, variables are in braces.
    pub(crate) uri: String,
    pub(crate) title: String,
    pub(crate) kind: ResourceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    Whole,
    Template,
}

impl OfferedResource {
    /// Returns the fixed part of the URI before the first variable.
    pub(crate) fn beginning(&self) -> &str {
        match self.kind {
            ResourceKind::Whole => &self.uri,
            ResourceKind::Template => self.uri.split('{').next().unwrap_or_default(),
        }
    }
}

/// A message of a prompt, with its role.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spoken {
    pub(crate) by: Speaker,
    pub(crate) part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    Person,
    Model,
}

impl ServerName {
    /// Returns the mention text of a resource, without the `@`.
    pub(crate) fn resource(&self, uri: &str) -> String {
        format!("{}:{uri}", self.0)
    }

    /// Returns the command name of a prompt, without the slash. Characters other than letters, digits, `_`, `-` and `.` become `_`.
    pub(crate) fn prompt(&self, prompt: &str) -> String {
        let may = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let plain: String = prompt.chars().map(|c| if may(c) { c } else { '_' }).collect();
        format!("{}:{plain}", self.0)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listed {
    pub(crate) server: ServerName,
    pub(crate) tools: Arc<[Offered]>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Text(String),
    /// An image or audio, by MIME type.
    Bytes {
        media: String,
        bytes: Arc<[u8]>,
    },
    Link {
        uri: String,
        name: String,
        description: String,
    },
    /// Invalid binary data, with its MIME type.
    Unreadable {
        media: String,
    },
    /// An unknown kind, by the server's name for it. Empty if unnamed.
    Unknown {
        kind: String,
    },
    Resource {
        uri: String,
        text: String,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answered {
    pub(crate) parts: Vec<Part>,
    /// The answer as structured data, if the server sends it.
    pub(crate) structured: Option<Value>,
    pub(crate) failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ServerEnd {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerStage {
    /// Started by the first request, or when the person lists servers.
    Waiting,
    Starting,
    Ready,
    Dead,
    /// Disabled by the configuration, or by the person in this session.
    Off,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServerStatus {
    pub(crate) name: ServerName,
    pub(crate) stage: ServerStage,
    /// The known tools, with their estimated tokens.
    pub(crate) tools: Vec<ServerTool>,
    pub(crate) tokens: u64,
    pub(crate) sent: Sent,
    /// Command names of the prompts.
    pub(crate) prompts: Vec<String>,
    pub(crate) resources: usize,
    pub(crate) templates: usize,
    pub(crate) trouble: Option<ServerTrouble>,
    pub(crate) restarts: u32,
    /// Requests of the server that were refused.
    pub(crate) asked: Vec<String>,
    /// Skipped tools, with reasons.
    pub(crate) left_out: Vec<LeftOut>,
    /// Tools that are configured, but not offered.
    pub(crate) missing: Vec<String>,
    pub(crate) sign_in: Option<SignIn>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerTool {
    /// The name for models and rules.
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) switched: Switched,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerOrder {
    Restart,
    On,
    Off,
    SignIn,
    SignOut,
}

/// The way in which the model gets the tools of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// Declared in each request.
    Whole,
    /// Found with a search tool.
    OnDemand,
    /// No request was sent yet.
    NotYet,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum ServerNotice {
    Awaited {
        servers: Vec<ServerName>,
    },
    /// Tools declared to the model from now on, and tools found on demand.
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
    /// Configured tools that the server does not offer.
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
pub(crate) enum WhyNoForm {
    /// The form asks for a secret. Contains the matching word, and the field if known.
    Secret {
        word: String,
        field: Option<String>,
    },
    /// The form asks the person to open a URL.
    Address,
    /// The form is not a flat list of simple fields, or is too large.
    Odd,
    /// The call asked too often.
    TooMany,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FormEnd {
    Told,
    Declined,
    /// The call ended, or the server withdrew the form.
    Withdrawn,
    /// Several calls were running, so the form could not be assigned to one.
    Unclear,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Values {
    NotYet,
    Known { values: Vec<String>, left_out: LeftUntold },
}

/// The number of further values that are not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftUntold {
    None,
    Of(u64),
    Some,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerTools {
    pub(crate) server: ServerName,
    pub(crate) tools: u64,
    pub(crate) tokens: u64,
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
pub(crate) struct LeftOut {
    pub(crate) tool: String,
    pub(crate) why: WhyLeftOut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhyLeftOut {
    NameTaken,
    /// The name is missing or invalid.
    Misnamed,
    /// The input schema is too large, too deep, or not an object.
    Schema,
    NoTool,
    TooMany,
    /// All tools after the maximum number of pages.
    Unlisted,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_called_by_its_server_and_its_name() {
        let files = ServerName("files".to_owned());
        assert_eq!(files.tool("read_file"), "files__read_file");
        assert_eq!(files.tool("read file/now"), "files__read_file_now");
        assert_eq!(server_of("files__read"), Some("files"));
        assert_eq!(server_of("read"), None);
    }

    #[test]
    fn long_names_stay_within_what_apis_take_and_differ_where_the_whole_differs() {
        let server = ServerName("s".repeat(32));
        let (one, other) = (
            server.tool(&format!("{}a", "x".repeat(80))),
            server.tool(&format!("{}b", "x".repeat(80))),
        );
        assert_eq!((one.len(), other.len()), (64, 64));
        assert_ne!(one, other);
    }
}
