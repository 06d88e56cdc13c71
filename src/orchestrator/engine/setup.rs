//! The engine's startup parameters, created by the composition root.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::future::BoxFuture;

use super::children::ToldOfChildren;
use crate::agent::Agents;
use crate::base::environment::{Environment, Folders};
use crate::base::id::SessionId;
use crate::config::settings::Settings;
use crate::context::rules::{Nearer, ProjectRules, RulesFile};
use crate::context::skills::Skills;
use crate::domain::agent::{AgentName, ModelRef};
use crate::domain::checkup::Check;
use crate::domain::notice::{Notice, Unread};
use crate::domain::session::LeaseHolder;
use crate::domain::setting::Setting;
use crate::domain::tool_list::ToolList;
use crate::files::walker::Levels;
use crate::mcp::{Definition, Servers};
use crate::orchestrator::machine::Rules;
use crate::orchestrator::seat::Approver;
use crate::provider::Provider;
use crate::provider::replay::record::Recorder;
use crate::security::policy::Policy;
use crate::security::trust::TrustSubject;
use crate::security::workspace::Workspace;
use crate::storage::Storage;
use crate::tools::Registry;
use crate::tools::confinement::Sandbox;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OpenWhat {
    New,
    Newest,
    /// A complete or partial id.
    Session(String),
    Exactly(SessionId),
}

/// The behaviour if the requested session cannot be opened. No other session is used instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfShut {
    /// Shows an error and waits for a choice.
    Stay,
    /// Exits with an error.
    End,
}

/// The treatment of the folder's own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProjectLayer {
    /// Asks the person and stores the decision.
    Ask,
    /// Ignores them with a warning.
    Ignore,
    /// `--trust`: trusts them for this run.
    Trust,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Search {
    Never,
    WhereNothingIsConfigured,
    /// `--setup`: always, including these addresses.
    Asked {
        also: Vec<String>,
    },
}

pub(crate) type Examiner = Box<dyn Fn(Arc<Settings>, Option<ModelRef>) -> BoxFuture<'static, Vec<Check>> + Send + Sync>;

pub(crate) type Loader = Box<dyn Fn() -> Survey + Send + Sync>;

/// Lists the settings, or an error in a file.
pub(crate) type SettingsLister = Box<dyn Fn(ProjectRules) -> Result<Vec<Setting>, String> + Send + Sync>;

/// Writes a setting, or returns an error text.
pub(crate) type SettingsWriter = Box<dyn Fn(&[String], &str, ProjectRules) -> Result<(), String> + Send + Sync>;

/// The folder's own files, and the configuration with and without them. Read at once, so `with` has exactly the content that `subject` is
/// the hash of.
pub(crate) struct Survey {
    pub(crate) subject: Option<TrustSubject>,
    pub(crate) refused: Vec<Unread>,
    pub(crate) without: Result<Reload, String>,
    pub(crate) with: Result<Reload, String>,
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
pub(crate) struct Reload {
    pub(crate) settings: Arc<Settings>,
    pub(crate) policy: Policy,
    pub(crate) agents: Arc<Agents>,
    pub(crate) tools: Registry,
    pub(crate) servers: Vec<Definition>,
    /// `None` if not configured, or chosen automatically.
    pub(crate) model: Option<ModelRef>,
    pub(crate) rules: Rules,
    /// Active rules files in prompt order.
    pub(crate) texts: Vec<RulesFile>,
    /// Rules sent with the first file read in their folder.
    pub(crate) nearer: Arc<Nearer>,
    pub(crate) skills: Arc<Skills>,
}

pub(crate) struct FolderSetup {
    pub(crate) workspace: Arc<Workspace>,
    /// The depth of the file index.
    pub(crate) levels: Levels,
    pub(crate) settings: Arc<Settings>,
    pub(crate) policy: Policy,
    pub(crate) rules: Rules,
    pub(crate) agents: Arc<Agents>,
    pub(crate) tools: Registry,
    pub(crate) servers: Servers,
    pub(crate) loader: Loader,
    pub(crate) settings_lister: SettingsLister,
    pub(crate) settings_writer: SettingsWriter,
}

/// Opens a further folder, or returns an error text.
pub(crate) type FolderOpener = Box<dyn Fn(&Path) -> Result<FolderSetup, String> + Send + Sync>;

pub(crate) struct Setup {
    pub(crate) storage: Storage,
    pub(crate) open_folder: FolderOpener,
    /// The original folder, if started in a worktree. Its trust applies to equal files.
    pub(crate) started_from: Option<String>,
    pub(crate) added: Vec<PathBuf>,
    pub(crate) warnings: Vec<Notice>,
    pub(crate) may_use: ToolList,
    /// `--agent`: overrides the agent of a resumed session.
    pub(crate) agent: Option<AgentName>,
    pub(crate) examiner: Examiner,
    pub(crate) approver: Approver,
    pub(crate) children: ToldOfChildren,
    pub(crate) project: ProjectLayer,
    pub(crate) open: OpenWhat,
    pub(crate) if_shut: IfShut,
    pub(crate) model: Option<ModelRef>,
    /// `-m`: overrides the model of a resumed session.
    pub(crate) model_insisted: bool,
    pub(crate) environment: Environment,
    pub(crate) folders: Folders,
    pub(crate) holder: LeaseHolder,
    /// A recording that replaces all endpoints.
    pub(crate) replay: Option<Arc<dyn Provider>>,
    pub(crate) record: Option<Arc<Recorder>>,
    pub(crate) launcher: PathBuf,
    pub(crate) sandbox: Arc<Sandbox>,
    pub(crate) search: Search,
}
