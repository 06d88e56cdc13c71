//! A connection to a server over any transport, and its requests. All requests have timeouts, and all processes end with the connection.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientRequest, CompletionContext,
    CompletionInfo, GetPromptRequestParams, GetPromptResponse, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, RequestId, ServerCapabilities,
};
use rmcp::service::{Peer, PeerRequestOptions, RunningService, ServiceError};
use rmcp::transport::IntoTransport;
use rmcp::{ClientLifecycleMode, RoleClient, serve_client_with_lifecycle};
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};

use super::content::{answered, contents};
use super::definition::{Definition, Place};
use super::diagnosis::{Facts, too_much};
use super::elicitation::Asker;
use super::http;
use super::limits::{LONGEST_CALL, LONGEST_COMPLETION, MOST_CURSOR, MOST_PAGES, More, Read};
use super::listener::{Heard, Listener};
use super::offer_cache::Greeting;
use super::program::Process;
use super::prompt_arguments::Begun;
use super::prompts::{self, spoken};
use super::resources;
use super::tool_list::{Taken, note_unlisted};
use benchdog_domain::server::{Answered, OfferedPrompt, OfferedResource, Part, ServerName, ServerTrouble, Spoken};

/// Capacity of the progress channel. Excess progress is dropped.
const PROGRESS: usize = 8;

pub(super) struct Connection {
    peer: Peer<RoleClient>,
    service: RunningService<RoleClient, Listener>,
    pub(super) heard: Arc<Heard>,
    facts: Facts,
    start: Duration,
    timeout: Duration,
    _process: JoinSet<()>,
}

impl Connection {
    pub(super) async fn open(definition: &Definition, greeting: Greeting, logs: &Path) -> Result<Self, ServerTrouble> {
        if let Some(name) = definition.lacks.first() {
            return Err(ServerTrouble::Lacks { variable: name.clone() });
        }
        let heard = Arc::new(Heard::default());
        let greets = Greets {
            definition,
            greeting,
            heard: Arc::clone(&heard),
        };
        let (facts, service, process) = match &definition.place {
            Place::Program(program) => {
                let (wire, process, waits) = Process::start(definition, program, logs).await?;
                let facts = Facts::Program(process);
                let service = greets.over(wire, &facts).await?;
                (facts, service, waits)
            }
            Place::Address(address) => {
                let (transport, way) = http::open(definition, address);
                let facts = Facts::Address(way);
                let service = greets.over(transport, &facts).await?;
                (facts, service, JoinSet::new())
            }
        };
        Ok(Self {
            peer: service.peer().clone(),
            service,
            heard,
            facts,
            start: definition.start,
            timeout: definition.timeout,
            _process: process,
        })
    }

    pub(super) async fn over(&self) -> ServerTrouble {
        self.facts.over().await
    }

    pub(super) fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.peer.is_transport_closed() && !self.facts.is_over()
    }

    pub(super) async fn tools(&self) -> Result<Taken, ServerTrouble> {
        let list = |params| {
            let peer = self.peer.clone();
            async move {
                let page = peer.list_tools(Some(params)).await?;
                Ok((page.tools, page.next_cursor))
            }
        };
        let mut taken = Taken::default();
        let read = self.pages(list, |page| taken.add(page)).await?;
        note_unlisted(&mut taken.left_out, read);
        Ok(taken)
    }

    /// Returns an empty list if the server has none or fails.
    pub(super) async fn prompts(&self, server: &ServerName) -> (Vec<OfferedPrompt>, Read) {
        let (mut taken, mut read) = (Vec::new(), Read::Whole);
        if self.offers(|capabilities| capabilities.prompts.is_some()) {
            let list = |params| {
                let peer = self.peer.clone();
                async move {
                    let page = peer.list_prompts(Some(params)).await?;
                    Ok((page.prompts, page.next_cursor))
                }
            };
            // Keeps pages from before an error.
            let pages = self.pages(list, |page| prompts::add(server, &mut taken, page)).await;
            read = pages.unwrap_or(Read::Whole);
        }
        (taken, read)
    }

    /// Lists resources first, then templates.
    pub(super) async fn resources(&self) -> (Vec<OfferedResource>, Read) {
        let (mut whole, mut templates, mut read) = (Vec::new(), Vec::new(), Read::Whole);
        if self.offers(|capabilities| capabilities.resources.is_some()) {
            let list = |params| {
                let peer = self.peer.clone();
                async move {
                    let page = peer.list_resources(Some(params)).await?;
                    Ok((page.resources, page.next_cursor))
                }
            };
            let list_templates = |params| {
                let peer = self.peer.clone();
                async move {
                    let page = peer.list_resource_templates(Some(params)).await?;
                    Ok((page.resource_templates, page.next_cursor))
                }
            };
            let pages = tokio::join!(
                self.pages(list, |page| resources::add(&mut whole, page)),
                self.pages(list_templates, |page| resources::add(&mut templates, page)),
            );
            if [pages.0, pages.1].contains(&Ok(Read::InPart)) {
                read = Read::InPart;
            }
        }
        (resources::joined(whole, templates), read)
    }

    pub(super) async fn values(&self, prompt: &str, begun: Begun) -> CompletionInfo {
        if !self.offers(|capabilities| capabilities.completions.is_some()) {
            return CompletionInfo::default();
        }
        let context =
            (!begun.given.is_empty()).then(|| CompletionContext::with_arguments(begun.given.into_iter().collect()));
        let peer = &self.peer;
        let values = peer.complete_prompt_argument(prompt, begun.name, begun.value, context);
        let values = timeout(LONGEST_COMPLETION, values).await;
        values.ok().and_then(Result::ok).unwrap_or_default()
    }

    fn offers(&self, what: impl Fn(&ServerCapabilities) -> bool) -> bool {
        self.peer.peer_info().is_some_and(|info| what(&info.capabilities))
    }

    /// Reduces each page to the accepted items before the next request.
    async fn pages<T, F>(
        &self,
        ask: impl Fn(PaginatedRequestParams) -> F,
        mut take: impl FnMut(Vec<T>) -> More,
    ) -> Result<Read, ServerTrouble>
    where
        F: Future<Output = Result<(Vec<T>, Option<String>), ServiceError>>,
    {
        let all = async {
            let mut cursor = None;
            for _ in 0..MOST_PAGES {
                let (page, next) = ask(PaginatedRequestParams::default().with_cursor(cursor)).await?;
                let more = take(page);
                let goes_on = next.is_some() || more == More::Enough;
                cursor = next.filter(|next| next.len() <= MOST_CURSOR);
                if !goes_on {
                    return Ok(Read::Whole);
                }
                if cursor.is_none() || more != More::Wanted {
                    break;
                }
            }
            Ok(Read::InPart)
        };
        let mut too_long = self.facts.faults().too_long();
        too_long.mark_unchanged();
        tokio::select! {
            biased;
            all = timeout(self.start, all) => match all {
                Ok(Ok(read)) => Ok(read),
                Ok(Err(error)) => Err(self.trouble(error).await),
                Err(_) => Err(self.facts.silent(self.start)),
            },
            Ok(()) = too_long.changed() => Err(too_much()),
        }
    }

    pub(super) async fn read(&self, uri: &str) -> Result<Vec<Part>, ServerTrouble> {
        let params = ReadResourceRequestParams::new(uri);
        let mut too_long = self.facts.faults().too_long();
        too_long.mark_unchanged();
        tokio::select! {
            biased;
            answer = self.peer.read_resource_once(params) => match answer {
                Ok(ReadResourceResponse::Complete(result)) => Ok(result.contents.into_iter().map(contents).collect()),
                Ok(_) => Err(ServerTrouble::Asks { what: "input".to_owned() }),
                Err(error) => Err(self.trouble(error).await),
            },
            Ok(()) = too_long.changed() => Err(too_much()),
        }
    }

    pub(super) async fn prompt(&self, name: &str, arguments: Map<String, Value>) -> Result<Vec<Spoken>, ServerTrouble> {
        let params = GetPromptRequestParams::new(name).with_arguments(arguments);
        let mut too_long = self.facts.faults().too_long();
        too_long.mark_unchanged();
        tokio::select! {
            biased;
            answer = self.peer.get_prompt_once(params) => match answer {
                Ok(GetPromptResponse::Complete(result)) => Ok(spoken(result)),
                Ok(_) => Err(ServerTrouble::Asks { what: "input".to_owned() }),
                Err(error) => Err(self.trouble(error).await),
            },
            Ok(()) = too_long.changed() => Err(too_much()),
        }
    }

    /// Sends progress to `tell`, which extends the timeout. Drop of the future cancels the request.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        patience: Option<Duration>,
        tell: &mpsc::Sender<String>,
        asker: Option<Asker>,
    ) -> Result<Answered, ServerTrouble> {
        let patience = patience.unwrap_or(self.timeout);
        let call = self.heard.askers.add(asker);
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let mut too_long = self.facts.faults().too_long();
        too_long.mark_unchanged();
        let sent = self
            .peer
            .send_cancellable_request(request, PeerRequestOptions::no_options());
        let mut handle = match timeout(patience, sent).await {
            Ok(Ok(handle)) => handle,
            Ok(Err(error)) => return Err(self.trouble(error).await),
            Err(_) => return Err(self.facts.silent(patience)),
        };
        call.is_named(&handle.id);
        let (says, mut hears) = mpsc::channel(PROGRESS);
        self.heard.follow(handle.progress_token.clone(), says);
        let mut under_way = UnderWay {
            peer: &self.peer,
            heard: &self.heard,
            token: handle.progress_token.clone(),
            id: Some(handle.id.clone()),
        };
        let latest = Instant::now() + LONGEST_CALL;
        let mut until = Instant::now() + patience;
        loop {
            tokio::select! {
                biased;
                result = &mut handle.rx => {
                    under_way.id = None;
                    return match result {
                        Ok(Ok(result)) => answered(result),
                        Ok(Err(error)) => Err(self.trouble(error).await),
                        Err(_) => Err(self.facts.trouble(None).await),
                    };
                }
                Some(progress) = hears.recv() => {
                    until = (Instant::now() + patience).min(latest);
                    let _ = tell.send(progress).await;
                }
                Ok(()) = too_long.changed() => return Err(too_much()),
                () = sleep_until(until) => {
                    // No timeout while a person is asked.
                    if !self.heard.askers.is_asking() || until >= latest {
                        return Err(self.facts.silent(patience));
                    }
                    until = (Instant::now() + patience).min(latest);
                }
            }
        }
    }

    async fn trouble(&self, error: ServiceError) -> ServerTrouble {
        self.facts.trouble(Some(error)).await
    }
}

struct Greets<'d> {
    definition: &'d Definition,
    greeting: Greeting,
    heard: Arc<Heard>,
}

impl Greets<'_> {
    async fn over<T, E, A>(self, way: T, facts: &Facts) -> Result<RunningService<RoleClient, Listener>, ServerTrouble>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: Error + Send + Sync + 'static,
    {
        let patience = self.definition.start;
        let listener = Listener {
            heard: self.heard,
            folder: self.definition.folder.clone(),
            server: self.definition.name.clone(),
            faults: Arc::clone(facts.faults()),
        };
        let greets = serve_client_with_lifecycle(listener, way, lifecycle(self.greeting));
        match timeout(patience, greets).await {
            Ok(Ok(service)) if is_spoken(&service) => Ok(service),
            Ok(Ok(_)) => Err(ServerTrouble::OtherRevision),
            Ok(Err(error)) => Err(facts.not_greeted(error).await),
            Err(_) => Err(facts.silent(patience)),
        }
    }
}

/// Revision before the first that the SDK knows. The differences do not matter here.
const EARLIEST: &str = "2024-10-07";

/// Checks the protocol revision, because the SDK accepts any.
fn is_spoken(service: &RunningService<RoleClient, Listener>) -> bool {
    service.peer().peer_info().is_none_or(|info| {
        let revision = &info.protocol_version;
        ProtocolVersion::KNOWN_VERSIONS.contains(revision) || revision.as_str() == EARLIEST
    })
}

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
        // If the server does not read, the end of the connection ends this task.
        tokio::spawn(async move {
            let _ = peer
                .notify_cancelled(CancelledNotificationParam::new(Some(id), None))
                .await;
        });
    }
}

fn lifecycle(greeting: Greeting) -> ClientLifecycleMode {
    match greeting {
        Greeting::Handshake => ClientLifecycleMode::Initialize,
        Greeting::Discovery => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::LATEST],
        },
    }
}
