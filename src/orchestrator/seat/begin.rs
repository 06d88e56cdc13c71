//! The data needed to open a seat: a new or stored session, and the lease on it.

use std::sync::Arc;

use super::recovery::interrupted_calls;
use super::{Access, Given};
use crate::engine::{Engine, Folder, FolderId, IfShut, OpenWhat};
use crate::input::LeftBehind;
use benchdog_base::clock::Time;
use benchdog_base::id::{SeatId, SessionId, fresh_tag};
use benchdog_config::settings::Settings;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::child::Parent;
use benchdog_domain::entry::Entry;
use benchdog_domain::history::History;
use benchdog_domain::notice::Notice;
use benchdog_domain::session::SessionMeta;
use benchdog_storage::{Opening, StorageError};

/// Returns a draft name for this session only. Used if the folder's draft name is in use, or once a prompt was sent.
fn draft_beside(meta: &SessionMeta) -> String {
    format!("{}{}", drafts_beside(&meta.workspace), meta.id)
}

/// Returns the draft name for texts that the person types into approval requests. After a crash, these texts are added
/// to the prompt history, like other drafts.
pub(super) fn review_draft(meta: &SessionMeta) -> String {
    format!("{}\0review", draft_beside(meta))
}

/// Returns the draft name of a session: `given`, or the folder's name before the first prompt, or else a separate name.
/// With the folder's name, the next new session in the folder gets the same draft.
pub(super) fn draft_of(given: Option<String>, meta: &SessionMeta, history: &History) -> String {
    given.unwrap_or_else(|| match history.title() {
        Some(_) => draft_beside(meta),
        None => meta.workspace.clone(),
    })
}

/// Returns the prefix of draft names for sessions of a folder. It ends with a zero byte, because no folder name
/// contains one.
pub(crate) fn drafts_beside(folder: &str) -> String {
    format!("{folder}\0")
}

pub(crate) struct Begin {
    pub of: FolderId,
    pub(super) meta: SessionMeta,
    pub(super) history: History,
    /// The partial answer from before a crash, as a log entry that is not in the log yet.
    pub(super) arrived: Option<Arc<Entry>>,
    pub(super) left_behind: Vec<LeftBehind>,
    /// Prompts that are not in the log, as typed.
    pub(super) unsent: Vec<String>,
    pub(super) model: Option<ModelRef>,
    /// The model to use if the agent does not set one.
    pub(super) own_model: Option<ModelRef>,
    pub(super) access: Access,
    pub(super) given: Option<Given>,
    /// The name under which the unsent prompt is stored, if it differs from the folder's name.
    pub draft: Option<String>,
    /// The error, if the session could not be created on disk.
    pub trouble: Option<StorageError>,
}

impl Begin {
    /// Opens the session that `what` selects. `model` is used if the session has no model. `seat` gets a notice if
    /// there is no session to continue.
    pub(crate) async fn by(
        (engine, of): (&Engine, FolderId),
        seat: SeatId,
        what: OpenWhat,
        model: Option<ModelRef>,
    ) -> Result<Self, StorageError> {
        let storage = &engine.setup.storage;
        let id = match what {
            OpenWhat::New => None,
            OpenWhat::Newest => {
                let terminal = engine.setup.holder.tty.as_deref();
                let newest = storage.newest_in(&engine.at(of).name(), terminal).await?;
                if newest.is_none() {
                    engine.notice(seat, Notice::NoSession).await;
                }
                newest.map(|meta| meta.id)
            }
            OpenWhat::Session(partial) => Some(storage.find_one(&partial).await?),
            OpenWhat::Fork { of, upto } => Some(storage.fork_of(&of, upto).await?),
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

    pub(crate) async fn child(
        (engine, of): (&Engine, FolderId),
        parent: Parent,
        model: Option<ModelRef>,
        given: Given,
    ) -> Self {
        Self::fresh((engine, of), model, Some((parent, given))).await
    }

    /// Returns the configuration of the session. For a subagent, this is the parent's configuration.
    pub(super) fn settings(&self, folder: &Folder) -> Arc<Settings> {
        let of_parent = self.given.as_ref().map(|given| &given.settings);
        Arc::clone(of_parent.unwrap_or(&folder.settings))
    }

    pub(crate) fn session(&self) -> &SessionId {
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
            forked_from: None,
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

    pub(crate) fn folder(&self) -> &str {
        &self.meta.workspace
    }

    /// Gives the session a separate draft name, because another seat uses the name of the folder.
    pub(crate) fn keep_own_draft(&mut self) {
        self.draft = Some(draft_beside(&self.meta));
    }

    pub(crate) fn agent(&self) -> AgentName {
        self.meta.agent.clone()
    }

    pub(crate) fn window(&self) -> Option<(ModelRef, u64)> {
        self.meta.window.as_deref().cloned()
    }

    /// Creates a placeholder session without a file, to show when the requested session cannot be opened.
    pub(crate) async fn shut(engine: &Engine, of: FolderId, model: Option<ModelRef>) -> Self {
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
            // The agent has changed since then. Use the new agent's model, or else the session's own model.
            Some(_) if working.name != before => engine.first_model(&working, own_model.clone()),
            _ => remembered.or(model),
        };
        // Do not take the stored data of a read-only session, so that a later writable session finds it.
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
            left_behind: interrupted_calls::look((engine, of), &id, &history).await,
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
