//! The folders of sessions. Seats in a folder share its state: files, rules, trust and permissions. A worktree is a separate folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::Survey;
use super::setup::{FolderSetup, Loader, Reload, SettingsLister, SettingsWriter};
use crate::agent::Agents;
use crate::config::settings::Settings;
use crate::context::rules::{Nearer, ProjectRules, RulesFile};
use crate::context::skills::Skills;
use crate::domain::agent::ModelRef;
use crate::files::index::FileIndex;
use crate::files::watch::Watch;
use crate::mcp::Servers;
use crate::orchestrator::machine::Rules;
use crate::security::policy::Policy;
use crate::security::workspace::Workspace;
use crate::tools::Registry;

/// A folder of this engine. Ids are not reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::orchestrator) struct FolderId(u32);

impl FolderId {
    /// The folder in which the program was started.
    pub(in crate::orchestrator) const HOME: Self = Self(0);
}

pub(in crate::orchestrator) struct Folder {
    pub(in crate::orchestrator) workspace: Arc<Workspace>,
    pub(in crate::orchestrator) settings: Arc<Settings>,
    pub(in crate::orchestrator) policy: Policy,
    pub(in crate::orchestrator) rules: Rules,
    pub(in crate::orchestrator) agents: Arc<Agents>,
    pub(in crate::orchestrator) tools: Registry,
    pub(in crate::orchestrator) servers: Servers,
    /// The configured model for new seats.
    pub(super) model: Option<ModelRef>,
    pub(super) loader: Loader,
    pub(super) settings_lister: SettingsLister,
    pub(super) settings_writer: SettingsWriter,
    pub(super) index: FileIndex,
    /// Watched folders. `None` if unused or unsupported.
    pub(super) watch: Option<Arc<Watch>>,
    /// The watcher's listener, which ends with the folder.
    pub(super) listener: JoinSet<()>,
    pub(super) survey: Option<Survey>,
    /// Active rules files in prompt order.
    pub(in crate::orchestrator) texts: Vec<RulesFile>,
    pub(in crate::orchestrator) nearer: Arc<Nearer>,
    pub(in crate::orchestrator) skills: Arc<Skills>,
    /// Whether its own files are trusted.
    pub(super) project: ProjectRules,
}

impl Folder {
    fn of(setup: FolderSetup) -> Self {
        Self {
            index: FileIndex::start(setup.workspace.root(), setup.levels),
            workspace: setup.workspace,
            settings: setup.settings,
            policy: setup.policy,
            rules: setup.rules,
            agents: setup.agents,
            tools: setup.tools,
            servers: setup.servers,
            model: None,
            loader: setup.loader,
            settings_lister: setup.settings_lister,
            settings_writer: setup.settings_writer,
            watch: None,
            listener: JoinSet::new(),
            survey: None,
            texts: Vec::new(),
            nearer: Arc::default(),
            skills: Arc::default(),
            project: ProjectRules::Ignored,
        }
    }

    pub(in crate::orchestrator) fn root(&self) -> &Path {
        self.workspace.root()
    }

    pub(in crate::orchestrator) fn name(&self) -> String {
        self.root().display().to_string()
    }

    pub(super) fn instruct(&mut self, reload: Reload) {
        self.texts = reload.texts;
        self.nearer = reload.nearer;
        self.skills = reload.skills;
    }

    /// Sets everything for new seats. Existing seats keep theirs.
    pub(super) fn take(&mut self, reload: Reload) {
        self.settings = Arc::clone(&reload.settings);
        self.policy = reload.policy.clone();
        self.rules = reload.rules.clone();
        self.agents = Arc::clone(&reload.agents);
        self.tools = reload.tools.clone();
        self.servers = self.servers.instead(reload.servers.clone());
        self.model.clone_from(&reload.model);
        self.instruct(reload);
    }
}

/// Folders with seats. The first folder is always included.
pub(super) struct Folders {
    home: Folder,
    others: BTreeMap<FolderId, Folder>,
    last: FolderId,
}

impl Folders {
    pub(super) fn new(home: FolderSetup) -> Self {
        Self {
            home: Folder::of(home),
            others: BTreeMap::new(),
            last: FolderId::HOME,
        }
    }

    /// Returns a folder. Ids are valid while a seat uses them.
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
        self.others.insert(self.last, Folder::of(setup));
        self.last
    }

    pub(super) fn keep(&mut self, used: impl Fn(FolderId) -> bool) {
        self.others.retain(|id, _| used(*id));
    }
}
