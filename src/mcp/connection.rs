//! A connection to an MCP server. Every request has a time limit. The server's processes end with the connection.

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

use super::content::{call_result, resource_part};
use super::definition::{Definition, Place};
use super::diagnosis::{Diagnosis, too_long_error};
use super::elicitation::FormRecipient;
use super::http;
use super::limits::{Completeness, LONGEST_CALL, LONGEST_COMPLETION, MOST_CURSOR, MOST_PAGES, PageResult};
use super::listener::{Listener, ListenerState};
use super::offer_cache::Lifecycle;
use super::program::Process;
use super::prompt_arguments::PartialArgument;
use super::prompts::{self, spoken};
use super::resources;
use super::tool_list::{ToolList, report_incomplete};
use benchdog_domain::server::{Answered, OfferedPrompt, OfferedResource, Part, ServerName, ServerTrouble, Spoken};

/// Capacity of the channel for progress messages. Messages that do not fit are dropped.
const PROGRESS: usize = 8;

pub(super) struct Connection {
    peer: Peer<RoleClient>,
    service: RunningService<RoleClient, Listener>,
    pub(super) state: Arc<ListenerState>,
    diagnosis: Diagnosis,
    start: Duration,
    timeout: Duration,
    _process: JoinSet<()>,
}

impl Connection {
    pub(super) async fn open(definition: &Definition, greeting: Lifecycle, logs: &Path) -> Result<Self, ServerTrouble> {
        if let Some(name) = definition.lacks.first() {
            return Err(ServerTrouble::Lacks { variable: name.clone() });
        }
        let state = Arc::new(ListenerState::default());
        let handshake = Handshake {
            definition,
            greeting,
            state: Arc::clone(&state),
        };
        let (diagnosis, service, process) = match &definition.place {
            Place::Program(program) => {
                let (wire, process, waits) = Process::start(definition, program, logs).await?;
                let diagnosis = Diagnosis::Program(process);
                let service = handshake.connect(wire, &diagnosis).await?;
                (diagnosis, service, waits)
            }
            Place::Address(address) => {
                let (transport, connection) = http::open(definition, address);
                let diagnosis = Diagnosis::Address(connection);
                let service = handshake.connect(transport, &diagnosis).await?;
                (diagnosis, service, JoinSet::new())
            }
        };
        Ok(Self {
            peer: service.peer().clone(),
            service,
            state,
            diagnosis,
            start: definition.start,
            timeout: definition.timeout,
            _process: process,
        })
    }

    pub(super) async fn wait_for_end(&self) -> ServerTrouble {
        self.diagnosis.wait_for_end().await
    }

    pub(super) fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.peer.is_transport_closed() && !self.diagnosis.is_over()
    }

    pub(super) async fn tools(&self) -> Result<ToolList, ServerTrouble> {
        let list = |params| {
            let peer = self.peer.clone();
            async move {
                let page = peer.list_tools(Some(params)).await?;
                Ok((page.tools, page.next_cursor))
            }
        };
        let mut taken = ToolList::default();
        let read = self.pages(list, |page| taken.add(page)).await?;
        report_incomplete(&mut taken.left_out, read);
        Ok(taken)
    }

    /// Lists the prompts of the server. After an error, returns the prompts received so far.
    pub(super) async fn prompts(&self, server: &ServerName) -> (Vec<OfferedPrompt>, Completeness) {
        let (mut taken, mut read) = (Vec::new(), Completeness::Complete);
        if self.offers(|capabilities| capabilities.prompts.is_some()) {
            let list = |params| {
                let peer = self.peer.clone();
                async move {
                    let page = peer.list_prompts(Some(params)).await?;
                    Ok((page.prompts, page.next_cursor))
                }
            };
            let pages = self.pages(list, |page| prompts::add(server, &mut taken, page)).await;
            read = pages.unwrap_or(Completeness::Complete);
        }
        (taken, read)
    }

    /// Returns the resources, followed by the resource templates.
    pub(super) async fn resources(&self) -> (Vec<OfferedResource>, Completeness) {
        let (mut whole, mut templates, mut read) = (Vec::new(), Vec::new(), Completeness::Complete);
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
            if [pages.0, pages.1].contains(&Ok(Completeness::Partial)) {
                read = Completeness::Partial;
            }
        }
        (resources::joined(whole, templates), read)
    }

    pub(super) async fn values(&self, prompt: &str, begun: PartialArgument) -> CompletionInfo {
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

    /// Requests the pages of a list in order. `take` stores a page, and returns whether to request the next one.
    async fn pages<T, F>(
        &self,
        ask: impl Fn(PaginatedRequestParams) -> F,
        mut take: impl FnMut(Vec<T>) -> PageResult,
    ) -> Result<Completeness, ServerTrouble>
    where
        F: Future<Output = Result<(Vec<T>, Option<String>), ServiceError>>,
    {
        let all = async {
            let mut cursor = None;
            for _ in 0..MOST_PAGES {
                let (page, next) = ask(PaginatedRequestParams::default().with_cursor(cursor)).await?;
                let more = take(page);
                let has_more = next.is_some() || more == PageResult::Exceeded;
                cursor = next.filter(|next| next.len() <= MOST_CURSOR);
                if !has_more {
                    return Ok(Completeness::Complete);
                }
                if cursor.is_none() || more != PageResult::Continue {
                    break;
                }
            }
            Ok(Completeness::Partial)
        };
        let mut too_long = self.diagnosis.faults().too_long();
        too_long.mark_unchanged();
        tokio::select! {
            biased;
            all = timeout(self.start, all) => match all {
                Ok(Ok(read)) => Ok(read),
                Ok(Err(error)) => Err(self.error(error).await),
                Err(_) => Err(self.diagnosis.timeout_error(self.start)),
            },
            Ok(()) = too_long.changed() => Err(too_long_error()),
        }
    }

    pub(super) async fn read(&self, uri: &str) -> Result<Vec<Part>, ServerTrouble> {
        let params = ReadResourceRequestParams::new(uri);
        let mut too_long = self.diagnosis.faults().too_long();
        too_long.mark_unchanged();
        tokio::select! {
            biased;
            answer = self.peer.read_resource_once(params) => match answer {
                Ok(ReadResourceResponse::Complete(result)) => Ok(result.contents.into_iter().map(resource_part).collect()),
                Ok(_) => Err(ServerTrouble::Asks { what: "input".to_owned() }),
                Err(error) => Err(self.error(error).await),
            },
            Ok(()) = too_long.changed() => Err(too_long_error()),
        }
    }

    pub(super) async fn prompt(&self, name: &str, arguments: Map<String, Value>) -> Result<Vec<Spoken>, ServerTrouble> {
        let params = GetPromptRequestParams::new(name).with_arguments(arguments);
        let mut too_long = self.diagnosis.faults().too_long();
        too_long.mark_unchanged();
        tokio::select! {
            biased;
            answer = self.peer.get_prompt_once(params) => match answer {
                Ok(GetPromptResponse::Complete(result)) => Ok(spoken(result)),
                Ok(_) => Err(ServerTrouble::Asks { what: "input".to_owned() }),
                Err(error) => Err(self.error(error).await),
            },
            Ok(()) = too_long.changed() => Err(too_long_error()),
        }
    }

    /// Calls a tool. Each progress message goes to `tell` and extends the time limit. Dropping the future cancels the
    /// request.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        patience: Option<Duration>,
        tell: &mpsc::Sender<String>,
        recipient: Option<FormRecipient>,
    ) -> Result<Answered, ServerTrouble> {
        let patience = patience.unwrap_or(self.timeout);
        let call = self.state.forms.add(recipient);
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let mut too_long = self.diagnosis.faults().too_long();
        too_long.mark_unchanged();
        let sent = self
            .peer
            .send_cancellable_request(request, PeerRequestOptions::no_options());
        let mut handle = match timeout(patience, sent).await {
            Ok(Ok(handle)) => handle,
            Ok(Err(error)) => return Err(self.error(error).await),
            Err(_) => return Err(self.diagnosis.timeout_error(patience)),
        };
        call.set_request(&handle.id);
        let (progress_sender, mut progress_receiver) = mpsc::channel(PROGRESS);
        self.state.follow(handle.progress_token.clone(), progress_sender);
        let mut pending = PendingCall {
            peer: &self.peer,
            state: &self.state,
            token: handle.progress_token.clone(),
            id: Some(handle.id.clone()),
        };
        let latest = Instant::now() + LONGEST_CALL;
        let mut until = Instant::now() + patience;
        loop {
            tokio::select! {
                biased;
                result = &mut handle.rx => {
                    pending.id = None;
                    return match result {
                        Ok(Ok(result)) => call_result(result),
                        Ok(Err(error)) => Err(self.error(error).await),
                        Err(_) => Err(self.diagnosis.error(None).await),
                    };
                }
                Some(progress) = progress_receiver.recv() => {
                    until = (Instant::now() + patience).min(latest);
                    let _ = tell.send(progress).await;
                }
                Ok(()) = too_long.changed() => return Err(too_long_error()),
                () = sleep_until(until) => {
                    // A call does not time out while its form waits for the user's answer.
                    if !self.state.forms.is_asking() || until >= latest {
                        return Err(self.diagnosis.timeout_error(patience));
                    }
                    until = (Instant::now() + patience).min(latest);
                }
            }
        }
    }

    async fn error(&self, error: ServiceError) -> ServerTrouble {
        self.diagnosis.error(Some(error)).await
    }
}

struct Handshake<'d> {
    definition: &'d Definition,
    greeting: Lifecycle,
    state: Arc<ListenerState>,
}

impl Handshake<'_> {
    async fn connect<T, E, A>(
        self,
        transport: T,
        diagnosis: &Diagnosis,
    ) -> Result<RunningService<RoleClient, Listener>, ServerTrouble>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: Error + Send + Sync + 'static,
    {
        let patience = self.definition.start;
        let listener = Listener {
            state: self.state,
            folder: self.definition.folder.clone(),
            server: self.definition.name.clone(),
            faults: Arc::clone(diagnosis.faults()),
        };
        let handshake = serve_client_with_lifecycle(listener, transport, lifecycle(self.greeting));
        match timeout(patience, handshake).await {
            Ok(Ok(service)) if is_supported(&service) => Ok(service),
            Ok(Ok(_)) => Err(ServerTrouble::OtherRevision),
            Ok(Err(error)) => Err(diagnosis.handshake_error(error).await),
            Err(_) => Err(diagnosis.timeout_error(patience)),
        }
    }
}

/// The oldest accepted protocol revision. The SDK has no constant for this revision. Its differences to later revisions
/// do not affect Benchdog.
const EARLIEST_REVISION: &str = "2024-10-07";

/// Whether Benchdog supports the server's protocol revision. The SDK accepts any revision.
fn is_supported(service: &RunningService<RoleClient, Listener>) -> bool {
    service.peer().peer_info().is_none_or(|info| {
        let revision = &info.protocol_version;
        ProtocolVersion::KNOWN_VERSIONS.contains(revision) || revision.as_str() == EARLIEST_REVISION
    })
}

struct PendingCall<'c> {
    peer: &'c Peer<RoleClient>,
    state: &'c ListenerState,
    token: rmcp::model::ProgressToken,
    id: Option<RequestId>,
}

impl Drop for PendingCall<'_> {
    fn drop(&mut self) {
        self.state.stop_following(&self.token);
        let Some(id) = self.id.take() else { return };
        let peer = self.peer.clone();
        // If the server does not read the message, this task ends with the connection.
        tokio::spawn(async move {
            let _ = peer
                .notify_cancelled(CancelledNotificationParam::new(Some(id), None))
                .await;
        });
    }
}

fn lifecycle(greeting: Lifecycle) -> ClientLifecycleMode {
    match greeting {
        Lifecycle::Handshake => ClientLifecycleMode::Initialize,
        Lifecycle::Discovery => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::LATEST],
        },
    }
}
