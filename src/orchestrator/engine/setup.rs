//! Startup parameters of the engine. The composition root at the top level creates them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::future::BoxFuture;

use super::archive::{Exporter, SessionSearch};
use super::children::ToldOfChildren;
use crate::machine::Rules;
use crate::seat::Approver;
use benchdog_agent::Agents;
use benchdog_base::environment::{Environment, Folders};
use benchdog_base::id::{EntryId, SessionId};
use benchdog_config::settings::Settings;
use benchdog_context::rules::{Nearer, ProjectRules, RulesFile};
use benchdog_context::skills::Skills;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::checkup::Check;
use benchdog_domain::notice::{Notice, Unread};
use benchdog_domain::session::LeaseHolder;
use benchdog_domain::setting::Setting;
use benchdog_domain::tool_list::ToolList;
use benchdog_files::walker::Levels;
use benchdog_mcp::{Definition, Servers};
use benchdog_provider::Provider;
use benchdog_provider::replay::record::Recorder;
use benchdog_security::policy::Policy;
use benchdog_security::trust::TrustSubject;
use benchdog_security::workspace::{Buffers, Workspace};
use benchdog_storage::Storage;
use benchdog_tools::Registry;
use benchdog_tools::confinement::Sandbox;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenWhat {
    New,
    Newest,
    Session(String),
    /// A copy of another session's log, up to an entry.
    Fork {
        of: String,
        upto: Option<EntryId>,
    },
    Exactly(SessionId),
}

/// Behaviour if the requested session cannot be opened. Neither variant opens another session instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfShut {
    Stay,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectLayer {
    Ask,
    Ignore,
    /// `--trust`: trusts the folder's files in this run.
    Trust,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    Never,
    WhereNothingIsConfigured,
    /// `--setup`: searches for model servers even if one is configured. `also` lists further addresses to try.
    Asked {
        also: Vec<String>,
    },
}

pub type Examiner = Box<dyn Fn(Arc<Settings>, Option<ModelRef>) -> BoxFuture<'static, Vec<Check>> + Send + Sync>;

pub(crate) type Loader = Box<dyn Fn() -> Survey + Send + Sync>;

pub(crate) type SettingsLister = Box<dyn Fn(ProjectRules) -> Result<Vec<Setting>, String> + Send + Sync>;

pub(crate) type SettingsWriter = Box<dyn Fn(&[String], &str, ProjectRules) -> Result<(), String> + Send + Sync>;

/// The configuration with and without the folder's own files. `subject` identifies these files by their hash. All files
/// were read at the same time, so the hash matches the content.
pub struct Survey {
    pub subject: Option<TrustSubject>,
    pub refused: Vec<Unread>,
    pub without: Result<Reload, String>,
    pub with: Result<Reload, String>,
}

impl Survey {
    pub(crate) fn of(&self, project: ProjectRules) -> Result<&Reload, &str> {
        let reload = match project {
            ProjectRules::Ignored => &self.without,
            ProjectRules::Counted => &self.with,
        };
        reload.as_ref().map_err(String::as_str)
    }
}

#[derive(Clone)]
pub struct Reload {
    pub settings: Arc<Settings>,
    pub policy: Policy,
    pub agents: Arc<Agents>,
    pub tools: Registry,
    pub servers: Vec<Definition>,
    pub languages: Vec<benchdog_lsp::Definition>,
    /// The configured model. `None` if no model is configured, or if Benchdog selects the model automatically.
    pub model: Option<ModelRef>,
    pub rules: Rules,
    pub texts: Vec<RulesFile>,
    /// The rule files of subfolders.
    pub nearer: Arc<Nearer>,
    pub skills: Arc<Skills>,
}

pub struct FolderSetup {
    pub workspace: Arc<Workspace>,
    pub levels: Levels,
    pub settings: Arc<Settings>,
    pub policy: Policy,
    pub rules: Rules,
    pub agents: Arc<Agents>,
    pub tools: Registry,
    pub servers: Servers,
    pub languages: benchdog_lsp::Servers,
    pub loader: Loader,
    pub settings_lister: SettingsLister,
    pub settings_writer: SettingsWriter,
}

pub type FolderOpener = Box<dyn Fn(&Path) -> Result<FolderSetup, String> + Send + Sync>;

pub struct Setup {
    pub storage: Storage,
    pub open_folder: FolderOpener,
    /// The original folder, if Benchdog was started in a worktree. Trust in it extends to equal files in the worktree.
    pub started_from: Option<String>,
    pub added: Vec<PathBuf>,
    pub warnings: Vec<Notice>,
    pub may_use: ToolList,
    /// The agent from `--agent`. Overrides the agent of a resumed session.
    pub agent: Option<AgentName>,
    pub examiner: Examiner,
    pub approver: Approver,
    pub children: ToldOfChildren,
    pub project: ProjectLayer,
    pub open: OpenWhat,
    pub if_shut: IfShut,
    pub model: Option<ModelRef>,
    /// Whether `model` is from `-m`, so that it overrides the model of a resumed session.
    pub model_insisted: bool,
    pub environment: Environment,
    pub folders: Folders,
    pub holder: LeaseHolder,
    /// A recording that answers requests in place of all endpoints.
    pub replay: Option<Arc<dyn Provider>>,
    pub record: Option<Arc<Recorder>>,
    pub launcher: PathBuf,
    pub sandbox: Arc<Sandbox>,
    pub search: Search,
    pub searcher: SessionSearch,
    pub exporter: Exporter,
    pub buffers: Option<Arc<dyn Buffers>>,
}
