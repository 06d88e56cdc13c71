//! The folders that sessions work in. What depends on a folder is one struct, which all seats in it share; a seat in a worktree
//! has the worktree's: its own files, rules, trust and permissions.

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

/// A folder of this engine. Every number is used once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::orchestrator) struct FolderId(u32);

impl FolderId {
    /// The folder that the program was started in.
    pub(in crate::orchestrator) const HOME: Self = Self(0);
}

pub(in crate::orchestrator) struct Folder {
    pub(in crate::orchestrator) workspace: Arc<Workspace>,
    /// The configuration as it counts here.
    pub(in crate::orchestrator) settings: Arc<Settings>,
    pub(in crate::orchestrator) policy: Policy,
    pub(in crate::orchestrator) rules: Rules,
    pub(in crate::orchestrator) agents: Arc<Agents>,
    /// The tools of every session in it.
    pub(in crate::orchestrator) tools: Registry,
    /// The servers of tools of every session in it.
    pub(in crate::orchestrator) servers: Servers,
    /// The model that it names for new seats.
    pub(super) model: Option<ModelRef>,
    pub(super) loader: Loader,
    pub(super) settings_lister: SettingsLister,
    pub(super) settings_writer: SettingsWriter,
    pub(super) index: FileIndex,
    /// The folders whose listings were asked for; `None` until one is, and where the system watches none.
    pub(super) watch: Option<Arc<Watch>>,
    /// Who listens to it; it ends with the folder.
    pub(super) listener: JoinSet<()>,
    /// What it brings along, as it was read when trust was settled.
    pub(super) survey: Option<Survey>,
    /// The rules files that count, in the order of the prompt.
    pub(in crate::orchestrator) texts: Vec<RulesFile>,
    pub(in crate::orchestrator) nearer: Arc<Nearer>,
    pub(in crate::orchestrator) skills: Arc<Skills>,
    /// Whether its own files count.
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

    /// The folder as it is stored.
    pub(in crate::orchestrator) fn name(&self) -> String {
        self.root().display().to_string()
    }

    /// What the model is told in sessions that begin from here on.
    pub(super) fn instruct(&mut self, reload: Reload) {
        self.texts = reload.texts;
        self.nearer = reload.nearer;
        self.skills = reload.skills;
    }

    /// What every seat in it begins with from here on. Those that have begun keep what they have.
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

/// Those that seats are in. The one that the program was started in is always among them.
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

    /// A seat keeps its folder open, so whoever has the number finds it.
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

    /// The folder of this root, where it is open.
    pub(super) fn find(&self, root: &Path) -> Option<FolderId> {
        self.ids().into_iter().find(|id| self.get(*id).root() == root)
    }

    pub(super) fn add(&mut self, setup: FolderSetup) -> FolderId {
        self.last = FolderId(self.last.0 + 1);
        self.others.insert(self.last, Folder::of(setup));
        self.last
    }

    /// Lets go of those that no seat is in.
    pub(super) fn keep(&mut self, used: impl Fn(FolderId) -> bool) {
        self.others.retain(|id, _| used(*id));
    }
}
