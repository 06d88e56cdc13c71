//! Data for display in answers.

use std::sync::Arc;

use benchdog_domain::agent::ModelRef;
use benchdog_domain::entry::Entry;
use benchdog_domain::history::LetGo;
use benchdog_domain::plan::Plan;
use benchdog_domain::server::ServerName;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::skill::SkillOffer;
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::ToolFacts;

/// The configured display and keyboard options, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    pub theme: String,
    pub keys: Vec<(String, Vec<String>)>,
    pub mouse: bool,
    pub vim: bool,
    /// Whether to ask before an exit that would stop running work.
    pub confirm_exit: bool,
    /// Whether `Alt+Y` and `Alt+N` decide without focus.
    pub alt_decides: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderItem {
    /// Relative to the workspace, with `/`.
    pub path: String,
    pub folder: bool,
    /// Whether git or an ignore file ignores it. Listed last and dimmed.
    pub ignored: bool,
    /// The letter of `git status`, if any.
    pub git: Option<char>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPath {
    /// Relative to the workspace, with `/`. A folder ends with `/`.
    pub path: String,
    pub ignored: bool,
}

/// The state of a model's download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullState {
    /// In bytes. Sent when the percentage changes.
    Running {
        done: u64,
        total: u64,
    },
    Done,
    /// The API of the provider has no downloads.
    Unsupported,
    /// `network.offline` is on.
    Offline,
    Failed {
        why: String,
    },
}

/// The reason why a tested server lists no models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotListed {
    pub why: String,
    /// The server requires a key, or another key.
    pub wants_key: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeLeft {
    /// The filter text, so that a late answer can be dropped.
    pub query: String,
    pub items: Vec<FolderItem>,
    pub all: usize,
    /// Whether the scan is still running. A further answer follows.
    pub scanning: bool,
}

/// The name of an MCP prompt after the slash, and the text from there to the cursor. Used to complete
/// arguments. The answer repeats it, so that a late one can be dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behind {
    pub called: String,
    pub written: String,
}

/// MCP resources that match the text after `@`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundResources {
    pub of: Option<ServerName>,
    pub rows: Vec<FoundResource>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundResource {
    pub name: String,
    /// The text up to the first variable of a template.
    pub begins: String,
    pub kind: FoundKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundKind {
    Resource { title: String },
    Template { title: String },
    Server { count: usize },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundServer {
    pub base_url: String,
    pub models: Vec<FoundModel>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundModel {
    pub id: String,
    /// In tokens, if the server reports it.
    pub window: Option<u64>,
}

/// The state of a session when its seat is opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    pub meta: SessionMeta,
    pub worktree: Option<String>,
    /// The current model. The session may have started with another.
    pub model: Option<ModelRef>,
    /// The part of the log that is not in memory. `Command::LoadEarlier` reads it.
    pub gone: LetGo,
    /// The entries in memory, oldest first, including older ones that panes show.
    pub entries: Vec<Arc<Entry>>,
    pub todo: TodoList,
    pub plan: Option<Plan>,
    pub tools: Arc<[ToolFacts]>,
    pub skills: Vec<SkillOffer>,
}

/// The action for a running turn when its seat is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfBusy {
    Stay,
    Stop,
}
