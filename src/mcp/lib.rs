//! MCP servers, which are programs or URLs. The first model request or listing starts them. No other crate uses the MCP
//! SDK.
//!
//! Other crates decide whether a call is allowed. This crate returns sanitised data within `limits`, and does not trust
//! a server's claims about itself.

mod connection;
mod content;
mod definition;
mod diagnosis;
mod elicitation;
mod http;
mod lenient_parser;
pub mod limits;
mod listener;
mod message_prefix;
pub mod oauth;
mod offer_cache;
mod program;
mod prompt_arguments;
mod prompts;
mod resources;
mod schema_repair;
mod secret_filter;
mod server;
mod shutdown;
mod sign_in_task;
mod stderr_log;
mod stdio;
mod tool_list;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

pub use shutdown::wait_for_shutdown;
pub use sign_in_task::SignInAction;

pub use definition::{
    Address, Definition, Identity, InheritedVariables, MachineCredentials, Place, Program, SecretSource, SignInOwner,
};
pub use elicitation::{FormEvent, FormRecipient};

use benchdog_domain::server::{
    Answered, LeftOut, Listed, NoPrompt, Offered, OfferedPrompt, OfferedResource, Part, ServerName, ServerStage,
    ServerTrouble, Spoken, Values,
};
use benchdog_domain::sign_in::SignIn;
use offer_cache::OfferCache;
use server::Server;

const SIGN_IN_STEPS: usize = 4;

/// The MCP servers of a folder. Cheap to clone. Dropping the last clone stops the servers.
#[derive(Clone)]
pub struct Servers(Arc<All>);

struct All {
    servers: Vec<Arc<Server>>,
    cache: PathBuf,
    logs: PathBuf,
}

pub struct ServerSnapshot {
    pub name: ServerName,
    pub stage: ServerStage,
    pub offered: Option<Arc<[Offered]>>,
    pub prompts: Arc<[OfferedPrompt]>,
    pub resources: Arc<[OfferedResource]>,
    pub trouble: Option<ServerTrouble>,
    pub restarts: u32,
    pub asked: Vec<String>,
    pub left_out: Vec<LeftOut>,
    pub sign_in: Option<SignIn>,
}

impl Servers {
    pub fn new(definitions: Vec<Definition>, cache: &Path, logs: &Path) -> Self {
        let server = |definition| Server::new(definition, OfferCache::new(cache), logs.to_path_buf());
        Self(Arc::new(All {
            servers: definitions.into_iter().map(server).collect(),
            cache: cache.to_path_buf(),
            logs: logs.to_path_buf(),
        }))
    }

    /// Returns the servers of a new configuration. If the configuration is unchanged, returns a clone of `self`, so
    /// that the servers continue.
    pub fn with_definitions(&self, definitions: Vec<Definition>) -> Self {
        if self.0.servers.iter().map(|server| &server.definition).eq(&definitions) {
            return self.clone();
        }
        Self::new(definitions, &self.0.cache, &self.0.logs)
    }

    pub fn is_empty(&self) -> bool {
        self.0.servers.is_empty()
    }

    pub fn secrets(&self) -> impl Iterator<Item = String> {
        self.0.servers.iter().flat_map(|server| server.definition.secrets())
    }

    pub fn names(&self) -> impl Iterator<Item = &ServerName> {
        self.0.servers.iter().map(|server| server.name())
    }

    pub fn start(&self) {
        self.0.servers.iter().for_each(Server::start);
    }

    pub async fn load_cache(&self) {
        let all = Arc::clone(&self.0);
        let loaded = tokio::task::spawn_blocking(move || all.servers.iter().for_each(|server| server.load_cache()));
        let _ = loaded.await;
    }

    /// Returns the known tools of all servers. Waits at most `patience` for servers that are starting.
    pub async fn initial_tools(&self, patience: Duration) -> Vec<Listed> {
        let awaited = self.0.servers.iter().filter_map(|server| {
            let until = server.start_deadline(patience)?;
            Some(tokio::time::timeout_at(until.into(), server.wait_until_settled()))
        });
        join_all(awaited).await;
        self.tools()
    }

    pub fn starting(&self, patience: Duration) -> Vec<ServerName> {
        let awaited = self
            .0
            .servers
            .iter()
            .filter(|server| server.start_deadline(patience).is_some());
        awaited.map(|server| server.name().clone()).collect()
    }

    pub fn tools(&self) -> Vec<Listed> {
        let listed = |server: &Arc<Server>| {
            Some(Listed {
                server: server.name().clone(),
                tools: server.snapshot().offered?,
            })
        };
        self.0.servers.iter().filter_map(listed).collect()
    }

    pub async fn wait_until_settled(&self) {
        join_all(self.0.servers.iter().map(|server| server.wait_until_settled())).await;
    }

    pub fn snapshots(&self) -> Vec<ServerSnapshot> {
        self.0.servers.iter().map(|server| server.snapshot()).collect()
    }

    fn find(&self, name: &ServerName) -> Option<&Arc<Server>> {
        self.0.servers.iter().find(|server| server.name() == name)
    }

    pub fn timeout(&self, name: &ServerName) -> Duration {
        self.find(name).map_or(Duration::ZERO, |server| server.timeout())
    }

    pub fn restart(&self, name: &ServerName) -> bool {
        let found = self.find(name);
        found.inspect(|server| server.restart()).is_some()
    }

    /// Signs in or out. The returned channel receives a message after each step.
    pub fn change_sign_in(&self, name: &ServerName, action: SignInAction) -> mpsc::Receiver<()> {
        let (tell, told) = mpsc::channel(SIGN_IN_STEPS);
        if let Some(server) = self.find(name) {
            server.change_sign_in(action, tell);
        }
        told
    }

    pub fn disable(&self, name: &ServerName) {
        if let Some(server) = self.find(name) {
            server.disable();
        }
    }

    pub fn prompts(&self) -> Vec<(ServerName, Arc<[OfferedPrompt]>)> {
        let servers = self.0.servers.iter();
        servers
            .map(|server| (server.name().clone(), server.prompts()))
            .collect()
    }

    pub async fn wait_for_resources(&self, patience: Duration) {
        let all = join_all(self.0.servers.iter().map(|server| server.wait_for_resources()));
        let _ = tokio::time::timeout(patience, all).await;
    }

    pub fn resources(&self) -> Vec<(ServerName, Arc<[OfferedResource]>)> {
        let servers = self.0.servers.iter();
        servers
            .map(|server| (server.name().clone(), server.resources()))
            .collect()
    }

    pub async fn read(&self, server: &ServerName, uri: &str, until: Instant) -> Result<Vec<Part>, ServerTrouble> {
        match self.find(server) {
            Some(server) => server.read(uri, until).await,
            None => Err(ServerTrouble::Off),
        }
    }

    pub async fn prompt(&self, server: &ServerName, called: &str, written: &str) -> Result<Vec<Spoken>, NoPrompt> {
        match self.find(server) {
            Some(server) => server.prompt(called, written).await,
            None => Err(ServerTrouble::Off.into()),
        }
    }

    pub async fn complete(&self, server: &ServerName, called: &str, written: &str) -> Values {
        match self.find(server) {
            Some(server) => server.complete(called, written).await,
            None => Values::NotYet,
        }
    }

    /// Calls the tool that the server names `tool`. Without `patience`, the configured time limit applies. Without
    /// `recipient`, forms are declined. Dropping the future cancels the call.
    pub async fn call(
        &self,
        server: &ServerName,
        tool: &str,
        arguments: Map<String, Value>,
        patience: Option<Duration>,
        tell: &mpsc::Sender<String>,
        recipient: Option<FormRecipient>,
    ) -> Result<Answered, ServerTrouble> {
        match self.find(server) {
            Some(server) => server.call(tool, arguments, patience, tell, recipient).await,
            None => Err(ServerTrouble::Off),
        }
    }
}

impl Drop for All {
    fn drop(&mut self) {
        for server in &self.servers {
            server.end();
            server.sign_in.cancel();
        }
    }
}
