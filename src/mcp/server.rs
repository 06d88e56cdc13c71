//! Life cycle of a server: start, restarts after failures, and known offers. All waits have limits.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use super::connection::Connection;
use super::definition::{Definition, Place};
use super::elicitation::Asker;
use super::limits::{LONGEST_PROMPT, LONGEST_READING, MOST_RESTARTS, PAUSES, WELL_AFTER};
use super::offer_cache::{Greeting, Kept, Shelf};
use super::prompt_arguments::{arguments, begun};
use super::prompts;
use super::sign_in_task::Signing;
use super::tool_list::{Taken, note_unlisted};
use benchdog_domain::server::{
    Answered, LeftOut, LeftUntold, NoPrompt, Offered, OfferedPrompt, OfferedResource, Part, ServerName, ServerStage,
    ServerTrouble, Spoken, Values,
};
use benchdog_domain::sign_in::SignIn;

const MOST_WIDER: usize = 32;

const NOTICED: Duration = Duration::from_secs(2);

pub(super) struct Server {
    pub(super) definition: Definition,
    shelf: Shelf,
    logs: PathBuf,
    known: Mutex<Known>,
    recalled: OnceLock<()>,
    stage: watch::Sender<ServerStage>,
    /// Whether the list of resources is complete. Only relevant while the server runs.
    has_listed: watch::Sender<bool>,
    pub(super) signing: Signing,
}

#[derive(Default)]
struct Known {
    connection: Option<Arc<Connection>>,
    task: Option<AbortHandle>,
    /// Last known tools, from this or an earlier run.
    offered: Option<Arc<[Offered]>>,
    prompts: Arc<[OfferedPrompt]>,
    resources: Arc<[OfferedResource]>,
    left_out: Vec<LeftOut>,
    greeting: Option<Greeting>,
    began: Option<Instant>,
    trouble: Option<ServerTrouble>,
    restarts: u32,
    since: Option<Instant>,
    asked: Vec<String>,
    wider: Vec<String>,
}

pub(super) struct Told {
    pub(super) stage: ServerStage,
    pub(super) offered: Option<Arc<[Offered]>>,
    pub(super) trouble: Option<ServerTrouble>,
    pub(super) restarts: u32,
    pub(super) asked: Vec<String>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) sign_in: Option<SignIn>,
}

impl Server {
    pub(super) fn new(definition: Definition, shelf: Shelf, logs: PathBuf) -> Arc<Self> {
        Arc::new(Self {
            definition,
            shelf,
            logs,
            known: Mutex::default(),
            recalled: OnceLock::new(),
            stage: watch::Sender::new(ServerStage::Waiting),
            has_listed: watch::Sender::new(false),
            signing: Signing::default(),
        })
    }

    pub(super) fn name(&self) -> &ServerName {
        &self.definition.name
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stage(&self) -> ServerStage {
        *self.stage.borrow()
    }

    pub(super) fn told(&self) -> Told {
        let known = self.known();
        let asked = known.connection.as_ref().map(|connection| connection.heard.asked());
        Told {
            stage: self.stage(),
            offered: known.offered.clone(),
            trouble: known.trouble.clone().or_else(|| self.narrow(&known.wider)),
            restarts: known.restarts,
            asked: asked.unwrap_or_else(|| known.asked.clone()),
            left_out: known.left_out.clone(),
            sign_in: self.signing.stands(),
        }
    }

    /// Reads the cache once. Concurrent callers wait.
    pub(super) fn recall(&self) {
        self.recalled.get_or_init(|| {
            if let Some(kept) = self.shelf.read(&self.definition) {
                let mut known = self.known();
                known.greeting = Some(kept.greeting);
                if known.offered.is_none() {
                    known.offered = Some(kept.tools.into());
                    known.prompts = kept.prompts.into();
                }
            }
        });
    }

    pub(super) fn start(self: &Arc<Self>) {
        if self.stage() == ServerStage::Waiting {
            self.bring_up();
        }
    }

    pub(super) fn restart(self: &Arc<Self>) {
        self.end();
        let mut known = self.known();
        (known.restarts, known.trouble) = (0, None);
        drop(known);
        self.bring_up();
    }

    pub(super) fn end(&self) {
        let mut known = self.known();
        if let Some(task) = known.task.take() {
            task.abort();
        }
        known.connection = None;
        known.resources = Arc::default();
        drop(known);
        self.stage.send_replace(ServerStage::Waiting);
    }

    pub(super) fn bar(&self) {
        self.end();
        self.signing.end();
        self.known().trouble = Some(ServerTrouble::Off);
        self.stage.send_replace(ServerStage::Dead);
    }

    fn bring_up(self: &Arc<Self>) {
        let mut known = self.known();
        if self.stage() == ServerStage::Starting {
            return;
        }
        self.stage.send_replace(ServerStage::Starting);
        known.began = Some(Instant::now());
        let server = Arc::clone(self);
        known.task = Some(tokio::spawn(async move { server.live().await }).abort_handle());
    }

    async fn live(&self) {
        let trouble = match self.opened().await {
            Ok(connection) => self.stay(&connection).await,
            Err(trouble) => trouble,
        };
        self.note_wider(&trouble);
        let mut known = self.known();
        if let Some(connection) = known.connection.take() {
            known.asked = connection.heard.asked();
        }
        if known.since.take().is_some_and(|since| since.elapsed() >= WELL_AFTER) {
            known.restarts = 0;
        }
        known.trouble = Some(trouble);
        known.resources = Arc::default();
        drop(known);
        self.stage.send_replace(ServerStage::Dead);
    }

    async fn opened(&self) -> Result<Arc<Connection>, ServerTrouble> {
        self.recall();
        let first = self.known().greeting.unwrap_or(Greeting::Handshake);
        let (connection, greeting) = match Connection::open(&self.definition, first, &self.logs).await {
            Ok(connection) => (connection, first),
            // The server may use the other kind of handshake.
            Err(
                ServerTrouble::Refused { .. }
                | ServerTrouble::Status {
                    status: 400 | 404 | 405,
                    ..
                },
            ) => {
                let other = match first {
                    Greeting::Handshake => Greeting::Discovery,
                    Greeting::Discovery => Greeting::Handshake,
                };
                (Connection::open(&self.definition, other, &self.logs).await?, other)
            }
            Err(trouble) => return Err(trouble),
        };
        self.known().greeting = Some(greeting);
        self.list(&connection).await?;
        Ok(Arc::new(connection))
    }

    async fn list(&self, connection: &Connection) -> Result<(), ServerTrouble> {
        let mut taken = connection.tools().await?;
        let (prompts, read) = connection.prompts(self.name()).await;
        note_unlisted(&mut taken.left_out, read);
        if let Some(kept) = self.learn(taken, prompts) {
            let (shelf, definition) = (self.shelf.clone(), self.definition.clone());
            let _ = tokio::task::spawn_blocking(move || shelf.keep(&definition, &kept)).await;
        }
        Ok(())
    }

    /// Returns the data for the cache if it changed.
    fn learn(&self, taken: Taken, prompts: Vec<OfferedPrompt>) -> Option<Kept> {
        let Taken { offered, left_out } = taken;
        let mut known = self.known();
        let is_news = known.offered.as_deref() != Some(offered.as_slice()) || *known.prompts != *prompts;
        known.prompts = prompts.clone().into();
        known.offered = Some(offered.clone().into());
        known.left_out = left_out;
        is_news.then(|| Kept {
            greeting: known.greeting.unwrap_or(Greeting::Handshake),
            tools: offered,
            prompts,
        })
    }

    async fn list_resources(&self, connection: &Connection) {
        let (resources, read) = connection.resources().await;
        let mut known = self.known();
        known.resources = resources.into();
        note_unlisted(&mut known.left_out, read);
        drop(known);
        self.has_listed.send_replace(true);
    }

    /// Lists the offers again after changes, until the connection ends.
    async fn stay(&self, connection: &Arc<Connection>) -> ServerTrouble {
        let mut changed = connection.heard.changed.subscribe();
        self.has_listed.send_replace(false);
        self.is_ready(connection);
        let mut listing = Box::pin(self.list_resources(connection));
        let mut is_listing = true;
        loop {
            tokio::select! {
                trouble = connection.over() => return trouble,
                () = &mut listing, if is_listing => is_listing = false,
                Ok(()) = changed.changed() => {
                    (listing, is_listing) = (Box::pin(self.list_resources(connection)), true);
                    if let Err(trouble) = self.list(connection).await
                        && !connection.is_open()
                    {
                        return trouble;
                    }
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }

    fn is_ready(&self, connection: &Arc<Connection>) {
        let mut known = self.known();
        known.connection = Some(Arc::clone(connection));
        known.since = Some(Instant::now());
        known.trouble = None;
        drop(known);
        self.stage.send_replace(ServerStage::Ready);
    }

    /// Returns until when a request waits for the tools after a start. A server that timed out once is not awaited again.
    pub(super) fn awaited(&self, patience: Duration) -> Option<Instant> {
        let known = self.known();
        let is_starting = known.offered.is_none() && self.stage() == ServerStage::Starting;
        let until = known.began.filter(|_| is_starting)? + patience;
        (until > Instant::now()).then_some(until)
    }

    pub(super) async fn settled(&self) {
        let mut stage = self.stage.subscribe();
        let over = |stage: &ServerStage| !matches!(stage, ServerStage::Waiting | ServerStage::Starting);
        let _ = stage.wait_for(over).await;
    }

    pub(super) async fn has_listed(&self) {
        let mut has_listed = self.has_listed.subscribe();
        if self.stage() == ServerStage::Ready {
            let _ = has_listed.wait_for(|has| *has).await;
        }
    }

    /// Starts or restarts the server if needed.
    async fn ready(self: &Arc<Self>) -> Result<Arc<Connection>, ServerTrouble> {
        let mut tried = false;
        loop {
            match self.stage() {
                ServerStage::Ready => {
                    let connection = self.known().connection.clone();
                    match connection.filter(|connection| connection.is_open()) {
                        Some(connection) => return Ok(connection),
                        None => self.is_over().await,
                    }
                }
                ServerStage::Starting => self.settled().await,
                ServerStage::Waiting | ServerStage::Off => self.bring_up(),
                ServerStage::Dead if tried => return Err(self.trouble()),
                ServerStage::Dead => {
                    self.start_again().await?;
                    tried = true;
                }
            }
        }
    }

    fn trouble(&self) -> ServerTrouble {
        self.known().trouble.clone().unwrap_or(ServerTrouble::Unexpected)
    }

    /// Waits until the task notices the closed output, or else ends the program.
    async fn is_over(&self) {
        let mut stage = self.stage.subscribe();
        let wait = stage.wait_for(|stage| *stage != ServerStage::Ready);
        if tokio::time::timeout(NOTICED, wait).await.is_err() {
            self.end();
            self.known().trouble = Some(ServerTrouble::Ended {
                code: None,
                signal: None,
                said: String::new(),
            });
            self.stage.send_replace(ServerStage::Dead);
        }
    }

    /// Restarts after a delay, only if the server exited. Other errors would recur.
    async fn start_again(self: &Arc<Self>) -> Result<(), ServerTrouble> {
        let restarts = self.known().restarts;
        let trouble = self.trouble();
        if matches!(self.definition.place, Place::Address(_)) && trouble != ServerTrouble::Off {
            // An HTTP request is cheap, and the person may have fixed the problem.
            self.bring_up();
            return Ok(());
        }
        if !matches!(trouble, ServerTrouble::Ended { .. }) || restarts >= MOST_RESTARTS {
            return Err(trouble);
        }
        let pause = usize::try_from(restarts).ok().and_then(|at| PAUSES.get(at));
        tokio::time::sleep(pause.copied().unwrap_or_default()).await;
        if self.stage() == ServerStage::Dead {
            self.known().restarts += 1;
            self.bring_up();
        }
        Ok(())
    }

    pub(super) fn prompts(&self) -> Arc<[OfferedPrompt]> {
        Arc::clone(&self.known().prompts)
    }

    pub(super) async fn prompt(self: &Arc<Self>, called: &str, written: &str) -> Result<Vec<Spoken>, NoPrompt> {
        let get = async {
            let connection = self.ready().await?;
            let prompts = self.prompts();
            let found = prompts.iter().find(|prompt| self.name().prompt(&prompt.name) == called);
            let prompt = found.ok_or(NoPrompt::Unknown)?;
            let arguments = arguments(prompt, written).map_err(|lacks| NoPrompt::Lacks { lacks })?;
            let got = connection.prompt(&prompt.name, arguments).await;
            Ok(got.inspect_err(|trouble| self.note_wider(trouble))?)
        };
        let patience = self.definition.timeout.min(LONGEST_PROMPT);
        let got = tokio::time::timeout(patience, get).await;
        got.unwrap_or_else(|_| {
            let (seconds, said) = (patience.as_secs().max(1), String::new());
            Err(ServerTrouble::NoAnswer { seconds, said }.into())
        })
    }

    /// Returns completions without starting the server.
    pub(super) async fn values(&self, called: &str, written: &str) -> Values {
        let connection = self.known().connection.clone();
        let prompts = self.prompts();
        let prompt = prompts.iter().find(|prompt| self.name().prompt(&prompt.name) == called);
        let none = Values::Known {
            values: Vec::new(),
            left_out: LeftUntold::None,
        };
        let Some((prompt, begun)) = prompt.and_then(|prompt| Some((prompt, begun(prompt, written)?))) else {
            return none;
        };
        match connection {
            Some(connection) => prompts::values(connection.values(&prompt.name, begun).await),
            None => Values::NotYet,
        }
    }

    pub(super) fn patience(&self) -> Duration {
        self.definition.timeout
    }

    pub(super) fn resources(&self) -> Arc<[OfferedResource]> {
        Arc::clone(&self.known().resources)
    }

    pub(super) async fn read(self: &Arc<Self>, uri: &str, until: Instant) -> Result<Vec<Part>, ServerTrouble> {
        let read = async {
            let read = self.ready().await?.read(uri).await;
            read.inspect_err(|trouble| self.note_wider(trouble))
        };
        let patience = self.definition.timeout.min(LONGEST_READING);
        let until = until.min(Instant::now() + patience);
        let read = tokio::time::timeout_at(until.into(), read).await;
        read.unwrap_or_else(|_| {
            let (seconds, said) = (patience.as_secs().max(1), String::new());
            Err(ServerTrouble::NoAnswer { seconds, said })
        })
    }

    pub(super) async fn call(
        self: &Arc<Self>,
        tool: &str,
        arguments: Map<String, Value>,
        patience: Option<Duration>,
        tell: &mpsc::Sender<String>,
        asker: Option<Asker>,
    ) -> Result<Answered, ServerTrouble> {
        let connection = self.ready().await?;
        let answered = connection.call(tool, arguments, patience, tell, asker).await;
        answered.inspect_err(|trouble| self.note_wider(trouble))
    }

    fn note_wider(&self, trouble: &ServerTrouble) {
        let ServerTrouble::Narrow { scope, .. } = trouble else {
            return;
        };
        let mut known = self.known();
        let wider = &mut known.wider;
        for scope in scope.split(' ').filter(|scope| is_scope(scope)) {
            if wider.len() < MOST_WIDER && !wider.iter().any(|known| known == scope) {
                wider.push(scope.to_owned());
            }
        }
    }

    fn narrow(&self, wider: &[String]) -> Option<ServerTrouble> {
        (!wider.is_empty()).then(|| ServerTrouble::Narrow {
            server: self.name().clone(),
            scope: wider.join(" "),
        })
    }

    pub(super) fn wider(&self) -> Vec<String> {
        self.known().wider.clone()
    }

    pub(super) fn is_wider(&self) {
        self.known().wider.clear();
    }
}

/// Checks the syntax of a scope (RFC 6749, 3.3).
fn is_scope(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\'))
}
