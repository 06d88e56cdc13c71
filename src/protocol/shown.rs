//! Data types for display in answers.

use std::sync::Arc;

use benchdog_domain::agent::{ModelRef, Readiness};
use benchdog_domain::entry::Entry;
use benchdog_domain::history::LetGo;
use benchdog_domain::plan::Plan;
use benchdog_domain::server::ServerName;
use benchdog_domain::server_error::ServerError;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::skill::SkillOffer;
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::ToolFacts;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    pub theme: String,
    pub keys: Vec<(String, Vec<String>)>,
    pub mouse: bool,
    pub vim: bool,
    /// Whether to ask for confirmation before an exit that would stop running work.
    pub confirm_exit: bool,
    /// Whether `Alt+Y` and `Alt+N` decide a request that does not have the focus.
    pub alt_decides: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderItem {
    /// Path relative to the workspace, with `/` as separator.
    pub path: String,
    pub folder: bool,
    /// Whether git or an ignore file ignores the entry. Ignored entries are listed last and dimmed.
    pub ignored: bool,
    /// The status letter of `git status`, if any.
    pub git: Option<char>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPath {
    /// Path relative to the workspace, with `/` as separator. The path of a folder ends with `/`.
    pub path: String,
    pub ignored: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullState {
    /// Progress in bytes. Sent when the percentage changes.
    Running {
        done: u64,
        total: u64,
    },
    Done,
    /// The API of the provider does not support downloads.
    Unsupported,
    Offline,
    Failed {
        why: ServerError,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotListed {
    pub why: ServerError,
    /// Whether the server requires a key, or rejected the given one.
    pub wants_key: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeLeft {
    /// The filter text, so that a late answer can be recognised.
    pub query: String,
    pub items: Vec<FolderItem>,
    pub all: usize,
    /// Whether the folder is still being scanned, so that a further answer follows.
    pub scanning: bool,
}

/// The name of an MCP prompt, and the text between the name and the cursor. The answer repeats both, so that a late
/// answer can be recognised.
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
    /// The text of a URI template up to its first variable.
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
    /// If the server is `Loading`, another `Answer::FirstStart` follows when the model is loaded.
    pub readiness: Readiness,
    pub models: Vec<FoundModel>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundModel {
    pub id: String,
    /// The context window in tokens, if the server reports it.
    pub window: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    pub meta: SessionMeta,
    pub worktree: Option<String>,
    /// The current model, which may differ from the model at the start of the session.
    pub model: Option<ModelRef>,
    /// The part of the log that is not in memory. `Command::LoadEarlier` requests it.
    pub gone: LetGo,
    /// The log entries in memory, oldest first. Includes some older entries that panes need.
    pub entries: Vec<Arc<Entry>>,
    pub todo: TodoList,
    pub plan: Option<Plan>,
    pub tools: Arc<[ToolFacts]>,
    pub skills: Vec<SkillOffer>,
}

/// Determines what happens to a running turn when its seat is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfBusy {
    Stay,
    Stop,
}
