//! What the engine is started with. Everything in it was made by the composition root.

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

/// Which session to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OpenWhat {
    New,
    /// The newest session of this folder.
    Newest,
    /// A whole or partial id.
    Session(String),
    Exactly(SessionId),
}

/// What the engine does when the session that was asked for cannot be opened. It never writes into another one instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfShut {
    /// Says so and takes no prompt until the person has chosen a session.
    Stay,
    /// Says so and ends.
    End,
}

/// What the engine does about files of the folder that want to be rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProjectLayer {
    /// Ask the person, and keep the answer.
    Ask,
    /// Ignore them with a warning.
    Ignore,
    /// `--trust`: they count for this run.
    Trust,
}

/// When servers are looked for on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Search {
    Never,
    WhereNothingIsConfigured,
    /// `--setup`: in any case, and also at these addresses.
    Asked {
        also: Vec<String>,
    },
}

/// Looks whether endpoint and surroundings are well, for a model of a configuration.
pub(crate) type Examiner = Box<dyn Fn(Arc<Settings>, Option<ModelRef>) -> BoxFuture<'static, Vec<Check>> + Send + Sync>;

/// Looks at the folder and at the configuration once more.
pub(crate) type Loader = Box<dyn Fn() -> Survey + Send + Sync>;

/// The settings that the person may change, or what is wrong with a file.
pub(crate) type SettingsLister = Box<dyn Fn(ProjectRules) -> Result<Vec<Setting>, String> + Send + Sync>;

/// Writes what the person wrote for the setting of a path to their own file, or says why not.
pub(crate) type SettingsWriter = Box<dyn Fn(&[String], &str, ProjectRules) -> Result<(), String> + Send + Sync>;

/// What the folder brings along, and the configuration with it and without it. All of it was read in one go, so `with` is made
/// of the very bytes that `subject` is the hash of.
pub(crate) struct Survey {
    pub(crate) subject: Option<TrustSubject>,
    /// Files that are there and never count.
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

/// Everything that follows from the configuration, for the engine, the machine and every front end (`settings.ui`).
#[derive(Clone)]
pub(crate) struct Reload {
    pub(crate) settings: Arc<Settings>,
    pub(crate) policy: Policy,
    pub(crate) agents: Arc<Agents>,
    pub(crate) tools: Registry,
    /// The servers of tools.
    pub(crate) servers: Vec<Definition>,
    /// `None`: none is configured, or the servers are to be asked.
    pub(crate) model: Option<ModelRef>,
    pub(crate) rules: Rules,
    /// The rules files that count, in the order of the prompt.
    pub(crate) texts: Vec<RulesFile>,
    /// Those that are told with the first file read in their folder.
    pub(crate) nearer: Arc<Nearer>,
    pub(crate) skills: Arc<Skills>,
}

/// A folder that sessions may work in: what may be touched there, and what the configuration comes to in it.
pub(crate) struct FolderSetup {
    pub(crate) workspace: Arc<Workspace>,
    /// How far down the names of its files are read.
    pub(crate) levels: Levels,
    pub(crate) settings: Arc<Settings>,
    pub(crate) policy: Policy,
    pub(crate) rules: Rules,
    pub(crate) agents: Arc<Agents>,
    /// The tools of every session in it.
    pub(crate) tools: Registry,
    /// Its servers of tools; none is started yet.
    pub(crate) servers: Servers,
    pub(crate) loader: Loader,
    pub(crate) settings_lister: SettingsLister,
    pub(crate) settings_writer: SettingsWriter,
}

/// Opens a folder beside the one that the program was started in, or says why not.
pub(crate) type FolderOpener = Box<dyn Fn(&Path) -> Result<FolderSetup, String> + Send + Sync>;

pub(crate) struct Setup {
    pub(crate) storage: Storage,
    pub(crate) open_folder: FolderOpener,
    /// The folder that the program was started from where it begins in a worktree: what is trusted there, as it is stored, is
    /// trusted here when it is the same.
    pub(crate) started_from: Option<String>,
    pub(crate) added: Vec<PathBuf>,
    /// What is to be said at the start: a protection that could not be had.
    pub(crate) warnings: Vec<Notice>,
    /// The tools that calls of the model may use, whoever works.
    pub(crate) may_use: ToolList,
    /// The agent that was asked for: it replaces the one a resumed session had.
    pub(crate) agent: Option<AgentName>,
    pub(crate) examiner: Examiner,
    pub(crate) approver: Approver,
    pub(crate) children: ToldOfChildren,
    pub(crate) project: ProjectLayer,
    pub(crate) open: OpenWhat,
    pub(crate) if_shut: IfShut,
    pub(crate) model: Option<ModelRef>,
    /// The model was asked for with `-m`: it replaces the one a resumed session had.
    pub(crate) model_insisted: bool,
    pub(crate) environment: Environment,
    pub(crate) folders: Folders,
    pub(crate) holder: LeaseHolder,
    /// Replaces every configured endpoint: a recording.
    pub(crate) replay: Option<Arc<dyn Provider>>,
    pub(crate) record: Option<Arc<Recorder>>,
    /// Our own executable, which starts children.
    pub(crate) launcher: PathBuf,
    /// Holds in what commands do.
    pub(crate) sandbox: Arc<Sandbox>,
    pub(crate) search: Search,
}
