//! Data for display in answers.

use std::sync::Arc;

use crate::domain::agent::ModelRef;
use crate::domain::entry::Entry;
use crate::domain::history::LetGo;
use crate::domain::plan::Plan;
use crate::domain::server::ServerName;
use crate::domain::session::SessionMeta;
use crate::domain::skill::SkillOffer;
use crate::domain::todo::TodoList;
use crate::domain::tool::ToolFacts;

/// The configured display and keyboard options, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) theme: String,
    pub(crate) keys: Vec<(String, Vec<String>)>,
    pub(crate) mouse: bool,
    pub(crate) vim: bool,
    /// Whether to ask before an exit that would stop running work.
    pub(crate) confirm_exit: bool,
    /// Whether `Alt+Y` and `Alt+N` decide without focus.
    pub(crate) alt_decides: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FolderItem {
    /// Relative to the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) folder: bool,
    /// Whether git or an ignore file ignores it. Listed last and dimmed.
    pub(crate) ignored: bool,
    /// The letter of `git status`, if any.
    pub(crate) git: Option<char>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundPath {
    /// Relative to the workspace, with `/`. A folder ends with `/`.
    pub(crate) path: String,
    /// Whether git or an ignore file ignores it. Listed last and marked.
    pub(crate) ignored: bool,
}

/// The reason why a tested server lists no models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotListed {
    pub(crate) why: String,
    /// The server requires a key, or another key.
    pub(crate) wants_key: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeLeft {
    /// The filter text, so that a late answer can be dropped.
    pub(crate) query: String,
    /// The best matches, best first.
    pub(crate) items: Vec<FolderItem>,
    pub(crate) all: usize,
    /// Whether the scan is still running. A further answer follows.
    pub(crate) scanning: bool,
}

/// The name of an MCP prompt after the slash, and the text from there to the cursor. Used to complete arguments. The answer repeats it, so
/// that a late one can be dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Behind {
    pub(crate) called: String,
    pub(crate) written: String,
}

/// MCP resources that match the text after `@`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FoundResources {
    pub(crate) of: Option<ServerName>,
    pub(crate) rows: Vec<FoundResource>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundResource {
    /// The text after `@`.
    pub(crate) name: String,
    /// The text up to the first variable of a template.
    pub(crate) begins: String,
    pub(crate) kind: FoundKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FoundKind {
    /// The server's title.
    Resource {
        title: String,
    },
    Template {
        title: String,
    },
    /// A server, with the number of its resources.
    Server {
        count: usize,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundServer {
    pub(crate) base_url: String,
    pub(crate) models: Vec<FoundModel>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundModel {
    pub(crate) id: String,
    /// In tokens, if the server reports it.
    pub(crate) window: Option<u64>,
}

/// The state of a session when its seat is opened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Opened {
    pub(crate) meta: SessionMeta,
    pub(crate) worktree: Option<String>,
    /// The current model. The session may have started with another.
    pub(crate) model: Option<ModelRef>,
    /// The part of the log that is not in memory. `Command::LoadEarlier` reads it.
    pub(crate) gone: LetGo,
    /// The entries in memory, oldest first, including older ones that panes show.
    pub(crate) entries: Vec<Arc<Entry>>,
    pub(crate) todo: TodoList,
    pub(crate) plan: Option<Plan>,
    pub(crate) tools: Arc<[ToolFacts]>,
    pub(crate) skills: Vec<SkillOffer>,
}

/// The action for a running turn when its seat is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfBusy {
    Stay,
    Stop,
}
