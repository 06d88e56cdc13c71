//! Life cycle of a server: start, restarts after failures, and cached tools and prompts. All waits are limited.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use super::ServerSnapshot;
use super::connection::Connection;
use super::definition::{Definition, Place};
use super::elicitation::FormRecipient;
use super::limits::{LONGEST_PROMPT, LONGEST_READING, MOST_RESTARTS, RESTART_DELAYS, RESTART_RESET};
use super::offer_cache::{CachedOffers, Lifecycle, OfferCache};
use super::prompt_arguments::{parse_arguments, parse_partial};
use super::prompts;
use super::sign_in_task::SignInTask;
use super::tool_list::{ToolList, report_incomplete};
use benchdog_domain::server::{
    Answered, LeftOut, LeftUntold, NoPrompt, Offered, OfferedPrompt, OfferedResource, Part, ServerName, ServerStage,
    ServerTrouble, Spoken, Values,
};

const MOST_MISSING_SCOPES: usize = 32;

const END_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) struct Server {
    pub(super) definition: Definition,
    cache: OfferCache,
    logs: PathBuf,
    known: Mutex<Known>,
    loaded: OnceLock<()>,
    stage: watch::Sender<ServerStage>,
    /// Whether the list of resources has arrived. Valid only while the server runs.
    has_listed: watch::Sender<bool>,
    pub(super) sign_in: SignInTask,
}

#[derive(Default)]
struct Known {
    connection: Option<Arc<Connection>>,
    task: Option<AbortHandle>,
    /// The last known tools, from this or an earlier run.
    offered: Option<Arc<[Offered]>>,
    prompts: Arc<[OfferedPrompt]>,
    resources: Arc<[OfferedResource]>,
    left_out: Vec<LeftOut>,
    greeting: Option<Lifecycle>,
    started_at: Option<Instant>,
    trouble: Option<ServerTrouble>,
    restarts: u32,
    ready_since: Option<Instant>,
    asked: Vec<String>,
    missing_scopes: Vec<String>,
}

impl Server {
    pub(super) fn new(definition: Definition, cache: OfferCache, logs: PathBuf) -> Arc<Self> {
        Arc::new(Self {
            definition,
            cache,
            logs,
            known: Mutex::default(),
            loaded: OnceLock::new(),
            stage: watch::Sender::new(ServerStage::Waiting),
            has_listed: watch::Sender::new(false),
            sign_in: SignInTask::default(),
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

    pub(super) fn snapshot(&self) -> ServerSnapshot {
        let known = self.known();
        let asked = known.connection.as_ref().map(|connection| connection.state.asked());
        ServerSnapshot {
            name: self.name().clone(),
            stage: self.stage(),
            offered: known.offered.clone(),
            prompts: Arc::clone(&known.prompts),
            resources: Arc::clone(&known.resources),
            trouble: known
                .trouble
                .clone()
                .or_else(|| self.scope_error(&known.missing_scopes)),
            restarts: known.restarts,
            asked: asked.unwrap_or_else(|| known.asked.clone()),
            left_out: known.left_out.clone(),
            sign_in: self.sign_in.status(),
        }
    }

    /// Reads the cache at the first call only. Concurrent callers wait for the result.
    pub(super) fn load_cache(&self) {
        self.loaded.get_or_init(|| {
            if let Some(offers) = self.cache.read(&self.definition) {
                let mut known = self.known();
                known.greeting = Some(offers.greeting);
                if known.offered.is_none() {
                    known.offered = Some(offers.tools.into());
                    known.prompts = offers.prompts.into();
                }
            }
        });
    }

    pub(super) fn start(self: &Arc<Self>) {
        if self.stage() == ServerStage::Waiting {
            self.spawn();
        }
    }

    pub(super) fn restart(self: &Arc<Self>) {
        self.end();
        let mut known = self.known();
        (known.restarts, known.trouble) = (0, None);
        drop(known);
        self.spawn();
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

    pub(super) fn disable(&self) {
        self.end();
        self.sign_in.cancel();
        self.known().trouble = Some(ServerTrouble::Off);
        self.stage.send_replace(ServerStage::Dead);
    }

    fn spawn(self: &Arc<Self>) {
        let mut known = self.known();
        if self.stage() == ServerStage::Starting {
            return;
        }
        self.stage.send_replace(ServerStage::Starting);
        known.started_at = Some(Instant::now());
        let server = Arc::clone(self);
        known.task = Some(tokio::spawn(async move { server.run().await }).abort_handle());
    }

    async fn run(&self) {
        let trouble = match self.connect().await {
            Ok(connection) => self.watch(&connection).await,
            Err(trouble) => trouble,
        };
        self.note_missing_scopes(&trouble);
        let mut known = self.known();
        if let Some(connection) = known.connection.take() {
            known.asked = connection.state.asked();
        }
        if known
            .ready_since
            .take()
            .is_some_and(|ready_since| ready_since.elapsed() >= RESTART_RESET)
        {
            known.restarts = 0;
        }
        known.trouble = Some(trouble);
        known.resources = Arc::default();
        drop(known);
        self.stage.send_replace(ServerStage::Dead);
    }

    async fn connect(&self) -> Result<Arc<Connection>, ServerTrouble> {
        self.load_cache();
        let first = self.known().greeting.unwrap_or(Lifecycle::Handshake);
        let (connection, greeting) = match Connection::open(&self.definition, first, &self.logs).await {
            Ok(connection) => (connection, first),
            // The server may support only the other `Lifecycle`.
            Err(
                ServerTrouble::Refused { .. }
                | ServerTrouble::Status {
                    status: 400 | 404 | 405,
                    ..
                },
            ) => {
                let other = match first {
                    Lifecycle::Handshake => Lifecycle::Discovery,
                    Lifecycle::Discovery => Lifecycle::Handshake,
                };
                (Connection::open(&self.definition, other, &self.logs).await?, other)
            }
            Err(trouble) => return Err(trouble),
        };
        self.known().greeting = Some(greeting);
        self.list_offers(&connection).await?;
        Ok(Arc::new(connection))
    }

    async fn list_offers(&self, connection: &Connection) -> Result<(), ServerTrouble> {
        let mut taken = connection.tools().await?;
        let (prompts, read) = connection.prompts(self.name()).await;
        report_incomplete(&mut taken.left_out, read);
        if let Some(offers) = self.note_offers(taken, prompts) {
            let (cache, definition) = (self.cache.clone(), self.definition.clone());
            let _ = tokio::task::spawn_blocking(move || cache.write(&definition, &offers)).await;
        }
        Ok(())
    }

    /// Stores the tools and prompts of the server. If they changed, returns the content for the cache.
    fn note_offers(&self, taken: ToolList, prompts: Vec<OfferedPrompt>) -> Option<CachedOffers> {
        let ToolList { offered, left_out } = taken;
        let mut known = self.known();
        let has_changed = known.offered.as_deref() != Some(offered.as_slice()) || *known.prompts != *prompts;
        known.prompts = prompts.clone().into();
        known.offered = Some(offered.clone().into());
        known.left_out = left_out;
        has_changed.then(|| CachedOffers {
            greeting: known.greeting.unwrap_or(Lifecycle::Handshake),
            tools: offered,
            prompts,
        })
    }

    async fn list_resources(&self, connection: &Connection) {
        let (resources, read) = connection.resources().await;
        let mut known = self.known();
        known.resources = resources.into();
        report_incomplete(&mut known.left_out, read);
        drop(known);
        self.has_listed.send_replace(true);
    }

    /// Updates tools, prompts and resources after each notification. Returns when the connection ends.
    async fn watch(&self, connection: &Arc<Connection>) -> ServerTrouble {
        let mut changed = connection.state.changed.subscribe();
        self.has_listed.send_replace(false);
        self.set_ready(connection);
        let mut listing = Box::pin(self.list_resources(connection));
        let mut is_listing = true;
        loop {
            tokio::select! {
                trouble = connection.wait_for_end() => return trouble,
                () = &mut listing, if is_listing => is_listing = false,
                Ok(()) = changed.changed() => {
                    (listing, is_listing) = (Box::pin(self.list_resources(connection)), true);
                    if let Err(trouble) = self.list_offers(connection).await
                        && !connection.is_open()
                    {
                        return trouble;
                    }
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }

    fn set_ready(&self, connection: &Arc<Connection>) {
        let mut known = self.known();
        known.connection = Some(Arc::clone(connection));
        known.ready_since = Some(Instant::now());
        known.trouble = None;
        drop(known);
        self.stage.send_replace(ServerStage::Ready);
    }

    /// Returns the time until which a model request waits for the tools of this server. `None` if the request need not
    /// wait.
    pub(super) fn start_deadline(&self, patience: Duration) -> Option<Instant> {
        let known = self.known();
        let is_starting = known.offered.is_none() && self.stage() == ServerStage::Starting;
        let until = known.started_at.filter(|_| is_starting)? + patience;
        (until > Instant::now()).then_some(until)
    }

    pub(super) async fn wait_until_settled(&self) {
        let mut stage = self.stage.subscribe();
        let over = |stage: &ServerStage| !matches!(stage, ServerStage::Waiting | ServerStage::Starting);
        let _ = stage.wait_for(over).await;
    }

    pub(super) async fn wait_for_resources(&self) {
        let mut has_listed = self.has_listed.subscribe();
        if self.stage() == ServerStage::Ready {
            let _ = has_listed.wait_for(|has| *has).await;
        }
    }

    async fn ready(self: &Arc<Self>) -> Result<Arc<Connection>, ServerTrouble> {
        let mut has_restarted = false;
        loop {
            match self.stage() {
                ServerStage::Ready => {
                    let connection = self.known().connection.clone();
                    match connection.filter(|connection| connection.is_open()) {
                        Some(connection) => return Ok(connection),
                        None => self.wait_for_end().await,
                    }
                }
                ServerStage::Starting => self.wait_until_settled().await,
                ServerStage::Waiting | ServerStage::Off => self.spawn(),
                ServerStage::Dead if has_restarted => return Err(self.trouble()),
                ServerStage::Dead => {
                    self.restart_after_failure().await?;
                    has_restarted = true;
                }
            }
        }
    }

    fn trouble(&self) -> ServerTrouble {
        self.known().trouble.clone().unwrap_or(ServerTrouble::Unexpected)
    }

    /// Waits until the connection's task notices the closed output. After a timeout, ends the server's program.
    async fn wait_for_end(&self) {
        let mut stage = self.stage.subscribe();
        let wait = stage.wait_for(|stage| *stage != ServerStage::Ready);
        if tokio::time::timeout(END_TIMEOUT, wait).await.is_err() {
            self.end();
            self.known().trouble = Some(ServerTrouble::Ended {
                code: None,
                signal: None,
                said: String::new(),
            });
            self.stage.send_replace(ServerStage::Dead);
        }
    }

    /// Restarts an exited server after a delay. Fails for other errors, because they would occur again.
    async fn restart_after_failure(self: &Arc<Self>) -> Result<(), ServerTrouble> {
        let restarts = self.known().restarts;
        let trouble = self.trouble();
        if matches!(self.definition.place, Place::Address(_)) && trouble != ServerTrouble::Off {
            // Over HTTP, a retry costs little, and the user may have fixed the problem.
            self.spawn();
            return Ok(());
        }
        if !matches!(trouble, ServerTrouble::Ended { .. }) || restarts >= MOST_RESTARTS {
            return Err(trouble);
        }
        let delay = usize::try_from(restarts).ok().and_then(|at| RESTART_DELAYS.get(at));
        tokio::time::sleep(delay.copied().unwrap_or_default()).await;
        if self.stage() == ServerStage::Dead {
            self.known().restarts += 1;
            self.spawn();
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
            let arguments = parse_arguments(prompt, written).map_err(|lacks| NoPrompt::Lacks { lacks })?;
            let got = connection.prompt(&prompt.name, arguments).await;
            Ok(got.inspect_err(|trouble| self.note_missing_scopes(trouble))?)
        };
        let patience = self.definition.timeout.min(LONGEST_PROMPT);
        let got = tokio::time::timeout(patience, get).await;
        got.unwrap_or_else(|_| {
            let (seconds, said) = (patience.as_secs().max(1), String::new());
            Err(ServerTrouble::NoAnswer { seconds, said }.into())
        })
    }

    /// Completes the argument of a prompt. Does not start the server.
    pub(super) async fn complete(&self, called: &str, written: &str) -> Values {
        let connection = self.known().connection.clone();
        let prompts = self.prompts();
        let prompt = prompts.iter().find(|prompt| self.name().prompt(&prompt.name) == called);
        let none = Values::Known {
            values: Vec::new(),
            left_out: LeftUntold::None,
        };
        let Some((prompt, begun)) = prompt.and_then(|prompt| Some((prompt, parse_partial(prompt, written)?))) else {
            return none;
        };
        match connection {
            Some(connection) => prompts::values(connection.values(&prompt.name, begun).await),
            None => Values::NotYet,
        }
    }

    pub(super) fn timeout(&self) -> Duration {
        self.definition.timeout
    }

    pub(super) fn resources(&self) -> Arc<[OfferedResource]> {
        Arc::clone(&self.known().resources)
    }

    pub(super) async fn read(self: &Arc<Self>, uri: &str, until: Instant) -> Result<Vec<Part>, ServerTrouble> {
        let read = async {
            let read = self.ready().await?.read(uri).await;
            read.inspect_err(|trouble| self.note_missing_scopes(trouble))
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
        recipient: Option<FormRecipient>,
    ) -> Result<Answered, ServerTrouble> {
        let connection = self.ready().await?;
        let answered = connection.call(tool, arguments, patience, tell, recipient).await;
        answered.inspect_err(|trouble| self.note_missing_scopes(trouble))
    }

    fn note_missing_scopes(&self, trouble: &ServerTrouble) {
        let ServerTrouble::Narrow { scope, .. } = trouble else {
            return;
        };
        let mut known = self.known();
        let missing_scopes = &mut known.missing_scopes;
        for scope in scope.split(' ').filter(|scope| is_scope(scope)) {
            if missing_scopes.len() < MOST_MISSING_SCOPES && !missing_scopes.iter().any(|known| known == scope) {
                missing_scopes.push(scope.to_owned());
            }
        }
    }

    fn scope_error(&self, missing_scopes: &[String]) -> Option<ServerTrouble> {
        (!missing_scopes.is_empty()).then(|| ServerTrouble::Narrow {
            server: self.name().clone(),
            scope: missing_scopes.join(" "),
        })
    }

    pub(super) fn missing_scopes(&self) -> Vec<String> {
        self.known().missing_scopes.clone()
    }

    pub(super) fn clear_missing_scopes(&self) {
        self.known().missing_scopes.clear();
    }
}

/// Checks the syntax of a scope (RFC 6749, 3.3).
fn is_scope(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\'))
}
