//! How a seat begins: with a new session or one that exists, and with its lease.

use std::sync::Arc;

use super::{Access, Given, left_behind};
use crate::base::clock::Time;
use crate::base::id::{SeatId, SessionId, fresh_tag};
use crate::config::settings::Settings;
use crate::domain::agent::{AgentName, ModelRef};
use crate::domain::child::Parent;
use crate::domain::entry::Entry;
use crate::domain::history::History;
use crate::domain::notice::Notice;
use crate::domain::session::SessionMeta;
use crate::orchestrator::engine::{Engine, Folder, FolderId, IfShut, OpenWhat};
use crate::orchestrator::input::LeftBehind;
use crate::storage::{Opening, StorageError};

/// What the draft of a session is kept under whose folder has another seat open, which keeps its own.
fn draft_beside(meta: &SessionMeta) -> String {
    format!("{}{}", drafts_beside(&meta.workspace), meta.id)
}

/// The name under which texts for the requests of a session are saved. After a sudden end they become earlier prompts, as other drafts.
pub(super) fn review_draft(meta: &SessionMeta) -> String {
    format!("{}\0review", draft_beside(meta))
}

/// What the draft of a session is kept under: as `given`, else by its own name once something was sent in it, else by that of its folder, which
/// the next new session there takes over.
pub(super) fn draft_of(given: Option<String>, meta: &SessionMeta, history: &History) -> String {
    given.unwrap_or_else(|| match history.title() {
        Some(_) => draft_beside(meta),
        None => meta.workspace.clone(),
    })
}

/// How the names begin under which such drafts of a folder are kept. No folder's name holds that character.
pub(in crate::orchestrator) fn drafts_beside(folder: &str) -> String {
    format!("{folder}\0")
}

/// All that a seat is made from.
pub(crate) struct Begin {
    /// The folder it works in.
    pub(in crate::orchestrator) of: FolderId,
    pub(super) meta: SessionMeta,
    pub(super) history: History,
    /// What had arrived of an answer when the session ended suddenly: the next entry of the log, not yet written.
    pub(super) arrived: Option<Arc<Entry>>,
    /// What became of the files of calls that had begun then.
    pub(super) left_behind: Vec<LeftBehind>,
    /// What was sent then and never came into the log, as it was typed.
    pub(super) unsent: Vec<String>,
    pub(super) model: Option<ModelRef>,
    /// The one it has where no agent brings another along.
    pub(super) own_model: Option<ModelRef>,
    pub(super) access: Access,
    /// What a child is begun with.
    pub(super) given: Option<Given>,
    /// What its unsent draft is kept under, where that is not the folder.
    pub(in crate::orchestrator) draft: Option<String>,
    /// Why the session could not be begun on disk.
    pub(in crate::orchestrator) trouble: Option<StorageError>,
}

impl Begin {
    /// `model`: what is used where the session does not say; `seat`: who is told that there was none to go on with.
    pub(in crate::orchestrator) async fn by(
        (engine, of): (&Engine, FolderId),
        seat: SeatId,
        what: OpenWhat,
        model: Option<ModelRef>,
    ) -> Result<Self, StorageError> {
        let storage = &engine.setup.storage;
        let id = match what {
            OpenWhat::New => None,
            OpenWhat::Newest => {
                let newest = storage.newest_in(&engine.at(of).name()).await?;
                if newest.is_none() {
                    engine.notice(seat, Notice::NoSession).await;
                }
                newest.map(|meta| meta.id)
            }
            OpenWhat::Session(partial) => Some(storage.find_one(&partial).await?),
            OpenWhat::Exactly(id) => Some(id),
        };
        match id {
            None => match Self::fresh((engine, of), model, None).await {
                Self { trouble: Some(why), .. } if engine.setup.if_shut == IfShut::End => Err(why),
                begin => Ok(begin),
            },
            Some(id) => Self::existing((engine, of), id, model).await,
        }
    }

    /// The session of a child.
    pub(in crate::orchestrator) async fn child(
        (engine, of): (&Engine, FolderId),
        parent: Parent,
        model: Option<ModelRef>,
        given: Given,
    ) -> Self {
        Self::fresh((engine, of), model, Some((parent, given))).await
    }

    /// The configuration that counts for it: that of its parent, where it works for another one.
    pub(super) fn settings(&self, folder: &Folder) -> Arc<Settings> {
        let of_parent = self.given.as_ref().map(|given| &given.settings);
        Arc::clone(of_parent.unwrap_or(&folder.settings))
    }

    /// The session it is about.
    pub(in crate::orchestrator) fn session(&self) -> &SessionId {
        &self.meta.id
    }

    async fn fresh((engine, of): (&Engine, FolderId), model: Option<ModelRef>, child: Option<(Parent, Given)>) -> Self {
        let (parent, given) = child.unzip();
        let now = Time::now();
        let profile = match &given {
            Some(given) => Arc::clone(&given.agent),
            None => engine
                .at(of)
                .agents
                .working(&engine.setup.agent.clone().unwrap_or_default()),
        };
        let own_model = model;
        let model = engine.first_model(&profile, own_model.clone());
        let agent = match &given {
            Some(given) => given.agent.name.clone(),
            None => engine.setup.agent.clone().unwrap_or_default(),
        };
        let meta = SessionMeta {
            id: SessionId::fresh(),
            title: String::new(),
            workspace: engine.at(of).name(),
            created: now,
            updated: now,
            model: model.clone(),
            agent,
            entries: 0,
            window: None,
            parent: parent.map(Box::new),
            tag: Some(fresh_tag()),
        };
        let holder = engine.setup.holder.clone();
        let trouble = engine.setup.storage.create(meta.clone(), holder).await.err();
        Self {
            of,
            meta,
            history: History::default(),
            arrived: None,
            left_behind: Vec::new(),
            unsent: Vec::new(),
            given,
            draft: None,
            model,
            own_model,
            access: if trouble.is_none() {
                Access::Writable
            } else {
                Access::NotBegun
            },
            trouble,
        }
    }

    pub(in crate::orchestrator) fn folder(&self) -> &str {
        &self.meta.workspace
    }

    /// It keeps a draft of its own: that of its folder is another seat's.
    pub(in crate::orchestrator) fn keep_own_draft(&mut self) {
        self.draft = Some(draft_beside(&self.meta));
    }

    /// Who works in it, as it says.
    pub(in crate::orchestrator) fn agent(&self) -> AgentName {
        self.meta.agent.clone()
    }

    /// The window of the session's model as it was known when it was used last.
    pub(in crate::orchestrator) fn window(&self) -> Option<(ModelRef, u64)> {
        self.meta.window.as_deref().cloned()
    }

    /// A new session into which nothing is written, in place of one that could not be opened.
    pub(in crate::orchestrator) async fn shut(engine: &Engine, of: FolderId, model: Option<ModelRef>) -> Self {
        Self {
            access: Access::Shut,
            ..Self::fresh((engine, of), model, None).await
        }
    }

    async fn existing(
        (engine, of): (&Engine, FolderId),
        id: SessionId,
        model: Option<ModelRef>,
    ) -> Result<Self, StorageError> {
        let setup = &engine.setup;
        let (meta, history, trouble) = match setup.storage.open(&id, setup.holder.clone()).await? {
            Opening::Held(holder) => return Err(StorageError::Held { session: id, holder }),
            Opening::ReadOnly { why, .. } if setup.if_shut == IfShut::End => return Err(why),
            Opening::ReadOnly { meta, history, why } => (meta, history, Some(why)),
            Opening::Open { meta, history } => (meta, history, None),
        };
        let known = |model: &ModelRef| {
            engine
                .at(of)
                .settings
                .provider
                .iter()
                .any(|(name, _)| *name == model.provider)
        };
        let insisted = setup.model_insisted || setup.replay.is_some();
        let before = history.standing_agent().unwrap_or(&meta.agent).clone();
        let own = match history.model() {
            Some(_) => history.own_model(),
            None => meta.model.as_ref(),
        };
        let own_model = if insisted { None } else { own.cloned().filter(known) }.or_else(|| model.clone());
        let working = engine.at(of).agents.working(setup.agent.as_ref().unwrap_or(&before));
        let remembered = history.standing_model().or(meta.model.as_ref()).cloned().filter(known);
        let model = match setup.agent {
            _ if insisted => model,
            // Another works now, with a model of its own or that of the session.
            Some(_) if working.name != before => engine.first_model(&working, own_model.clone()),
            _ => remembered.or(model),
        };
        // A session that cannot be written keeps it for whoever can.
        let (arrived, unsent) = match trouble {
            None => (
                setup.storage.arrived(&id, &history).await,
                setup.storage.unsent(&id, &history).await,
            ),
            Some(_) => (None, Vec::new()),
        };
        Ok(Self {
            of,
            arrived,
            unsent,
            left_behind: left_behind::look((engine, of), &id, &history).await,
            meta: SessionMeta {
                workspace: engine.at(of).name(),
                agent: setup.agent.clone().unwrap_or(before),
                ..meta
            },
            history: *history,
            given: None,
            draft: None,
            model,
            own_model,
            access: if trouble.is_none() {
                Access::Writable
            } else {
                Access::Shut
            },
            trouble,
        })
    }
}
