//! What front ends are shown in answers.

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

/// What the configuration says of the screen and the keyboard, as it was written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) theme: String,
    /// Actions and their keys.
    pub(crate) keys: Vec<(String, Vec<String>)>,
    pub(crate) mouse: bool,
    /// The prompt is edited as in vi.
    pub(crate) vim: bool,
    /// Leaving asks where it would stop something.
    pub(crate) confirm_exit: bool,
    /// `Alt+Y` and `Alt+N` decide without the focus.
    pub(crate) alt_decides: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FolderItem {
    /// Relative to the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) folder: bool,
    /// Ignored by git or an ignore file: shown last and dim.
    pub(crate) ignored: bool,
    /// The letter of `git status`, where it has one.
    pub(crate) git: Option<char>,
}

/// A path that `@` offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundPath {
    /// Relative to the workspace, with `/`; a folder ends with one.
    pub(crate) path: String,
    /// Ignored by git or an ignore file: listed last and marked.
    pub(crate) ignored: bool,
}

/// Why a server that was tested lists no models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotListed {
    pub(crate) why: String,
    /// It refused for want of a key, or of another one.
    pub(crate) wants_key: bool,
}

/// What a filter over the tree leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeLeft {
    /// What was typed, so that a late answer can be dropped.
    pub(crate) query: String,
    /// The best of it, best first.
    pub(crate) items: Vec<FolderItem>,
    /// How much it is in all.
    pub(crate) all: usize,
    /// Names are still being read: it is told once more.
    pub(crate) scanning: bool,
}

/// The name of a server's prompt behind the slash, and what stands behind that up to the caret: what may be written there is asked for,
/// and the answer carries the same, so that a late one can be dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Behind {
    pub(crate) called: String,
    pub(crate) written: String,
}

/// What servers have to be read that fits what was typed behind an `@`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FoundResources {
    /// The one that what was typed names.
    pub(crate) of: Option<ServerName>,
    pub(crate) rows: Vec<FoundResource>,
}

/// What a server has to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundResource {
    /// Behind the `@`.
    pub(crate) name: String,
    /// The same up to where it is to be filled in, or chosen.
    pub(crate) begins: String,
    pub(crate) kind: FoundKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FoundKind {
    /// What its server calls it.
    Resource { title: String },
    /// The same.
    Template { title: String },
    /// A server, and how many it has.
    Server { count: usize },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundServer {
    pub(crate) base_url: String,
    pub(crate) models: Vec<FoundModel>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundModel {
    pub(crate) id: String,
    /// In tokens, where the server says it.
    pub(crate) window: Option<u64>,
}

/// A session as it is when its seat is taken.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Opened {
    pub(crate) meta: SessionMeta,
    /// The name of the worktree that it works in.
    pub(crate) worktree: Option<String>,
    /// The model requests go to now; the session may have been made with another.
    pub(crate) model: Option<ModelRef>,
    /// What of its log is not in memory any more; `Command::LoadEarlier` reads it.
    pub(crate) gone: LetGo,
    /// The rest, oldest first; of what is gone those that panes show.
    pub(crate) entries: Vec<Arc<Entry>>,
    pub(crate) todo: TodoList,
    pub(crate) plan: Option<Plan>,
    /// What a front end may know of the tools this session has.
    pub(crate) tools: Arc<[ToolFacts]>,
    pub(crate) skills: Vec<SkillOffer>,
}

/// What becomes of a turn in a seat that is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfBusy {
    /// It goes on, and the seat stays.
    Stay,
    /// It is stopped, and the seat closed once that is in the log.
    Stop,
}
