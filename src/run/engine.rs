//! Prepares an engine for a front end: folders, configuration, workspace, storage.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::limits::Limits;
use super::project::Places;
use super::threads;
use super::{archive, folder, health, own_tools};
use crate::cli::{Common, Reader};
use crate::error::Trouble;
use benchdog_agent::{Agents, NotChosen, Profile};
use benchdog_base::clock::Time;
use benchdog_base::environment::{Environment, Folders};
use benchdog_base::id::EntryId;
use benchdog_children::{self as children, keeper};
use benchdog_config::settings::RetrievalIndex;
use benchdog_config::{AUTO, ConfigError, Loaded, Settings, resolve_model};
use benchdog_context::rules::ProjectRules;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::notice::Unread;
use benchdog_domain::notice::{ConfigNotice, Notice, Until};
use benchdog_domain::permission::Scope;
use benchdog_domain::session::LeaseHolder;
use benchdog_domain::tool_list::ToolList;
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Language, Obstacle, Word, word};
use benchdog_mcp as mcp;
use benchdog_orchestrator::engine::{FolderSetup, IfShut, OpenWhat, ProjectLayer, Search, Setup, ToldOfChildren};
use benchdog_orchestrator::machine::Rules;
use benchdog_orchestrator::seat::Approver;
use benchdog_provider::Provider;
use benchdog_provider::replay::record::Recorder;
use benchdog_provider::replay::{Pace, Replay};
use benchdog_security::policy::{LayerRules, Policy};
use benchdog_security::secrets::is_secret_variable;
use benchdog_security::trust::TrustSubject;
use benchdog_security::workspace::{Buffers, PathError, Workspace};
use benchdog_storage::{Storage, StorageError};
use benchdog_terminal as terminal;
use benchdog_tools::Registry;
use benchdog_tools::confinement::Sandbox;

/// Data that is available before the configuration is loaded.
#[derive(Clone)]
pub(super) struct Base {
    pub(super) common: Common,
    pub(super) reader: Reader,
    pub(super) environment: Environment,
    pub(super) folders: Folders,
    /// The workspace folder, absolute.
    pub(super) root: PathBuf,
    /// The built-in and custom tools of all sessions, with their rules and settings.
    pub(super) tools: Registry,
    pub(super) unread_tools: Vec<Unread>,
    /// MCP servers from an editor, in the format of `--mcp`.
    pub(super) servers: Option<String>,
}

impl Base {
    /// Whether the terminal can only show lines, because it cannot position its cursor.
    pub(super) fn shows_lines_only(&self) -> bool {
        self.environment.get("TERM") == Some("dumb")
    }

    pub(super) fn new(common: Common, reader: Reader) -> Result<Self, Trouble> {
        let environment = Environment::of_process();
        reader.set_language(Language::of_system(&environment));
        let folders = Folders::resolve(&environment).ok_or_else(|| Trouble::obstacle(Exit::Usage, Obstacle::NoHome))?;
        let root = match &common.cwd {
            Some(folder) => folder.clone(),
            None => PathBuf::from("."),
        };
        let root = std::fs::canonicalize(&root).map_err(|error| {
            let (folder, error) = (&root.display().to_string(), &error.to_string());
            Trouble::obstacle(Exit::Usage, Obstacle::NoFolder { folder, error }).coded("no_workspace")
        })?;
        let own = own_tools::folders_of_person(&folders.config_file, common.config.as_deref(), environment.get("HOME"));
        let (tools, unread_tools) = own_tools::of_person(&own);
        Ok(Self {
            common,
            reader,
            environment,
            folders,
            root,
            tools,
            unread_tools,
            servers: None,
        })
    }

    /// Opens the workspace. The folders in `readable` are read-only for tools.
    pub(super) fn open_workspace(&self, readable: &[PathBuf]) -> Result<Workspace, PathError> {
        let mut workspace = Workspace::open(&self.root, &self.common.add_dir, readable)?;
        if let Some(home) = self.environment.get("HOME") {
            workspace.know_home(Path::new(home));
        }
        Ok(workspace)
    }

    pub(super) fn load_own(&self) -> Result<Loaded, Trouble> {
        let loaded = Places::of(self).load_own().map_err(|error| bad_configuration(&error))?;
        self.speak_as(&loaded);
        Ok(loaded)
    }

    fn speak_as(&self, loaded: &Loaded) {
        if let Some(language) = Language::from_name(&loaded.settings.ui.language) {
            self.reader.set_language(language);
        }
    }

    /// Loads the configuration, including the project's part if the folder is trusted.
    pub(super) fn load_here(&self) -> Result<Loaded, Trouble> {
        self.try_load_here()?.loaded.map_err(|error| bad_configuration(&error))
    }

    pub(super) fn try_load_here(&self) -> Result<Here, Trouble> {
        let found = Places::of(self).find();
        if let Ok(loaded) = &found.without {
            self.speak_as(loaded);
        }
        let trusted = match &found.subject {
            None => false,
            Some(_) if self.common.trust => true,
            Some(subject) => self.trusted_before(subject)?,
        };
        let mut left_out: Vec<Notice> = found.refused().into_iter().map(Notice::Refused).collect();
        let project = if trusted {
            ProjectRules::Counted
        } else {
            left_out.extend(found.subject.iter().flat_map(untrusted));
            ProjectRules::Ignored
        };
        let loaded = found.of(project);
        let remarks = loaded.iter().flat_map(|loaded| loaded.settings.remarks.clone());
        left_out.extend(remarks.map(Notice::Config));
        Ok(Here {
            loaded,
            left_out,
            project,
        })
    }

    /// Whether the person trusted exactly these files, or a repository that contains each of them.
    pub(super) fn trusted_before(&self, subject: &TrustSubject) -> Result<bool, Trouble> {
        let part = subject.in_repository.as_ref();
        let answers = self.stored(async |storage, workspace| {
            let own = storage.trust(workspace).await?;
            let repository = match part {
                Some(part) => storage.trust(&part.key()).await?,
                None => None,
            };
            Ok((own, repository))
        })?;
        let (own, repository) = answers.unwrap_or_default();
        Ok(match own {
            Some(own) if own.hash == subject.hash_of(own.trusted) => own.trusted,
            Some(own) if !own.trusted => false,
            _ => repository
                .zip(part)
                .is_some_and(|(answer, part)| answer.trusted && part.is_in(&answer.hash)),
        })
    }

    pub(super) fn remembered(&self) -> Result<Vec<Scope>, Trouble> {
        let scopes = self.stored(async |storage, workspace| storage.grants(workspace).await)?;
        Ok(scopes.unwrap_or_default())
    }

    /// Reads a value from the index. If the index cannot be read, returns `None`.
    fn stored<T>(
        &self,
        ask: impl AsyncFnOnce(&Storage, &str) -> Result<T, StorageError>,
    ) -> Result<Option<T>, Trouble> {
        if !self.folders.data.join("index.redb").exists() {
            return Ok(None);
        }
        let storage = Storage::start(&self.folders.data).map_err(|error| Trouble::of_storage(&error))?;
        let workspace = self.root.display().to_string();
        Ok(threads::runtime()?.block_on(ask(&storage, &workspace)).ok())
    }

    pub(super) fn open_what(&self) -> OpenWhat {
        match (&self.common.resume, &self.common.fork) {
            (Some(id), _) if !id.is_empty() => OpenWhat::Session(id.clone()),
            (_, Some(fork)) => OpenWhat::Fork {
                of: fork.session.clone(),
                upto: fork.entry.map(EntryId),
            },
            _ if self.common.continue_newest => OpenWhat::Newest,
            _ => OpenWhat::New,
        }
    }

    /// Whether `-r` was given without an id, which requests the list of sessions.
    pub(super) fn wants_list(&self) -> bool {
        self.common.resume.as_deref() == Some("")
    }

    pub(super) fn needs_id(&self) -> Result<(), Trouble> {
        match self.wants_list() {
            true => Err(Trouble::obstacle(Exit::Usage, Obstacle::NoSessionId)),
            false => Ok(()),
        }
    }
}

/// The configuration of this folder, and notices about ignored parts.
pub(super) struct Here {
    pub(super) loaded: Result<Loaded, ConfigError>,
    pub(super) left_out: Vec<Notice>,
    /// Whether the folder's own rules and configuration are active.
    pub(super) project: ProjectRules,
}

impl Here {
    /// Reports the parts that were ignored, and returns the loaded configuration.
    pub(super) fn told(self) -> Result<Loaded, Trouble> {
        self.tell();
        self.loaded.map_err(|error| bad_configuration(&error))
    }

    pub(super) fn tell(&self) {
        for notice in &self.left_out {
            super::complain(&lang::message::plain_note(&lang::notice(notice).joined()));
        }
    }
}

fn untrusted(subject: &TrustSubject) -> Vec<Notice> {
    let untrusted = Notice::Untrusted {
        files: subject.files.clone(),
        until: Until::Trusted,
    };
    let names = subject.unbound.clone();
    let unbound = (!names.is_empty()).then_some(Notice::Unbound { names });
    std::iter::once(untrusted).chain(unbound).collect()
}

pub(super) fn bad_configuration(error: &ConfigError) -> Trouble {
    Trouble::from_error(Exit::Usage, error)
        .coded("config")
        .with_hint(word(Word::HintCheck))
}

/// Returns the requested agent. An unknown name is an error, because any other agent would lack the requested
/// restrictions.
pub(super) fn asked_agent(base: &Base, agents: &Agents) -> Result<Option<Arc<Profile>>, Trouble> {
    let Some(name) = base.common.agent() else {
        return Ok(None);
    };
    let known: Vec<&str> = agents.offered().map(|agent| agent.name.0.as_str()).collect();
    let known = &known.join(", ");
    let trouble = match agents.chosen(name) {
        Ok(profile) => return Ok(Some(Arc::clone(profile))),
        Err(NotChosen::Unknown { nearest }) => {
            let nearest = nearest.as_deref();
            Trouble::obstacle(Exit::Usage, Obstacle::NoAgent { name, nearest, known })
        }
        Err(NotChosen::Subagent) => Trouble::obstacle(Exit::Usage, Obstacle::Subagent { name, known }),
        Err(NotChosen::Inner) => Trouble::obstacle(Exit::Usage, Obstacle::InnerAgent { name, known }),
    };
    Err(trouble.coded("no_agent"))
}

/// The options that a front end passes to the engine.
pub(super) struct Wishes {
    pub(super) approver: Approver,
    pub(super) children: ToldOfChildren,
    pub(super) project: ProjectLayer,
    pub(super) limits: Limits,
    pub(super) open: OpenWhat,
    pub(super) if_shut: IfShut,
    pub(super) replay: Option<Arc<dyn Provider>>,
    /// The name of the model in the recording. Set for a replay.
    pub(super) model: Option<ModelRef>,
    pub(super) search: Search,
    /// The tools that `--tools` allows.
    pub(super) may_use: ToolList,
    /// The agent to use. Overrides the agent in the flags.
    pub(super) agent: Option<AgentName>,
    pub(super) notices: Vec<Notice>,
    /// The folder in which Benchdog was started, if the session begins in a worktree.
    pub(super) worktree: Option<StartedFrom>,
    /// The storage to share with other engines of this process.
    pub(super) storage: Option<Storage>,
    pub(super) buffers: Option<Arc<dyn Buffers>>,
    pub(super) is_detached: bool,
}

/// The folder in which Benchdog was started before it moved to a worktree.
pub(super) struct StartedFrom {
    pub(super) root: PathBuf,
    pub(super) notice: Option<Notice>,
}

impl Default for Wishes {
    fn default() -> Self {
        Self {
            approver: Approver::Person,
            children: ToldOfChildren::Rows,
            project: ProjectLayer::Ask,
            limits: Limits::of_workbench(),
            open: OpenWhat::New,
            if_shut: IfShut::Stay,
            replay: None,
            model: None,
            search: Search::Never,
            may_use: ToolList::default(),
            worktree: None,
            storage: None,
            buffers: None,
            is_detached: false,
            agent: None,
            notices: Vec::new(),
        }
    }
}

/// Prepares this process for child processes. Returns a notice if the environment of this process could not be hidden
/// from them. Starts the keeper process only once, because the end of a keeper ends the processes of all calls.
fn ready_for_children() -> Option<Notice> {
    static IS_READY: AtomicBool = AtomicBool::new(false);
    if IS_READY.swap(true, Ordering::Relaxed) {
        return None;
    }
    children::hide_environment();
    // Become a subreaper. Otherwise, a process that leaves its process group could outlive its call.
    let _ = children::become_subreaper();
    // The keeper cleans up if Benchdog is killed. Otherwise, the terminal would stay in raw mode and the processes of
    // calls would continue.
    if let Ok(tells) = keeper::start(&launcher()) {
        terminal::keeper::kept_by(terminal::keeper::Keeper {
            tells,
            taken: keeper::TAKEN,
            given_back: keeper::GIVEN_BACK,
        });
    }
    (!children::hides_environment()).then_some(Notice::Config(ConfigNotice::NotHidden))
}

/// Creates the engine's parts and the initial folder. Opens neither the database nor connections.
pub(super) fn setup(base: &Base, loaded: Loaded, wishes: Wishes) -> Result<(Setup, FolderSetup), Trouble> {
    let no_project = Places::of(base).no_project();
    let made = wishes.worktree.as_ref().and_then(|from| from.notice.clone());
    let warnings = ready_for_children()
        .into_iter()
        .chain(no_project)
        .chain(made)
        .chain(wishes.notices)
        .chain(base.unread_tools.iter().cloned().map(Notice::Refused))
        .collect();
    let limits = wishes.limits;
    let home = folder::open(base, &loaded, limits).map_err(|error| Trouble::from_error(Exit::Usage, &error))?;
    let storage = match wishes.storage {
        Some(storage) => storage,
        None => Storage::start(&base.folders.data).map_err(|error| Trouble::of_storage(&error))?,
    };
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
    has_price(&home.rules, &loaded.settings, model.as_ref())?;
    let asked = asked_agent(base, &home.agents)?.map(|profile| profile.name.clone());
    let agent = wishes.agent.or(asked);
    let setup = Setup {
        may_use: wishes.may_use,
        agent,
        storage,
        open_folder: folder::opener(base.clone(), limits),
        started_from: wishes.worktree.as_ref().map(|from| from.root.display().to_string()),
        added: base.common.add_dir.clone(),
        examiner: health::examiner(base),
        approver: wishes.approver,
        children: wishes.children,
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
        warnings,
        environment: base.environment.clone(),
        folders: base.folders.clone(),
        holder: LeaseHolder {
            detached: wishes.is_detached,
            ..holder()
        },
        replay,
        record,
        launcher: launcher(),
        sandbox: Arc::new(sandbox(base)),
        search: wishes.search,
        searcher: archive::searcher(base),
        exporter: archive::exporter(base),
        buffers: wishes.buffers,
    };
    Ok((setup, home))
}

/// Returns the tools of sessions. Adds the evidence tool if an agent or model needs it. Adds the search and language
/// server tools if they are configured.
pub(super) fn tools_of(settings: &Settings, tools: &Registry) -> Registry {
    let tools = match settings.web() {
        Some(web) => tools.with_web(web.fetch, web.searches()),
        None => tools.clone(),
    };
    let mut tools = tools.adjusted(&settings.tools);
    if settings.wants_proof() {
        tools = tools.with_proof();
    }
    if settings.retrieval.index == RetrievalIndex::Lexical {
        tools = tools.with_retrieval();
    }
    if settings.languages.iter().any(|server| server.enabled) {
        tools = tools.with_languages();
    }
    tools
}

/// Rejects a cost limit for a model without a known price, because the limit would have no effect.
fn has_price(rules: &Rules, settings: &Settings, model: Option<&ModelRef>) -> Result<(), Trouble> {
    let price = model.and_then(|model| settings.model_settings(model).price);
    if rules.max_cost.is_some() && price.is_none() {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoPrice).coded("no_price"));
    }
    Ok(())
}

/// Returns the configured model. `None` if no model is configured, or if the configuration lets Benchdog choose a
/// model.
pub(super) fn chosen_model(settings: &Settings) -> Result<Option<ModelRef>, Trouble> {
    match settings.model.as_deref() {
        None | Some(AUTO) => Ok(None),
        Some(text) => resolve_model(text, settings)
            .map(Some)
            .map_err(|error| Trouble::from_error(Exit::Usage, &error)),
    }
}

/// Returns the session to open. Fails if the session does not exist, because nobody is present to choose another one.
pub(super) async fn existing(setup: &Setup, home: &FolderSetup) -> Result<OpenWhat, Trouble> {
    let found = match &setup.open {
        OpenWhat::New | OpenWhat::Exactly(_) => return Ok(setup.open.clone()),
        OpenWhat::Session(partial) => setup.storage.find_one(partial).await.map(Some),
        OpenWhat::Fork { of, upto } => setup.storage.fork_of(of, *upto).await.map(Some),
        OpenWhat::Newest => {
            let workspace = home.workspace.root().display().to_string();
            let newest = setup.storage.newest_in(&workspace, setup.holder.tty.as_deref()).await;
            newest.map(|newest| newest.map(|meta| meta.id))
        }
    };
    match found {
        Ok(Some(id)) => Ok(OpenWhat::Exactly(id)),
        Ok(None) => {
            let folder = &home.workspace.root().display().to_string();
            Err(Trouble::obstacle(Exit::Usage, Obstacle::NoSession { folder }).coded("no_session"))
        }
        Err(error) => Err(Trouble::of_storage(&error)),
    }
}

fn replay_from(file: &Path, root: &Path) -> Result<Arc<dyn Provider>, Trouble> {
    let replay = Replay::open(file, &root.display().to_string(), Pace::Immediate)
        .map_err(|error| Trouble::from_error(Exit::Usage, &error).with_hint(word(Word::HintReplay)))?;
    Ok(Arc::new(replay))
}

fn recorder(file: &Path, root: &Path) -> Result<Arc<Recorder>, Trouble> {
    Recorder::create(file, &root.display().to_string())
        .map_err(|error| Trouble::from_error(Exit::Usage, &error).with_hint(word(Word::HintRecord)))
}

/// Returns the variables to hide from programs that the person configured, such as an editor. A command of the model
/// could otherwise read these variables from the program's environment.
pub(super) fn secret_variables(base: &Base, settings: &Settings) -> Arc<[String]> {
    let keys = settings.provider.iter().flat_map(|(_, provider)| &provider.api_key_env);
    let named = base.environment.iter().map(|(name, _)| name);
    let secret = named.filter(|name| is_secret_variable(name)).map(str::to_owned);
    keys.cloned().chain(secret).collect()
}

pub(super) fn policy(settings: &Settings, tools: &Registry) -> Policy {
    let layers = settings.permission.iter().map(|layer| LayerRules {
        network: layer.network.clone(),
        layer: layer.layer,
        origin: layer.origin.clone(),
        rules: layer.rules.clone(),
    });
    Policy::new(&tools.all_rules(), layers.collect())
}

/// Creates the sandbox. It is tested when the first command needs it.
pub(super) fn sandbox(base: &Base) -> Sandbox {
    Sandbox::new(launcher(), &base.folders, &base.environment)
}

/// Returns the path of Benchdog's executable. On Linux, this is a path of the kernel that remains valid when an update
/// replaces the file.
pub(super) fn launcher() -> PathBuf {
    let own = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() {
        return own;
    }
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("benchdog"))
}

pub(super) fn holder() -> LeaseHolder {
    LeaseHolder {
        pid: std::process::id(),
        host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        tty: rustix::termios::ttyname(std::io::stdin(), Vec::new())
            .ok()
            .and_then(|name| name.into_string().ok()),
        started: Time::now(),
        detached: false,
    }
}

/// Waits for the engine's last writes and for the end of child processes, a few seconds at most. Reports an incomplete
/// recording.
pub(super) async fn close(task: tokio::task::JoinHandle<()>, record: Option<&Recorder>) {
    let _ = tokio::time::timeout(std::time::Duration::from_secs(3), task).await;
    let moment = std::time::Duration::from_secs(1);
    let endings = tokio::task::spawn_blocking(move || children::wait_for_exits(moment));
    let _ = tokio::join!(endings, mcp::wait_for_shutdown(moment));
    if let Some(error) = record.and_then(Recorder::write_error) {
        let trouble = Trouble::new(Exit::Internal, error.to_string()).with_hint(word(Word::HintRecord));
        super::complain(&trouble.to_string());
    }
}
