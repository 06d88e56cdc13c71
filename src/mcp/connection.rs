//! One running server: its process, the connection to it, and what is asked of it. Every wait has an end, and everything the process
//! started ends with it.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientRequest, PaginatedRequestParams,
    ProtocolVersion, RequestId, Tool,
};
use rmcp::service::{ClientInitializeError, Peer, PeerRequestOptions, RunningService, ServiceError};
use rmcp::{ClientLifecycleMode, RoleClient, serve_client_with_lifecycle};
use serde_json::{Map, Value};
use tokio::net::unix::pipe;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};

use super::answered::answered;
use super::aside::Aside;
use super::definition::Definition;
use super::kept::Greeting;
use super::limits::{LONGEST_CALL, MOST_MESSAGE, MOST_PAGES, MOST_TOOLS};
use super::listener::{Heard, Listener};
use super::wire::{Faults, UNREADABLE, Wire};
use crate::base::text::{clean, truncate};
use crate::children::{self, Launch, Running};
use crate::domain::server::{Answered, ServerEnd, ServerTrouble};

/// How long a process that has closed its output may take to end.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// What is shown of a server's own words.
const SHOWN: usize = 300;

/// Progress that waits to be told; who is behind hears the next.
const PROGRESS: usize = 8;

pub(super) struct Connection {
    peer: Peer<RoleClient>,
    /// Ends the connection when it is dropped.
    service: RunningService<RoleClient, Listener>,
    pub(super) heard: Arc<Heard>,
    facts: Facts,
    timeout: Duration,
    /// Waits for the end of the process, and ends it when it is dropped.
    _process: JoinSet<()>,
}

/// What is known of the process, for whoever has to say why nothing came.
#[derive(Clone)]
struct Facts {
    /// How it ended, once it has.
    ended: watch::Receiver<Option<ServerEnd>>,
    aside: Aside,
    faults: Arc<Faults>,
}

impl Connection {
    /// Starts the program and greets it, both within its time.
    pub(super) async fn open(
        definition: &Definition,
        greeting: Greeting,
        logs: &std::path::Path,
    ) -> Result<Self, ServerTrouble> {
        let (running, spoken) = start(definition).await?;
        let broken = |error: io::Error| ServerTrouble::NotStarted {
            words: error.to_string(),
        };
        let aside = Aside::listen(spoken.aside, &definition.name, logs).map_err(broken)?;
        let reads = pipe::Receiver::from_owned_fd(spoken.from.into()).map_err(broken)?;
        let writes = pipe::Sender::from_owned_fd(spoken.to.into()).map_err(broken)?;
        let (wire, faults) = Wire::new(reads, writes);
        let (tell, ended) = watch::channel(None);
        let mut process = JoinSet::new();
        process.spawn(attend(running, tell));
        let facts = Facts { ended, aside, faults };
        let heard = Arc::new(Heard::default());
        let listener = Listener {
            heard: Arc::clone(&heard),
            folder: definition.folder.clone(),
        };
        let greets = serve_client_with_lifecycle(listener, wire, lifecycle(greeting));
        let service = match timeout(definition.timeout, greets).await {
            Ok(Ok(service)) => service,
            Ok(Err(error)) => return Err(facts.not_greeted(error).await),
            Err(_) => return Err(facts.silent(definition.timeout)),
        };
        Ok(Self {
            peer: service.peer().clone(),
            service,
            heard,
            facts,
            timeout: definition.timeout,
            _process: process,
        })
    }

    /// Returns when it is over: how the process ended, and the last it said.
    pub(super) async fn over(&self) -> ServerTrouble {
        let mut ended = self.facts.ended.clone();
        let how = match ended.wait_for(Option::is_some).await {
            Ok(how) => how.unwrap_or_default(),
            Err(_) => ServerEnd::default(),
        };
        self.facts.ended_by(how).await
    }

    /// Whether anything can still be asked of it.
    pub(super) fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.peer.is_transport_closed() && self.facts.ended.borrow().is_none()
    }

    /// All its tools, page by page, within its time.
    pub(super) async fn tools(&self) -> Result<Vec<Tool>, ServerTrouble> {
        let all = async {
            let mut tools = Vec::new();
            let mut cursor = None;
            for _ in 0..MOST_PAGES {
                let params = PaginatedRequestParams::default().with_cursor(cursor);
                let page = self.peer.list_tools(Some(params)).await?;
                tools.extend(page.tools);
                cursor = page.next_cursor;
                // One more than are taken says that there are more.
                if cursor.is_none() || tools.len() > MOST_TOOLS {
                    break;
                }
            }
            Ok(tools)
        };
        let mut too_long = self.facts.faults.too_long();
        too_long.mark_unchanged();
        tokio::select! {
            biased;
            all = timeout(self.timeout, all) => match all {
                Ok(Ok(tools)) => Ok(tools),
                Ok(Err(error)) => Err(self.trouble(error).await),
                Err(_) => Err(self.facts.silent(self.timeout)),
            },
            Ok(()) = too_long.changed() => Err(too_much()),
        }
    }

    /// Calls a tool. What it reports of its progress goes to `tell`, and has it waited for longer. Dropping the future tells the
    /// server that nobody waits any more.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        tell: &mpsc::Sender<String>,
    ) -> Result<Answered, ServerTrouble> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let mut too_long = self.facts.faults.too_long();
        too_long.mark_unchanged();
        let sent = self
            .peer
            .send_cancellable_request(request, PeerRequestOptions::no_options());
        let mut handle = match timeout(self.timeout, sent).await {
            Ok(Ok(handle)) => handle,
            Ok(Err(error)) => return Err(self.trouble(error).await),
            Err(_) => return Err(self.facts.silent(self.timeout)),
        };
        let (says, mut hears) = mpsc::channel(PROGRESS);
        self.heard.follow(handle.progress_token.clone(), says);
        let mut under_way = UnderWay {
            peer: &self.peer,
            heard: &self.heard,
            token: handle.progress_token.clone(),
            id: Some(handle.id.clone()),
        };
        let latest = Instant::now() + LONGEST_CALL;
        let mut until = Instant::now() + self.timeout;
        loop {
            tokio::select! {
                biased;
                result = &mut handle.rx => {
                    under_way.id = None;
                    return match result {
                        Ok(Ok(result)) => answered(result),
                        Ok(Err(error)) => Err(self.trouble(error).await),
                        Err(_) => Err(self.gone().await),
                    };
                }
                Some(progress) = hears.recv() => {
                    until = (Instant::now() + self.timeout).min(latest);
                    let _ = tell.send(progress).await;
                }
                Ok(()) = too_long.changed() => return Err(too_much()),
                () = sleep_until(until) => return Err(self.facts.silent(self.timeout)),
            }
        }
    }

    async fn trouble(&self, error: ServiceError) -> ServerTrouble {
        match error {
            ServiceError::McpError(error) if error.message == UNREADABLE => ServerTrouble::Unreadable,
            ServiceError::McpError(error) => ServerTrouble::Refused {
                words: words(&error.message),
            },
            ServiceError::UnexpectedResponse => ServerTrouble::Unexpected,
            ServiceError::InputRequiredRoundsExceeded { .. } => ServerTrouble::Asks {
                what: "input".to_owned(),
            },
            _ => self.gone().await,
        }
    }

    async fn gone(&self) -> ServerTrouble {
        self.facts.gone().await
    }
}

impl Facts {
    async fn ended_by(&self, how: ServerEnd) -> ServerTrouble {
        self.aside.read_out().await;
        ServerTrouble::Ended {
            code: how.code,
            signal: how.signal,
            said: self.aside.last(),
        }
    }

    /// Its output is closed: it has ended, or is about to.
    async fn gone(&self) -> ServerTrouble {
        let mut ended = self.ended.clone();
        let how = timeout(LAST_BREATH, ended.wait_for(Option::is_some)).await;
        let how = how.ok().and_then(Result::ok).and_then(|how| *how);
        self.ended_by(how.unwrap_or_default()).await
    }

    fn silent(&self, waited: Duration) -> ServerTrouble {
        match self.faults.garbage() {
            Some(line) => ServerTrouble::Garbage { line },
            None => ServerTrouble::NoAnswer {
                seconds: waited.as_secs().max(1),
                said: self.aside.last(),
            },
        }
    }

    async fn not_greeted(&self, error: ClientInitializeError) -> ServerTrouble {
        match error {
            ClientInitializeError::JsonRpcError(error) if error.message == UNREADABLE => ServerTrouble::Unreadable,
            ClientInitializeError::JsonRpcError(error) => ServerTrouble::Refused {
                words: words(&error.message),
            },
            ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => {
                self.gone().await
            }
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => Box::pin(self.not_greeted(*fallback)).await,
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => ServerTrouble::OtherRevision,
            _ => ServerTrouble::Unexpected,
        }
    }
}

/// A call that is waited for. Dropped before its answer came, the server is told.
struct UnderWay<'c> {
    peer: &'c Peer<RoleClient>,
    heard: &'c Heard,
    token: rmcp::model::ProgressToken,
    id: Option<RequestId>,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.heard.let_go(&self.token);
        let Some(id) = self.id.take() else { return };
        let peer = self.peer.clone();
        // It ends with the connection, where the server does not read.
        tokio::spawn(async move {
            let _ = peer
                .notify_cancelled(CancelledNotificationParam::new(Some(id), None))
                .await;
        });
    }
}

fn too_much() -> ServerTrouble {
    ServerTrouble::TooLong {
        most: MOST_MESSAGE as u64,
    }
}

/// Another's words, on one line.
fn words(text: &str) -> String {
    truncate(&clean(text).replace(['\n', '\t'], " "), SHOWN).into_owned()
}

fn lifecycle(greeting: Greeting) -> ClientLifecycleMode {
    match greeting {
        Greeting::Handshake => ClientLifecycleMode::Initialize,
        Greeting::Discovery => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::LATEST],
        },
    }
}

async fn start(definition: &Definition) -> Result<(Running, children::Spoken), ServerTrouble> {
    if let Some(name) = definition.lacks.first() {
        return Err(ServerTrouble::Lacks { variable: name.clone() });
    }
    let variables = definition.whole_environment();
    let path = variables.iter().find(|(name, _)| name == "PATH");
    let path = path.map_or("/usr/local/bin:/usr/bin:/bin", |(_, path)| path.as_str());
    let name = definition.program.as_str();
    let program = if name.contains('/') {
        Some(definition.folder.join(name)).filter(|file| file.is_file())
    } else {
        children::find_program(name, path)
    };
    let Some(program) = program else {
        let program = name.to_owned();
        return Err(ServerTrouble::NotFound { program });
    };
    let launch = Launch {
        launcher: definition.launcher.clone(),
        program,
        arguments: definition.arguments.clone(),
        folder: definition.folder.clone(),
        variables,
        confined: None,
        then: None,
    };
    let started = children::start_spoken(launch).await;
    started.map_err(|error| ServerTrouble::NotStarted {
        words: error.to_string(),
    })
}

/// Waits for the end of the process, and ends what it left behind.
async fn attend(mut running: Running, tell: watch::Sender<Option<ServerEnd>>) {
    let how = match (&mut running.exited).await {
        Ok(Ok(status)) => ServerEnd {
            code: status.code(),
            signal: status.signal(),
        },
        _ => ServerEnd::default(),
    };
    tell.send_replace(Some(how));
    running.finish().await;
}
