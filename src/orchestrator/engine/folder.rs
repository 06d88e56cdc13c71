//! The working folders of sessions. Seats in the same folder share its files, rules, trust and permissions. A worktree
//! is a separate folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::task::JoinSet;

use super::Survey;
use super::setup::{FolderSetup, Loader, Reload, SettingsLister, SettingsWriter};
use crate::machine::Rules;
use crate::seat::calls::command_changes::CommandChanges;
use benchdog_agent::Agents;
use benchdog_config::settings::Settings;
use benchdog_context::rules::{Nearer, ProjectRules, RulesFile};
use benchdog_context::skills::Skills;
use benchdog_domain::agent::ModelRef;
use benchdog_files::index::FileIndex;
use benchdog_files::watch::Watch;
use benchdog_files::worktree::port_offset;
use benchdog_mcp::Servers;
use benchdog_security::policy::Policy;
use benchdog_security::trust::InRepository;
use benchdog_security::workspace::Workspace;
use benchdog_tools::Registry;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FolderId(u32);

impl FolderId {
    pub(crate) const HOME: Self = Self(0);
}

pub(crate) struct Folder {
    pub workspace: Arc<Workspace>,
    pub settings: Arc<Settings>,
    pub policy: Policy,
    pub rules: Rules,
    pub agents: Arc<Agents>,
    pub tools: Registry,
    pub servers: Servers,
    pub languages: benchdog_lsp::Servers,
    pub(super) model: Option<ModelRef>,
    pub(super) loader: Loader,
    pub(super) settings_lister: SettingsLister,
    pub(super) settings_writer: SettingsWriter,
    pub(crate) command_changes: CommandChanges,
    pub(crate) port_offset: u32,
    pub(super) index: FileIndex,
    /// `None` if nothing needs a file watcher, or if the system does not support file watchers.
    pub(super) watch: Option<Arc<Watch>>,
    pub(super) listener: JoinSet<()>,
    pub(super) survey: Option<Survey>,
    /// The trusted files of the whole repository, as listed when the person was asked to trust them.
    pub(super) repository: Option<InRepository>,
    pub texts: Vec<RulesFile>,
    pub nearer: Arc<Nearer>,
    pub skills: Arc<Skills>,
    pub(super) project: ProjectRules,
}

impl Folder {
    fn of(setup: FolderSetup, data: &Path) -> Self {
        Self {
            command_changes: CommandChanges::of(data, setup.workspace.root(), setup.settings.checkpoint_max_file),
            port_offset: port_offset(setup.workspace.root()),
            index: FileIndex::start(setup.workspace.root(), setup.levels),
            workspace: setup.workspace,
            settings: setup.settings,
            policy: setup.policy,
            rules: setup.rules,
            agents: setup.agents,
            tools: setup.tools,
            servers: setup.servers,
            languages: setup.languages,
            model: None,
            loader: setup.loader,
            settings_lister: setup.settings_lister,
            settings_writer: setup.settings_writer,
            watch: None,
            listener: JoinSet::new(),
            survey: None,
            repository: None,
            texts: Vec::new(),
            nearer: Arc::default(),
            skills: Arc::default(),
            project: ProjectRules::Ignored,
        }
    }

    pub(crate) fn root(&self) -> &Path {
        self.workspace.root()
    }

    pub(crate) fn name(&self) -> String {
        self.root().display().to_string()
    }

    pub(super) fn instruct(&mut self, reload: Reload) {
        self.texts = reload.texts;
        self.nearer = reload.nearer;
        self.skills = reload.skills;
    }

    /// Uses a reloaded configuration for new seats. Existing seats keep the old configuration.
    pub(super) fn take(&mut self, reload: Reload) {
        let is_same_sandbox = self.settings.sandbox == reload.settings.sandbox;
        self.settings = Arc::clone(&reload.settings);
        self.policy = reload.policy.clone();
        self.rules = reload.rules.clone();
        self.agents = Arc::clone(&reload.agents);
        self.tools = reload.tools.clone();
        self.servers = self.servers.with_definitions(reload.servers.clone());
        self.languages = match is_same_sandbox {
            true => self.languages.with_definitions(reload.languages.clone()),
            // Running language servers use the sandbox of the old configuration, so start new ones.
            false => benchdog_lsp::Servers::new(reload.languages.clone()),
        };
        self.model.clone_from(&reload.model);
        self.instruct(reload);
    }
}

pub(super) struct Folders {
    home: Folder,
    others: BTreeMap<FolderId, Folder>,
    last: FolderId,
    data: PathBuf,
}

impl Folders {
    pub(super) fn new(home: FolderSetup, data: &Path) -> Self {
        Self {
            home: Folder::of(home, data),
            data: data.to_owned(),
            others: BTreeMap::new(),
            last: FolderId::HOME,
        }
    }

    pub(super) fn get(&self, id: FolderId) -> &Folder {
        self.others.get(&id).unwrap_or(&self.home)
    }

    pub(super) fn get_mut(&mut self, id: FolderId) -> &mut Folder {
        self.others.get_mut(&id).unwrap_or(&mut self.home)
    }

    pub(super) fn ids(&self) -> Vec<FolderId> {
        std::iter::once(FolderId::HOME)
            .chain(self.others.keys().copied())
            .collect()
    }

    pub(super) fn find(&self, root: &Path) -> Option<FolderId> {
        self.ids().into_iter().find(|id| self.get(*id).root() == root)
    }

    pub(super) fn add(&mut self, setup: FolderSetup) -> FolderId {
        self.last = FolderId(self.last.0 + 1);
        self.others.insert(self.last, Folder::of(setup, &self.data));
        self.last
    }

    pub(super) fn keep(&mut self, used: impl Fn(FolderId) -> bool) {
        self.others.retain(|id, _| used(*id));
    }
}
