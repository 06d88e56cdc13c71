//! Opening a session: trust, rules, the log, what was typed and not sent.

use std::sync::Arc;
use std::time::Duration;

use super::{Driver, IfShut, OpenWhat, ProjectLayer};
use crate::base::clock::Time;
use crate::base::id::SessionId;
use crate::context::assembly::Assembly;
use crate::context::ledger::Estimator;
use crate::context::rules::{self, ProjectRules};
use crate::context::system;
use crate::domain::entry::Entry;
use crate::domain::session::SessionMeta;
use crate::orchestrator::machine::Machine;
use crate::protocol::Event;
use crate::security::trust;
use crate::storage::{Opening, StorageError, TrustAnswer};

/// How long the start waits for the words that were typed and not sent.
const DRAFT_PATIENCE: Duration = Duration::from_millis(150);

/// Prompts of earlier sessions that can be recalled.
const HISTORY: usize = 1_000;

/// What a front end is told of it; the advice follows from the code.
pub(super) fn storage_error(error: &StorageError) -> Event {
    Event::Error {
        code: error.code().to_owned(),
        text: error.to_string(),
        hint: String::new(),
    }
}

impl Driver {
    /// Fails only where nobody is there to choose another session.
    pub(super) async fn open(&mut self) -> Result<(), StorageError> {
        self.project = self.settle_trust().await;
        self.reload().await;
        let what = self.setup.open.clone();
        if let Err(error) = self.open_what(what).await {
            if self.setup.if_shut == IfShut::End {
                self.storage_failed(&error).await;
                return Err(error);
            }
            // Something to look at, into which nothing is written before the person has chosen.
            self.begin_new().await;
            self.shut = true;
            self.storage_failed(&error).await;
        }
        if self.model_missing {
            if self.setup.settings.provider.is_empty() {
                if self.setup.may_discover {
                    self.discover();
                }
            } else {
                self.find_any_model();
            }
        } else {
            self.warm_up();
        }
        for warning in std::mem::take(&mut self.setup.warnings) {
            self.notice("config", warning).await;
        }
        self.load_history().await;
        self.tell_notices().await;
        Ok(())
    }

    /// What storage had to say beside its answers.
    pub(super) async fn tell_notices(&self) {
        for notice in self.setup.storage.take_notices() {
            self.advised(notice.code, &notice.text).await;
        }
    }

    /// Nothing is written into a session that nobody asked for: what was said comes back.
    pub(super) async fn give_back(&self, text: String) {
        self.emit(Event::Unqueued { text }).await;
        self.say_shut().await;
    }

    pub(super) async fn say_shut(&self) {
        self.emit(Event::Error {
            code: "session_not_open".to_owned(),
            text: "The session you asked for is not open, so nothing was done.".to_owned(),
            hint: String::new(),
        })
        .await;
    }

    pub(super) async fn load_history(&self) {
        match self.setup.storage.history(HISTORY).await {
            Ok(prompts) => self.emit(Event::History(prompts)).await,
            Err(error) => self.storage_failed(&error).await,
        }
    }

    pub(super) async fn storage_failed(&self, error: &StorageError) {
        self.emit(storage_error(error)).await;
    }

    // --- trust ---

    /// Whether the folder's own files count. Asks, without waiting for the answer, where nobody has said.
    async fn settle_trust(&mut self) -> ProjectRules {
        let Some(subject) = trust::subject(self.setup.workspace.root()) else {
            return ProjectRules::Ignored;
        };
        self.trust_hash = Some(subject.hash.clone());
        match self.setup.project {
            ProjectLayer::Trust => ProjectRules::Counted,
            ProjectLayer::Ignore if self.trusted_before(&subject).await => ProjectRules::Counted,
            ProjectLayer::Ignore => {
                let text = format!(
                    "Ignored, because this folder is not trusted: {}. `--trust` makes them count.",
                    subject.files.join(", ")
                );
                self.notice("untrusted", text).await;
                ProjectRules::Ignored
            }
            ProjectLayer::Ask => self.ask_trust(subject).await,
        }
    }

    /// Whether the person said yes to exactly these files.
    async fn trusted_before(&self, subject: &trust::TrustSubject) -> bool {
        let answer = self.setup.storage.trust(&self.session.workspace).await;
        matches!(answer, Ok(Some(TrustAnswer { trusted: true, hash })) if hash == subject.hash)
    }

    async fn ask_trust(&mut self, subject: trust::TrustSubject) -> ProjectRules {
        let answer = self.setup.storage.trust(&self.session.workspace).await;
        match answer {
            Ok(Some(TrustAnswer { trusted, hash })) if hash == subject.hash => {
                if trusted {
                    ProjectRules::Counted
                } else {
                    ProjectRules::Ignored
                }
            }
            Ok(_) | Err(_) => {
                let text = format!("Ignored until you answer: {}.", subject.files.join(", "));
                self.notice("untrusted", text).await;
                self.emit(Event::TrustAsked { files: subject.files }).await;
                ProjectRules::Ignored
            }
        }
    }

    pub(super) async fn on_trust(&mut self, trusted: bool) {
        let Some(hash) = self.trust_hash.clone() else { return };
        let answer = TrustAnswer { trusted, hash };
        if let Err(error) = self.setup.storage.set_trust(&self.session.workspace, answer).await {
            self.storage_failed(&error).await;
        }
        if !trusted {
            return;
        }
        if self.log.is_empty() {
            self.project = ProjectRules::Counted;
            self.reload().await;
            self.lay_out();
            self.notice("trusted", "The folder's own rules count from now on.")
                .await;
        } else {
            self.notice("trusted", "The folder's own rules count from the next session on.")
                .await;
        }
    }

    async fn reload(&mut self) {
        if self.project == ProjectRules::Ignored {
            return;
        }
        match (self.setup.loader)(self.project) {
            Ok(reload) => {
                self.setup.settings = reload.settings;
                self.setup.policy = reload.policy.clone();
                self.policy = reload.policy;
            }
            Err(text) => self.notice("config", text).await,
        }
    }

    // --- sessions ---

    async fn open_what(&mut self, what: OpenWhat) -> Result<(), StorageError> {
        let id = match what {
            OpenWhat::New => None,
            OpenWhat::Newest => {
                let newest = self.setup.storage.newest_in(&self.session.workspace).await?;
                if newest.is_none() {
                    self.notice(
                        "no_session",
                        "There is no earlier session of this folder; this is a new one.",
                    )
                    .await;
                }
                newest.map(|meta| meta.id)
            }
            OpenWhat::Session(partial) => Some(self.setup.storage.find_one(&partial).await?),
            OpenWhat::Exactly(id) => Some(id),
        };
        match id {
            None => self.begin_new().await,
            Some(id) => self.resume(id).await?,
        }
        Ok(())
    }

    pub(super) async fn begin_new(&mut self) {
        let model = (!self.model_missing).then(|| self.machine.model().clone());
        let now = Time::now();
        self.session = SessionMeta {
            id: SessionId::fresh(),
            title: String::new(),
            created: now,
            updated: now,
            model: model.clone(),
            entries: 0,
            ..self.session.clone()
        };
        self.log.clear();
        self.unsaved.clear();
        self.unsaved_blobs.clear();
        self.machine = Machine::new(self.setup.rules.clone(), self.machine.model().clone());
        self.shut = false;
        let (meta, holder) = (self.session.clone(), self.setup.holder.clone());
        let created = self.setup.storage.create(meta, holder).await;
        self.writable = created.is_ok();
        self.lay_out();
        self.announce().await;
        // Said after the session was shown: what stood before it is gone from the screen.
        if let Err(error) = created {
            self.storage_failed(&error).await;
        }
    }

    pub(super) async fn resume(&mut self, id: SessionId) -> Result<(), StorageError> {
        match self.setup.storage.open(&id, self.setup.holder.clone()).await? {
            Opening::Held(holder) => return Err(StorageError::Held { session: id, holder }),
            Opening::Open { meta, entries } => self.take_up(meta, entries).await,
        }
        Ok(())
    }

    async fn take_up(&mut self, meta: SessionMeta, entries: Vec<Arc<Entry>>) {
        let chosen = self.machine.model().clone();
        let remembered = meta
            .model
            .clone()
            .filter(|_| !self.setup.model_insisted && self.setup.replay.is_none());
        let usable = remembered.filter(|model| {
            self.setup
                .settings
                .provider
                .iter()
                .any(|(name, _)| *name == model.provider)
        });
        if usable.is_some() {
            self.model_missing = false;
        }
        let model = usable.unwrap_or(chosen);
        let (machine, repairs) = Machine::resumed(self.setup.rules.clone(), model, &entries, Time::now());
        self.session = SessionMeta {
            workspace: self.session.workspace.clone(),
            ..meta
        };
        self.log = entries;
        self.unsaved.clear();
        self.unsaved_blobs.clear();
        self.writable = true;
        self.shut = false;
        self.machine = machine;
        self.lay_out();
        // The repairs are part of what is shown; they are written with the first new entry.
        for effect in repairs {
            if let crate::orchestrator::effect::Effect::Persist(entry) = effect {
                self.log.push(Arc::clone(&entry));
                self.unsaved.push(entry);
            }
        }
        self.announce().await;
    }

    /// The prompt and the messages, from the beginning of the log.
    fn lay_out(&mut self) {
        let folder = self
            .setup
            .folders
            .config_file
            .parent()
            .map(std::path::Path::to_path_buf)
            .unwrap_or_default();
        let files = rules::collect(
            &folder,
            self.setup.workspace.root(),
            self.project,
            &self.setup.settings.instructions,
        );
        let rules = rules::text(&files);
        let facts = system::Facts {
            workspace: self.setup.workspace.root().display().to_string(),
            added: self.setup.added.iter().map(|root| root.display().to_string()).collect(),
            day: self.session.created.rfc3339().chars().take(10).collect(),
            rules: rules.clone(),
        };
        self.assembly = Assembly::new(system::prompt(&facts));
        self.estimator = Estimator::new(&rules, &crate::tools::declarations());
    }

    async fn announce(&mut self) {
        let model = (!self.model_missing).then(|| self.machine.model().clone());
        self.emit(Event::Session {
            session: self.session.id.clone(),
            workspace: self.session.workspace.clone(),
            model,
            agent: self.session.agent.clone(),
        })
        .await;
        // A busy index must not hold the session back: the draft is still there the next time.
        let draft = self.setup.storage.draft(&self.session.workspace);
        let draft = tokio::time::timeout(DRAFT_PATIENCE, draft).await;
        let draft = draft.ok().and_then(Result::ok).unwrap_or_default();
        let entries: Arc<[Arc<Entry>]> = self.log.clone().into();
        self.emit(Event::Opened {
            meta: self.session.clone(),
            entries,
            draft,
        })
        .await;
        self.emit(Event::Todo {
            items: self.machine.todo().clone(),
        })
        .await;
        self.emit_context().await;
    }
}
