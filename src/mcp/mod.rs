//! Servers that offer tools by the Model Context Protocol: each is a program that is started, or an address that is asked, when a session
//! asks a model for the first time, or when a person looks at it. Here they live, are spoken with, and are ended; the SDK is used nowhere else.
//!
//! It decides nothing about permission and knows nothing of sessions. What it hands out is plain data without what steers a terminal,
//! and within bounds (`limits`). What a server says of itself is never believed where something depends on it.

mod answered;
mod aside;
mod beginning;
mod cleaned;
mod connection;
mod definition;
mod elicited;
mod facts;
mod farewell;
mod given;
mod http;
mod kept;
pub(crate) mod limits;
mod listener;
mod mended;
pub(crate) mod oauth;
mod program;
mod prompts;
mod resources;
mod schema;
mod server;
mod signing;
mod unsaid;
mod wire;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

pub(crate) use farewell::wait_for_farewells;
pub(crate) use signing::Wish as SignWish;

pub(crate) use definition::{Address, Alone, Definition, Hidden, Identity, Inherited, Place, Program, Whose};
pub(crate) use elicited::{Asker, Asking};

use crate::domain::server::{
    Answered, LeftOut, Listed, NoPrompt, Offered, OfferedPrompt, OfferedResource, Part, ServerName, ServerStage,
    ServerTrouble, Spoken, Values,
};
use crate::domain::sign_in::SignIn;
use kept::Shelf;
use server::Server;

/// Steps of a sign-in that wait to be told.
const SIGNED: usize = 4;

/// The servers of one folder, as its configuration names them. Cheap to clone; with the last of them they end.
#[derive(Clone)]
pub(crate) struct Servers(Arc<All>);

struct All {
    servers: Vec<Arc<Server>>,
    cache: PathBuf,
    logs: PathBuf,
}

/// One server as it stands.
pub(crate) struct Standing {
    pub(crate) name: ServerName,
    pub(crate) stage: ServerStage,
    pub(crate) offered: Option<Arc<[Offered]>>,
    pub(crate) prompts: Arc<[OfferedPrompt]>,
    pub(crate) resources: Arc<[OfferedResource]>,
    pub(crate) trouble: Option<ServerTrouble>,
    pub(crate) restarts: u32,
    pub(crate) asked: Vec<String>,
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) sign_in: Option<SignIn>,
}

impl Servers {
    /// Starts nothing and reads nothing.
    pub(crate) fn new(definitions: Vec<Definition>, cache: &Path, logs: &Path) -> Self {
        let server = |definition| Server::new(definition, Shelf::of(cache), logs.to_path_buf());
        Self(Arc::new(All {
            servers: definitions.into_iter().map(server).collect(),
            cache: cache.to_path_buf(),
            logs: logs.to_path_buf(),
        }))
    }

    /// The same for another configuration, where it is another; it starts anew then.
    pub(crate) fn instead(&self, definitions: Vec<Definition>) -> Self {
        if self.0.servers.iter().map(|server| &server.definition).eq(&definitions) {
            return self.clone();
        }
        Self::new(definitions, &self.0.cache, &self.0.logs)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.servers.is_empty()
    }

    /// What the configuration gives them that is nobody else's to read.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = String> {
        self.0.servers.iter().flat_map(|server| server.definition.secrets())
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &ServerName> {
        self.0.servers.iter().map(|server| server.name())
    }

    /// Starts those that were never started, side by side. Returns at once.
    pub(crate) fn start(&self) {
        self.0.servers.iter().for_each(Server::start);
    }

    /// Looks at what earlier runs kept of them, on a thread that may wait.
    pub(crate) async fn recall(&self) {
        let all = Arc::clone(&self.0);
        let recalled = tokio::task::spawn_blocking(move || all.servers.iter().for_each(|server| server.recall()));
        let _ = recalled.await;
    }

    /// What they offer, as far as it is known or becomes known in a moment after their start. Those it is not known of are left out.
    pub(crate) async fn first(&self, patience: Duration) -> Vec<Listed> {
        let awaited = self.0.servers.iter().filter_map(|server| {
            let until = server.awaited(patience)?;
            Some(tokio::time::timeout_at(until.into(), server.settled()))
        });
        join_all(awaited).await;
        self.listed()
    }

    /// Those that a request would wait for.
    pub(crate) fn awaited(&self, patience: Duration) -> Vec<ServerName> {
        let awaited = self
            .0
            .servers
            .iter()
            .filter(|server| server.awaited(patience).is_some());
        awaited.map(|server| server.name().clone()).collect()
    }

    /// What they are known to offer now.
    pub(crate) fn listed(&self) -> Vec<Listed> {
        let listed = |server: &Arc<Server>| {
            Some(Listed {
                server: server.name().clone(),
                tools: server.told().offered?,
            })
        };
        self.0.servers.iter().filter_map(listed).collect()
    }

    /// Waits until each is ready or cannot be.
    pub(crate) async fn settled(&self) {
        join_all(self.0.servers.iter().map(|server| server.settled())).await;
    }

    pub(crate) fn standing(&self) -> Vec<Standing> {
        let standing = |server: &Arc<Server>| {
            let told = server.told();
            Standing {
                name: server.name().clone(),
                stage: told.stage,
                offered: told.offered,
                prompts: server.prompts(),
                resources: server.resources(),
                trouble: told.trouble,
                restarts: told.restarts,
                asked: told.asked,
                left_out: told.left_out,
                sign_in: told.sign_in,
            }
        };
        self.0.servers.iter().map(standing).collect()
    }

    fn find(&self, name: &ServerName) -> Option<&Arc<Server>> {
        self.0.servers.iter().find(|server| server.name() == name)
    }

    /// How long it is waited for at most, whatever it is asked.
    pub(crate) fn patience(&self, name: &ServerName) -> Duration {
        self.find(name).map_or(Duration::ZERO, |server| server.patience())
    }

    /// Whether there is one of this name.
    pub(crate) fn restart(&self, name: &ServerName) -> bool {
        let found = self.find(name);
        found.inspect(|server| server.restart()).is_some()
    }

    /// Signs in at one, or out. What comes of it, step by step, is told after each.
    pub(crate) fn sign(&self, name: &ServerName, wish: SignWish) -> mpsc::Receiver<()> {
        let (tell, told) = mpsc::channel(SIGNED);
        if let Some(server) = self.find(name) {
            server.sign(wish, tell);
        }
        told
    }

    /// Ends one that must not run any more.
    pub(crate) fn bar(&self, name: &ServerName) {
        if let Some(server) = self.find(name) {
            server.bar();
        }
    }

    /// What each is known to have as prompts.
    pub(crate) fn prompts(&self) -> Vec<(ServerName, Arc<[OfferedPrompt]>)> {
        let servers = self.0.servers.iter();
        servers
            .map(|server| (server.name().clone(), server.prompts()))
            .collect()
    }

    /// Waits until it is known what those that are ready list to be read, and not for long.
    pub(crate) async fn have_listed(&self, patience: Duration) {
        let all = join_all(self.0.servers.iter().map(|server| server.has_listed()));
        let _ = tokio::time::timeout(patience, all).await;
    }

    /// What those that run list to be read.
    pub(crate) fn resources(&self) -> Vec<(ServerName, Arc<[OfferedResource]>)> {
        let servers = self.0.servers.iter();
        servers
            .map(|server| (server.name().clone(), server.resources()))
            .collect()
    }

    /// What stands at an address of a server.
    pub(crate) async fn read(
        &self,
        server: &ServerName,
        uri: &str,
        until: Instant,
    ) -> Result<Vec<Part>, ServerTrouble> {
        match self.find(server) {
            Some(server) => server.read(uri, until).await,
            None => Err(ServerTrouble::Off),
        }
    }

    /// The messages of a prompt that a person calls so, with what was written behind it.
    pub(crate) async fn prompt(
        &self,
        server: &ServerName,
        called: &str,
        written: &str,
    ) -> Result<Vec<Spoken>, NoPrompt> {
        match self.find(server) {
            Some(server) => server.prompt(called, written).await,
            None => Err(ServerTrouble::Off.into()),
        }
    }

    /// What may be written for the last argument of what stands behind a prompt that is called so.
    pub(crate) async fn values(&self, server: &ServerName, called: &str, written: &str) -> Values {
        match self.find(server) {
            Some(server) => server.values(called, written).await,
            None => Values::NotYet,
        }
    }

    /// Calls a tool by the server's own name for it; without `patience` it is waited for as for all of the server. What the server wants a
    /// person to fill in meanwhile goes to `asker`; without that it is declined. Dropping the future tells the server that nobody waits any
    /// more.
    pub(crate) async fn call(
        &self,
        server: &ServerName,
        tool: &str,
        arguments: Map<String, Value>,
        patience: Option<Duration>,
        tell: &mpsc::Sender<String>,
        asker: Option<Asker>,
    ) -> Result<Answered, ServerTrouble> {
        match self.find(server) {
            Some(server) => server.call(tool, arguments, patience, tell, asker).await,
            None => Err(ServerTrouble::Off),
        }
    }
}

impl Drop for All {
    fn drop(&mut self) {
        for server in &self.servers {
            server.end();
            server.signing.end();
        }
    }
}
