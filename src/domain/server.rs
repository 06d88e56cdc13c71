//! Servers of tools: what they are called, what they offer, what they answer, and what may be wrong with one. Plain data; whoever
//! speaks with them is elsewhere.

mod trouble;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::adjustment::Switched;
use super::sign_in::SignIn;
pub(crate) use trouble::{NoPrompt, ServerTrouble, WhyUnauthorized};

/// Between the name of a server and that of its tool.
pub(crate) const JOINT: &str = "__";

/// The longest name of a tool that every API takes.
const MOST_NAME: usize = 64;

/// What is taken of one server: tools, prompts, resources with their templates, and pages of each of these lists.
pub(crate) const MOST_TOOLS: usize = 1_000;
pub(crate) const MOST_PROMPTS: usize = 200;
pub(crate) const MOST_RESOURCES: usize = 500;
pub(crate) const MOST_PAGES: usize = 50;

/// As the configuration names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ServerName(pub(crate) String);

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ServerName {
    /// The name of one of its tools as models and rules know it: what no API takes is `_`, and what is too long ends with a
    /// number made of the whole.
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

/// The server that a tool's name says it is of, where it says so.
pub(crate) fn server_of(tool: &str) -> Option<&str> {
    tool.split_once(JOINT).map(|(server, _)| server)
}

/// A tool as its server offers it, without what steers a terminal, and within bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Offered {
    /// As the server calls it.
    pub(crate) name: String,
    pub(crate) description: String,
    /// A JSON Schema of type object.
    pub(crate) schema: Value,
}

/// A prompt as its server offers it, without what steers a terminal, and within bounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OfferedPrompt {
    /// As the server calls it.
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

/// What a server lists to be read, without what steers a terminal, and within bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OfferedResource {
    /// As the server names it; in a template, with what is to be filled in between braces.
    pub(crate) uri: String,
    /// What the server calls it, for people.
    pub(crate) title: String,
    pub(crate) kind: ResourceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    Whole,
    /// Its address is to be filled in.
    Template,
}

impl OfferedResource {
    /// What of its address is there before anything is to be filled in.
    pub(crate) fn beginning(&self) -> &str {
        match self.kind {
            ResourceKind::Whole => &self.uri,
            ResourceKind::Template => self.uri.split('{').next().unwrap_or_default(),
        }
    }
}

/// A message of a prompt: what its server has the person, or the model, say.
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
    /// How a person names a resource of it, behind the `@`.
    pub(crate) fn resource(&self, uri: &str) -> String {
        format!("{}:{uri}", self.0)
    }

    /// How a person calls a prompt of it, behind the slash: what is no letter, no digit, and none of `_`, `-` and `.` is `_`.
    pub(crate) fn prompt(&self, prompt: &str) -> String {
        let may = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let plain: String = prompt.chars().map(|c| if may(c) { c } else { '_' }).collect();
        format!("{}:{plain}", self.0)
    }
}

/// What a server is known to offer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listed {
    pub(crate) server: ServerName,
    pub(crate) tools: Arc<[Offered]>,
}

/// A part of what a tool answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Text(String),
    /// An image or a sound, by its media type.
    Bytes {
        media: String,
        bytes: Arc<[u8]>,
    },
    /// What can be read elsewhere.
    Link {
        uri: String,
        name: String,
        description: String,
    },
    /// Bytes that cannot be read, and what they would be.
    Unreadable {
        media: String,
    },
    /// Of a kind that is not known, by the name the server has for it; empty: it says none.
    Unknown {
        kind: String,
    },
    /// A resource, whole.
    Resource {
        uri: String,
        text: String,
    },
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answered {
    pub(crate) parts: Vec<Part>,
    /// The same as data, where the server has it so.
    pub(crate) structured: Option<Value>,
    /// The tool itself says that it failed.
    pub(crate) failed: bool,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ServerEnd {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
}

/// Where a server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerStage {
    /// It is started by the first request, or by whoever looks at it.
    Waiting,
    Starting,
    Ready,
    Dead,
    /// By the configuration, or by the person in this session.
    Off,
}

/// One server as a person sees it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServerStatus {
    pub(crate) name: ServerName,
    pub(crate) stage: ServerStage,
    /// What it is known to offer, and about how many tokens that is.
    pub(crate) tools: Vec<ServerTool>,
    pub(crate) tokens: u64,
    pub(crate) sent: Sent,
    /// As a person calls them.
    pub(crate) prompts: Vec<String>,
    /// How many resources it lists, and how many addresses that are to be filled in.
    pub(crate) resources: usize,
    pub(crate) templates: usize,
    pub(crate) trouble: Option<ServerTrouble>,
    /// How often it was started again.
    pub(crate) restarts: u32,
    /// What it asked for and was refused.
    pub(crate) asked: Vec<String>,
    /// What of its tools is not taken, and why.
    pub(crate) left_out: Vec<LeftOut>,
    /// Tools that the configuration names and it does not offer.
    pub(crate) missing: Vec<String>,
    /// Where a sign-in at it stands, where one was begun.
    pub(crate) sign_in: Option<SignIn>,
}

/// One of its tools as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerTool {
    /// As models and rules know it.
    pub(crate) name: String,
    /// The first line of what it says of itself.
    pub(crate) about: String,
    pub(crate) switched: Switched,
}

/// What a person wants of a server in their session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerOrder {
    Restart,
    On,
    Off,
    SignIn,
    SignOut,
}

/// How a model comes to the tools of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// They stand in each request.
    Whole,
    /// They are found by a tool.
    OnDemand,
    /// Nothing was sent yet.
    NotYet,
}

/// What is said of servers while a session goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum ServerNotice {
    /// The first request waits for what these offer.
    Awaited { servers: Vec<ServerName> },
    /// What is declared to the model from here on, and what it finds on demand.
    Declared {
        whole: Vec<ServerTools>,
        on_demand: Vec<ServerTools>,
    },
    /// Tools that are not taken, because another one has their name.
    NamesTaken { tools: Vec<String> },
    /// There is none of this name.
    Unknown { server: ServerName },
    /// No server offers a tool of this name.
    NoTool { tool: String },
    /// The configuration names tools of it that it does not offer.
    Missing { server: ServerName, tools: Vec<String> },
    /// One that cannot be had.
    Dead { server: ServerName, trouble: ServerTrouble },
    /// It wanted a person to fill something in.
    Form { server: ServerName, came_to: FormEnd },
    /// It wanted something filled in that no person is asked for.
    FormRefused { server: ServerName, why: WhyNoForm },
}

/// Why a form reaches nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhyNoForm {
    /// It asks for a secret: the word that says so, and the field it is of, where it is of one.
    Secret { word: String, field: Option<String> },
    /// It is an address to open.
    Address,
    /// It is no form of plain fields, or one without end.
    Odd,
    /// One call has asked too often.
    TooMany,
    /// The person has switched the server off.
    Off,
}

/// What came of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FormEnd {
    Told,
    /// The person tells it nothing.
    Declined,
    /// Nobody needs to answer any more: its call is over, or the server took it back.
    Withdrawn,
    /// Several calls ran, and nobody could tell which it was for: it reached nobody.
    Unclear,
}

/// What may be written for an argument of a prompt, as far as its server says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Values {
    /// It does not run, and nothing starts it for that.
    NotYet,
    Known {
        values: Vec<String>,
        left_out: LeftUntold,
    },
}

/// How many there are beside those that are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftUntold {
    None,
    /// So many there are in all.
    Of(u64),
    /// Nobody says how many.
    Some,
}

/// How many tools a server offers, and about how many tokens they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerTools {
    pub(crate) server: ServerName,
    pub(crate) tools: u64,
    pub(crate) tokens: u64,
}

impl ServerNotice {
    /// The stable name scripts know.
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

/// A tool that is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeftOut {
    pub(crate) tool: String,
    pub(crate) why: WhyLeftOut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhyLeftOut {
    /// Another tool has its name.
    NameTaken,
    /// It has no name, or one that is no name.
    Misnamed,
    /// What it says of its arguments is too long or too deep, or no object.
    Schema,
    /// It is no object.
    NoTool,
    /// The server offers more than are taken.
    TooMany,
    /// No tool, but all that stands further back in a list than is read.
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
