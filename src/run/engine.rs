//! What every front end needs before an engine can start: folders, configuration, workspace, storage.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::clock::Time;
use crate::base::environment::{Environment, Folders};
use crate::children::{self, keeper};
use crate::cli::{Common, RunArgs};
use crate::config::{self, AUTO, ConfigError, Flags, Loaded, Settings, Sources, resolve_model};
use crate::context::rules::ProjectRules;
use crate::domain::agent::ModelRef;
use crate::domain::session::LeaseHolder;
use crate::error::{self, Trouble};
use crate::headless::exit::Exit;
use crate::orchestrator::engine::{IfShut, OpenWhat, ProjectLayer, Reload, Setup};
use crate::orchestrator::machine::{AtStepLimit, Rules};
use crate::orchestrator::seat::Approver;
use crate::provider::Provider;
use crate::provider::replay::record::Recorder;
use crate::provider::replay::{Pace, Replay};
use crate::security::policy::{LayerRules, Policy};
use crate::security::secrets::is_secret_variable;
use crate::security::workspace::Workspace;
use crate::storage::Storage;
use crate::terminal;
use crate::tools::Registry;

/// Three lines for a person with nothing configured.
pub(super) const HOW_TO_CONFIGURE: &str =
    "Point at a server:   BENCHDOG_BASE_URL=http://127.0.0.1:8000/v1 BENCHDOG_MODEL=name benchdog
  or once and for all: name a provider in the file `benchdog config path` prints
  or look around:      benchdog demo";

/// Said where the system does not let us protect ourselves: root without the right to give up rights.
const NOT_HIDDEN: &str = "This system does not let Benchdog hide its environment from the commands it starts: they could read the \
                          keys of endpoints in it. Start Benchdog as a user who is not root.";

/// Requests a turn may make before the workbench asks whether to go on.
const WORKBENCH_STEPS: u32 = 100;

const VALIDATION_ROUNDS: u32 = 3;

/// What is known before any configuration is read.
pub(super) struct Base {
    pub(super) common: Common,
    pub(super) environment: Environment,
    pub(super) folders: Folders,
    /// Absolute.
    pub(super) root: PathBuf,
}

impl Base {
    /// Whether the terminal cannot place its cursor.
    pub(super) fn shows_lines_only(&self) -> bool {
        self.environment.get("TERM") == Some("dumb")
    }

    pub(super) fn new(common: Common) -> Result<Self, Trouble> {
        let environment = Environment::of_process();
        let folders = Folders::resolve(&environment).ok_or_else(|| {
            Trouble::new(Exit::Usage, "There is no home folder.").with_hint("Set `HOME` or `BENCHDOG_HOME`.")
        })?;
        let root = match &common.cwd {
            Some(folder) => folder.clone(),
            None => PathBuf::from("."),
        };
        let root = std::fs::canonicalize(&root).map_err(|error| {
            Trouble::new(
                Exit::Usage,
                format!("The folder `{}` cannot be entered: {error}", root.display()),
            )
            .with_hint("Name an existing folder with `-C`.")
        })?;
        Ok(Self {
            common,
            environment,
            folders,
            root,
        })
    }

    /// Every layer that counts. `project`: the folder's own configuration is one of them.
    pub(super) fn load(&self, project: ProjectRules) -> Result<Loaded, Trouble> {
        self.try_load(project).map_err(|error| {
            Trouble::from_error(Exit::Usage, &error)
                .with_hint("`benchdog config check` reads every layer and says more.")
        })
    }

    pub(super) fn try_load(&self, project: ProjectRules) -> Result<Loaded, ConfigError> {
        self.sources(project).load()
    }

    fn sources(&self, project: ProjectRules) -> OwnedSources {
        OwnedSources {
            user: self.folders.config_file.clone(),
            project: match project {
                ProjectRules::Counted => Some(self.root.join(".benchdog").join("config.jsonc")),
                ProjectRules::Ignored => None,
            },
            file: self.common.config.clone(),
            environment: self.environment.clone(),
            flags: Flags {
                model: self.common.model.clone(),
                agent: self.common.agent.clone(),
            },
        }
    }

    pub(super) fn open_what(&self) -> OpenWhat {
        match (&self.common.resume, self.common.continue_newest) {
            (Some(id), _) => OpenWhat::Session(id.clone()),
            (None, true) => OpenWhat::Newest,
            (None, false) => OpenWhat::New,
        }
    }
}

/// The sources of the configuration, kept to read them again when a folder is trusted.
struct OwnedSources {
    user: PathBuf,
    project: Option<PathBuf>,
    file: Option<PathBuf>,
    environment: Environment,
    flags: Flags,
}

impl OwnedSources {
    fn load(&self) -> Result<Loaded, ConfigError> {
        config::load(&Sources {
            user: self.user.clone(),
            project: self.project.clone(),
            file: self.file.clone(),
            environment: &self.environment,
            flags: self.flags.clone(),
            tools: &Registry::builtin().rules(),
        })
    }
}

pub(super) fn project_of(trust: bool) -> ProjectRules {
    if trust {
        ProjectRules::Counted
    } else {
        ProjectRules::Ignored
    }
}

/// What a front end wants of the engine.
pub(super) struct Wishes {
    pub(super) approver: Approver,
    pub(super) project: ProjectLayer,
    pub(super) limits: Limits,
    pub(super) open: OpenWhat,
    pub(super) if_shut: IfShut,
    pub(super) replay: Option<Arc<dyn Provider>>,
    /// With a replay: the name the recording goes by.
    pub(super) model: Option<ModelRef>,
    pub(super) may_discover: bool,
}

impl Default for Wishes {
    fn default() -> Self {
        Self {
            approver: Approver::Person,
            project: ProjectLayer::Ask,
            limits: Limits::of_workbench(),
            open: OpenWhat::New,
            if_shut: IfShut::Stay,
            replay: None,
            model: None,
            may_discover: false,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    max_steps: u32,
    at_step_limit: AtStepLimit,
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
}

impl Limits {
    pub(super) fn of_workbench() -> Self {
        Self {
            max_steps: WORKBENCH_STEPS,
            at_step_limit: AtStepLimit::Ask,
            max_tokens: None,
            max_cost: None,
        }
    }
}

pub(super) fn limits_of_run(arguments: &RunArgs) -> Limits {
    Limits {
        max_steps: arguments.max_steps,
        at_step_limit: AtStepLimit::End,
        max_tokens: arguments.max_tokens,
        max_cost: arguments.max_cost,
    }
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Trouble> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Trouble::new(Exit::Internal, format!("The program cannot start its threads: {error}")))
}

/// What must hold before the first child is started. Answers what the person should know when it does not.
fn ready_for_children() -> Option<String> {
    children::hide_environment();
    // Without it, what leaves its group outlives a call; the rest works.
    let _ = children::become_subreaper();
    // Without it, a kill leaves the terminal as it is and whatever left its call's session running.
    if let Ok(tells) = keeper::start(&launcher()) {
        terminal::keeper::kept_by(terminal::keeper::Keeper {
            tells,
            taken: keeper::TAKEN,
            given_back: keeper::GIVEN_BACK,
        });
    }
    (!children::hides_environment()).then(|| NOT_HIDDEN.to_owned())
}

/// Everything the engine is made of. Opens no database and makes no connection.
pub(super) fn setup(base: &Base, mut loaded: Loaded, wishes: Wishes) -> Result<Setup, Trouble> {
    loaded.warnings.extend(ready_for_children());
    let outputs = base.folders.cache.join("outputs");
    let mut workspace = Workspace::open(&base.root, &base.common.add_dir, &[outputs])
        .map_err(|error| Trouble::from_error(Exit::Usage, &error))?;
    // By name, not the whole folder: the demo's project lies beside them and is there to be changed.
    let own = [
        base.folders.config_file.clone(),
        base.folders.config_file.with_file_name("AGENTS.md"),
        base.folders.data.join("index.redb"),
        base.folders.data.join("sessions"),
        base.folders.cache.clone(),
        base.folders.logs.clone(),
    ];
    own.into_iter().for_each(|path| workspace.protect(path));
    let storage = Storage::start(&base.folders.data).map_err(|error| Trouble::of_storage(&error))?;
    let model = match wishes.model {
        Some(model) => Some(model),
        None => chosen_model(&loaded.settings)?,
    };
    let replay = match (&wishes.replay, &base.common.replay) {
        (Some(replay), _) => Some(Arc::clone(replay)),
        (None, Some(file)) => Some(replay_from(file, &base.root)?),
        (None, None) => None,
    };
    let record = match &base.common.record {
        Some(file) => Some(recorder(file, &base.root)?),
        None => None,
    };
    let price = model.as_ref().map_or((0.0, 0.0), |model| {
        loaded.settings.model_settings(model).price.unwrap_or_default()
    });
    let rules = Rules {
        max_steps: wishes.limits.max_steps,
        at_step_limit: wishes.limits.at_step_limit,
        max_tokens: wishes.limits.max_tokens,
        max_cost: wishes.limits.max_cost,
        price,
        validate: loaded.settings.validation.auto,
        validation_rounds: VALIDATION_ROUNDS,
        tools: Registry::builtin().facts(),
    };
    let sources = (base.sources(ProjectRules::Ignored), base.sources(ProjectRules::Counted));
    Ok(Setup {
        storage,
        workspace: Arc::new(workspace),
        added: base.common.add_dir.clone(),
        policy: policy(&loaded.settings),
        loader: Box::new(move |project| {
            let chosen = match project {
                ProjectRules::Ignored => &sources.0,
                ProjectRules::Counted => &sources.1,
            };
            let loaded = chosen.load().map_err(|error| error.to_string())?;
            Ok(Reload {
                policy: policy(&loaded.settings),
                settings: Arc::new(loaded.settings),
            })
        }),
        rules,
        approver: wishes.approver,
        project: wishes.project,
        open: wishes.open,
        if_shut: wishes.if_shut,
        model: model.or_else(|| {
            replay.as_ref().map(|_| ModelRef {
                provider: "replay".to_owned(),
                id: "recording".to_owned(),
            })
        }),
        model_insisted: base.common.model.is_some(),
        settings: Arc::new(loaded.settings),
        warnings: loaded.warnings,
        environment: base.environment.clone(),
        folders: base.folders.clone(),
        holder: holder(),
        replay,
        record,
        launcher: launcher(),
        may_discover: wishes.may_discover,
        explain: error::failure,
        advise: error::advice,
    })
}

/// The configured model; `None` when nothing is configured or the servers are to be asked.
fn chosen_model(settings: &Settings) -> Result<Option<ModelRef>, Trouble> {
    match settings.model.as_deref() {
        None | Some(AUTO) => Ok(None),
        Some(text) => resolve_model(text, settings)
            .map(Some)
            .map_err(|error| Trouble::from_error(Exit::Usage, &error)),
    }
}

/// For a front end where nobody can choose again: a session that exists, or an error.
pub(super) async fn existing(setup: &Setup) -> Result<OpenWhat, Trouble> {
    let found = match &setup.open {
        OpenWhat::New | OpenWhat::Exactly(_) => return Ok(setup.open.clone()),
        OpenWhat::Session(partial) => setup.storage.find_one(partial).await.map(Some),
        OpenWhat::Newest => {
            let workspace = setup.workspace.root().display().to_string();
            let newest = setup.storage.newest_in(&workspace).await;
            newest.map(|newest| newest.map(|meta| meta.id))
        }
    };
    match found {
        Ok(Some(id)) => Ok(OpenWhat::Exactly(id)),
        Ok(None) => Err(Trouble::new(
            Exit::Usage,
            format!("There is no earlier session of `{}`.", setup.workspace.root().display()),
        )
        .with_hint(error::advice("no_session"))),
        Err(error) => Err(Trouble::of_storage(&error)),
    }
}

fn replay_from(file: &Path, root: &Path) -> Result<Arc<dyn Provider>, Trouble> {
    let replay = Replay::open(file, &root.display().to_string(), Pace::Immediate)
        .map_err(|error| Trouble::from_error(Exit::Usage, &error).with_hint("Name a file that `--record` wrote."))?;
    Ok(Arc::new(replay))
}

fn recorder(file: &Path, root: &Path) -> Result<Arc<Recorder>, Trouble> {
    Recorder::create(file, &root.display().to_string())
        .map_err(|error| Trouble::from_error(Exit::Usage, &error).with_hint("Name a file that can be written."))
}

/// The variables that programs of the person do not get from us: commands, which do not get them either, could read them there.
pub(super) fn secret_variables(base: &Base, settings: &Settings) -> Arc<[String]> {
    let keys = settings.provider.iter().flat_map(|(_, provider)| &provider.api_key_env);
    let named = base.environment.iter().map(|(name, _)| name);
    let secret = named.filter(|name| is_secret_variable(name)).map(str::to_owned);
    keys.cloned().chain(secret).collect()
}

pub(super) fn policy(settings: &Settings) -> Policy {
    let layers = settings.permission.iter().map(|layer| LayerRules {
        layer: layer.layer,
        origin: layer.origin.clone(),
        rules: layer.rules.clone(),
    });
    Policy::new(&Registry::builtin().rules(), layers.collect())
}

/// Our own executable. On Linux the kernel's own name for it, which stays true when the file is replaced by an update.
fn launcher() -> PathBuf {
    let own = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() {
        return own;
    }
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("benchdog"))
}

fn holder() -> LeaseHolder {
    LeaseHolder {
        pid: std::process::id(),
        host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        tty: rustix::termios::ttyname(std::io::stdin(), Vec::new())
            .ok()
            .and_then(|name| name.into_string().ok()),
        started: Time::now(),
    }
}

/// Waits until the engine has written what it has to write, and until every child that was told to end has ended; not
/// for ever. Says so if the recording stopped before the session did.
pub(super) async fn close(task: tokio::task::JoinHandle<()>, record: Option<&Recorder>) {
    let _ = tokio::time::timeout(std::time::Duration::from_secs(3), task).await;
    let endings = || children::wait_for_endings(std::time::Duration::from_secs(1));
    let _ = tokio::task::spawn_blocking(endings).await;
    if let Some(error) = record.and_then(Recorder::broken) {
        super::complain(&format!("benchdog: {error}"));
    }
}
