//! The engine's hands: does what the machine orders, and tells it what came of it. Decides nothing itself.
//!
//! One task owns everything here. Whatever takes time runs in a task of its own whose handle is kept, and reports back
//! through one channel; dropping the handle ends the work and its processes.

mod approver;
mod calls;
mod commands;
mod effects;
mod files;
mod models;
mod opening;
mod requests;
mod setup;

pub(crate) use approver::Approver;
pub(crate) use setup::{IfShut, OpenWhat, ProjectLayer, Reload, Setup};

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::input::{Happened, Input};
use super::machine::Machine;
use super::validation::Allowed;
use crate::base::clock::Time;
use crate::base::id::{BlobId, CallId, SessionId};
use crate::context::assembly::Assembly;
use crate::context::ledger::Estimator;
use crate::context::rules::ProjectRules;
use crate::domain::agent::ModelRef;
use crate::domain::entry::Entry;
use crate::domain::session::SessionMeta;
use crate::files::index::FileIndex;
use crate::protocol::{Command, Event};
use crate::provider::Provider;
use crate::security::policy::Policy;
use crate::tools::{Prepared, Refusal};
use requests::Counted;

/// How many reports may wait for the driver. Tasks wait when it is full.
const REPORTS: usize = 1024;

/// The two ends a front end holds.
pub(crate) struct Engine {
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) events: mpsc::Receiver<Event>,
    pub(crate) task: tokio::task::JoinHandle<()>,
}

/// What a task of the driver reports.
enum Report {
    Input(Happened),
    Prepared {
        call: CallId,
        result: Result<Prepared, Refusal>,
    },
    ValidationPrepared {
        command: String,
        allowed: Allowed,
        result: Result<Prepared, Refusal>,
    },
    /// The window of a model, as its server says; `None` when it does not.
    Window {
        model: ModelRef,
        tokens: Option<u64>,
    },
    ModelFound(ModelRef),
}

pub(crate) struct Driver {
    setup: Setup,
    events: mpsc::Sender<Event>,
    reports: mpsc::Sender<Report>,
    machine: Machine,
    session: SessionMeta,
    /// Whether the session has its lease and can be written.
    writable: bool,
    /// The session that was asked for could not be opened, and the person has not chosen another yet.
    shut: bool,
    log: Vec<Arc<Entry>>,
    /// Entries whose commit failed; they go first with the next one.
    unsaved: Vec<Arc<Entry>>,
    /// Why, as it was said last; said once for everything that follows from it.
    told_lost: Option<String>,
    /// The bytes those entries name.
    unsaved_blobs: Vec<(BlobId, Arc<[u8]>)>,
    assembly: Assembly,
    estimator: Estimator,
    policy: Policy,
    seen: Arc<Mutex<BTreeMap<String, BlobId>>>,
    prepared: BTreeMap<CallId, Prepared>,
    running: BTreeMap<CallId, AbortHandle>,
    /// The request under way.
    stream: Option<AbortHandle>,
    providers: BTreeMap<String, Arc<dyn Provider>>,
    windows: BTreeMap<ModelRef, u64>,
    /// The model of which it was said that its server cuts prompts.
    told_of_cut: Option<ModelRef>,
    /// No model is known: the next prompt cannot be sent.
    model_missing: bool,
    /// A detected check that the person allowed once counts for the session.
    validation_allowed: Option<String>,
    index: FileIndex,
    trust_hash: Option<String>,
    /// Whether the folder's own files count.
    project: ProjectRules,
}

impl Driver {
    /// Starts the engine. Returns at once; opening the session happens in the engine's own task.
    pub(crate) fn start(setup: Setup) -> Engine {
        let (commands_in, mut commands) = mpsc::channel(64);
        let (events, events_out) = mpsc::channel(4096);
        let (reports, mut reported) = mpsc::channel(REPORTS);
        let task = tokio::spawn(async move {
            let mut driver = Self::new(setup, events, reports);
            let mut goes_on = driver.open().await.is_ok();
            while goes_on {
                tokio::select! {
                    biased;
                    command = commands.recv() => match command {
                        Some(command) => driver.on_command(command).await,
                        None => goes_on = false,
                    },
                    Some(report) = reported.recv() => driver.on_report(report).await,
                }
            }
            driver.close().await;
        });
        Engine {
            commands: commands_in,
            events: events_out,
            task,
        }
    }

    fn new(setup: Setup, events: mpsc::Sender<Event>, reports: mpsc::Sender<Report>) -> Self {
        let model = setup.model.clone();
        let root = setup.workspace.root().to_path_buf();
        let session = SessionMeta {
            id: SessionId::fresh(),
            title: String::new(),
            workspace: setup.workspace.root().display().to_string(),
            created: Time::now(),
            updated: Time::now(),
            model: model.clone(),
            agent: crate::domain::agent::AgentName::default(),
            entries: 0,
        };
        let missing = model.is_none();
        let model = model.unwrap_or_else(|| ModelRef {
            provider: String::new(),
            id: String::new(),
        });
        Self {
            machine: Machine::new(setup.rules.clone(), model),
            policy: setup.policy.clone(),
            setup,
            events,
            reports,
            session,
            writable: false,
            shut: false,
            log: Vec::new(),
            unsaved: Vec::new(),
            told_lost: None,
            unsaved_blobs: Vec::new(),
            assembly: Assembly::new(String::new()),
            estimator: Estimator::default(),
            seen: Arc::default(),
            prepared: BTreeMap::new(),
            running: BTreeMap::new(),
            stream: None,
            providers: BTreeMap::new(),
            windows: BTreeMap::new(),
            told_of_cut: None,
            model_missing: missing,
            validation_allowed: None,
            index: FileIndex::start(&root),
            trust_hash: None,
            project: ProjectRules::Ignored,
        }
    }

    /// Tells the machine, and does what it orders, until it orders nothing more.
    async fn feed(&mut self, happened: Happened) {
        let mut next = std::collections::VecDeque::from([happened]);
        while let Some(happened) = next.pop_front() {
            let effects = self.machine.handle(Input {
                at: Time::now(),
                happened,
            });
            next.extend(self.perform(effects).await);
        }
    }

    async fn on_report(&mut self, report: Report) {
        match report {
            Report::Input(happened) => {
                if let Happened::Finished { call, .. } | Happened::Validated { call, .. } = &happened {
                    self.running.remove(call);
                }
                if let Happened::Replied { .. } | Happened::Failed { .. } = &happened {
                    self.stream = None;
                }
                let counted = self.note_usage(&happened).await;
                self.feed(happened).await;
                if counted == Counted::NotTold {
                    // The answer is in the log now and can be guessed with the rest.
                    self.emit_context().await;
                }
            }
            Report::Prepared { call, result } => self.on_prepared(call, result).await,
            Report::ValidationPrepared {
                command,
                allowed,
                result,
            } => {
                self.on_validation_prepared(command, allowed, result).await;
            }
            Report::Window { model, tokens } => self.on_window(model, tokens).await,
            Report::ModelFound(model) => self.on_model_found(model).await,
        }
    }

    /// Events wait for the front end; the engine goes no further than it can be followed.
    async fn emit(&self, mut event: Event) {
        // What helps is the top level's word; down here only the code is known.
        if let Event::Error { code, hint, .. } = &mut event
            && hint.is_empty()
        {
            (self.setup.advise)(code).clone_into(hint);
        }
        // A front end that is gone needs nothing more.
        let _ = self.events.send(event).await;
    }

    /// A notice with what helps.
    async fn advised(&self, code: &str, text: &str) {
        let advice = (self.setup.advise)(code);
        self.notice(code, format!("{text} {advice}").trim_end()).await;
    }

    async fn notice(&self, code: &str, text: impl Into<String>) {
        self.emit(Event::Notice {
            code: code.to_owned(),
            text: text.into(),
        })
        .await;
    }

    /// The front end is gone: what runs is ended and recorded, and the lease is given back.
    async fn close(&mut self) {
        if self.machine.is_busy() {
            self.feed(Happened::Interrupt).await;
        }
        for (_, task) in std::mem::take(&mut self.running) {
            task.abort();
        }
        self.describe().await;
        self.setup.storage.release(&self.session.id).await;
    }
}
