//! The connection to the client: dispatches requests and notifications to their sessions.

mod parameters;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1::{
    AgentCapabilities, CancelNotification, ClientCapabilities, CloseSessionRequest, CloseSessionResponse,
    DeleteSessionRequest, DeleteSessionResponse, ElicitationCapabilities, Error, ForkSessionRequest, Implementation,
    InitializeRequest, InitializeResponse, ListSessionsRequest, ListSessionsResponse, LoadSessionRequest,
    McpCapabilities, NewSessionRequest, PromptCapabilities, PromptRequest, ResumeSessionRequest,
    SessionAdditionalDirectoriesCapabilities, SessionCapabilities, SessionCloseCapabilities, SessionDeleteCapabilities,
    SessionForkCapabilities, SessionInfo, SessionListCapabilities, SessionResumeCapabilities,
    SetSessionConfigOptionRequest, SetSessionModeRequest,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use super::buffers::Buffers;
use super::frames;
use super::outbox::Outbox;
use super::prompt::Prompt;
use super::session::{ChangeAnswer, Opening, Session, ToSession, WAITING};
use super::trouble::{failed, unknown_method, unknown_session, wrong};
use super::wire::{self, Incoming, Read};
use super::{Host, MOST_SESSIONS, Wanted, Which};
use benchdog_base::id::SessionId;
use benchdog_lang::{Word, message, word};

const SESSIONS_PATIENCE: Duration = Duration::from_secs(8);

const PAGE: usize = 100;

#[derive(Clone)]
struct Entrance {
    inbox: mpsc::Sender<ToSession>,
    root: PathBuf,
}

#[derive(Clone, Default)]
struct Sessions(Arc<Mutex<BTreeMap<SessionId, Entrance>>>);

pub(crate) struct Connection<H> {
    host: H,
    outbox: Outbox,
    sessions: Sessions,
    client: ClientCapabilities,
    tasks: JoinSet<()>,
}

impl<H: Host> Connection<H> {
    pub(crate) fn new(host: H, outbox: Outbox) -> Self {
        Self {
            host,
            outbox,
            sessions: Sessions::default(),
            client: ClientCapabilities::default(),
            tasks: JoinSet::new(),
        }
    }

    pub(crate) async fn serve(mut self, mut lines: mpsc::Receiver<Read>) {
        loop {
            tokio::select! {
                read = lines.recv() => match read {
                    Some(read) => self.read(read).await,
                    None => break,
                },
                Some(_) = self.tasks.join_next() => {}
                () = self.outbox.is_over() => break,
            }
        }
        self.outbox.close();
        self.sessions.lock().clear();
        let ends = async { while self.tasks.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(SESSIONS_PATIENCE, ends).await;
    }

    async fn read(&mut self, read: Read) {
        let (incoming, bytes) = match read {
            Read::Line(line) => (wire::parse(&line), line.len()),
            Read::TooLong => (Some(wire::too_long()), wire::LONGEST_LINE),
        };
        if let Some(incoming) = &incoming {
            frames::received(incoming, bytes);
        }
        match incoming {
            None => {}
            Some(Incoming::Request { id, method, params }) => {
                if let Err(error) = self.request(&id, &method, params).await {
                    self.outbox.respond::<Value>(&id, Err(error)).await;
                }
            }
            Some(Incoming::Notification { method, params }) => self.notification(&method, params),
            Some(Incoming::Response { id, result }) => self.outbox.settle(&id, result),
            Some(Incoming::Malformed { id, error }) => self.outbox.respond::<Value>(&id, Err(error)).await,
        }
    }

    /// Handles a request, or passes it to its session. The caller answers the request only if this returns an error.
    async fn request(&mut self, id: &Value, method: &str, params: Value) -> Result<(), Error> {
        match method {
            "initialize" => {
                let request: InitializeRequest = of(params)?;
                self.client = request.client_capabilities;
                let abilities = abilities(self.host.sees_images().await);
                self.outbox.respond(id, Ok(abilities)).await;
            }
            "authenticate" => return Err(wrong("There is no authentication method")),
            "session/new" => {
                let request: NewSessionRequest = of(params)?;
                let wanted = parameters::wanted(request.cwd, request.additional_directories, &request.mcp_servers)?;
                self.open(id, Opening::New, wanted)?;
            }
            "session/load" => {
                let request: LoadSessionRequest = of(params)?;
                let wanted = parameters::wanted(request.cwd, request.additional_directories, &request.mcp_servers)?;
                let session = Which::Stored(SessionId(request.session_id.0.to_string()));
                self.open(id, Opening::Load, Wanted { session, ..wanted })?;
            }
            "session/resume" => {
                let request: ResumeSessionRequest = of(params)?;
                let wanted = parameters::wanted(request.cwd, request.additional_directories, &request.mcp_servers)?;
                let session = Which::Stored(SessionId(request.session_id.0.to_string()));
                self.open(id, Opening::Resume, Wanted { session, ..wanted })?;
            }
            "session/fork" => {
                let request: ForkSessionRequest = of(params)?;
                let wanted = parameters::wanted(request.cwd, request.additional_directories, &request.mcp_servers)?;
                let session = Which::CopyOf(SessionId(request.session_id.0.to_string()));
                self.open(id, Opening::Fork, Wanted { session, ..wanted })?;
            }
            "session/list" => self.list(id, of(params)?)?,
            "session/close" => {
                let request: CloseSessionRequest = of(params)?;
                self.close(id, &request.session_id.0)?;
            }
            "session/delete" => {
                let request: DeleteSessionRequest = of(params)?;
                self.delete(id, SessionId(request.session_id.0.to_string()));
            }
            "session/prompt" => {
                let request: PromptRequest = of(params)?;
                let entrance = self.sessions.find(&request.session_id.0)?;
                let prompt = Prompt::of(&request.prompt, &entrance.root)?;
                if !prompt.images.is_empty()
                    && !self
                        .sessions
                        .is_idle(&SessionId(request.session_id.0.to_string()))
                        .await
                {
                    return Err(wrong(word(Word::AcpRunning)));
                }
                let prompt = self.with_images(prompt).await?;
                entrance.send(ToSession::Prompt { id: id.clone(), prompt })?;
            }
            "session/set_mode" => {
                let request: SetSessionModeRequest = of(params)?;
                let value = request.mode_id.0.to_string();
                self.change(
                    id,
                    &request.session_id.0,
                    (super::options::MODE, value),
                    ChangeAnswer::Mode,
                )?;
            }
            "session/set_config_option" => {
                let request: SetSessionConfigOptionRequest = of(params)?;
                let Some(value) = request.value.as_value_id().map(|value| value.0.to_string()) else {
                    return Err(wrong("The value of an option must be one of its ids"));
                };
                let option = request.config_id.0.as_ref();
                self.change(id, &request.session_id.0, (option, value), ChangeAnswer::Options)?;
            }
            _ => return Err(unknown_method(method)),
        }
        Ok(())
    }

    /// Saves the images of a prompt before the next message, so that a cancellation never overtakes its prompt.
    async fn with_images(&self, prompt: Prompt) -> Result<Prompt, Error> {
        let mut paths = Vec::new();
        for (_, picture) in &prompt.images {
            paths.push(self.host.keep_image(Arc::clone(picture.bytes())).await?);
        }
        Ok(prompt.with_images(&paths))
    }

    fn notification(&mut self, method: &str, params: Value) {
        match method {
            "session/cancel" => {
                if let Ok(cancel) = serde_json::from_value::<CancelNotification>(params)
                    && let Ok(entrance) = self.sessions.find(&cancel.session_id.0)
                {
                    let _ = entrance.send(ToSession::Cancel);
                }
            }
            "$/cancel_request" => {
                let id = params.get("requestId").cloned().unwrap_or_default();
                for entrance in self.sessions.lock().values() {
                    let _ = entrance.send(ToSession::CancelRequest { id: id.clone() });
                }
            }
            _ => {}
        }
    }

    fn change(
        &self,
        id: &Value,
        session: &str,
        (option, value): (&str, String),
        answer: ChangeAnswer,
    ) -> Result<(), Error> {
        self.sessions.find(session)?.send(ToSession::Change {
            id: id.clone(),
            option: option.to_owned(),
            value,
            answer,
        })
    }

    // --- sessions ---

    fn open(&mut self, id: &Value, opening: Opening, wanted: Wanted) -> Result<(), Error> {
        if self.tasks.len() >= MOST_SESSIONS {
            return Err(failed(&message::acp_full(&MOST_SESSIONS.to_string())));
        }
        let (host, outbox, sessions) = (self.host.clone(), self.outbox.clone(), self.sessions.clone());
        let id = id.clone();
        let files = &self.client.fs;
        let buffers = files
            .read_text_file
            .then(|| Buffers::new(outbox.clone(), &wanted.cwd, files.write_text_file));
        let forms = self.client.elicitation.as_ref();
        let has_forms = forms.is_some_and(ElicitationCapabilities::supports_form);
        self.tasks.spawn(async move {
            if let Which::Stored(session) = &wanted.session {
                // The session continues in a new engine, so close the session if it is already open in this process.
                sessions.close(session).await;
            }
            if let Which::CopyOf(session) = &wanted.session
                && !sessions.is_idle(session).await
            {
                return outbox.respond::<Value>(&id, Err(wrong(word(Word::AcpRunning)))).await;
            }
            let opened = match host.open(wanted, buffers.clone()).await {
                Ok(ends) => Session::open(ends, outbox.clone(), has_forms).await,
                Err(refused) => Err(refused.into()),
            };
            let (mut session, opened) = match opened {
                Ok(opened) => opened,
                Err(error) => return outbox.respond::<Value>(&id, Err(error)).await,
            };
            let (inbox, messages) = mpsc::channel(WAITING);
            let root = session.root().to_owned();
            let name = session.id().clone();
            if let Some(buffers) = &buffers {
                buffers.begin(&name);
            }
            let mine = inbox.clone();
            sessions.lock().insert(name.clone(), Entrance { inbox, root });
            session.respond(&id, opening, &opened).await;
            drop(opened);
            session.run(messages).await;
            sessions.forget(&name, &mine);
        });
        Ok(())
    }

    fn list(&mut self, id: &Value, request: ListSessionsRequest) -> Result<(), Error> {
        let from: usize = match &request.cursor {
            None => 0,
            Some(cursor) => cursor
                .parse()
                .map_err(|_| wrong("The cursor is not from an answer of `session/list`"))?,
        };
        if let Some(cwd) = request.cwd.as_deref().filter(|cwd| !cwd.is_absolute()) {
            return Err(wrong(&message::acp_relative(&cwd.display().to_string())));
        }
        let cwd = request.cwd.map(|cwd| std::fs::canonicalize(&cwd).unwrap_or(cwd));
        let (host, outbox, id) = (self.host.clone(), self.outbox.clone(), id.clone());
        self.tasks.spawn(async move {
            let listed = host.list().await.map_err(Error::from).map(|all| {
                let is_here = |workspace: &str| cwd.as_deref().is_none_or(|cwd| cwd == Path::new(workspace));
                let mut rest = all.into_iter().filter(|meta| is_here(&meta.workspace)).skip(from);
                let page = rest.by_ref().take(PAGE).map(|meta| {
                    let title = Some(meta.title).filter(|title| !title.is_empty());
                    SessionInfo::new(meta.id.0, meta.workspace)
                        .title(title)
                        .updated_at(meta.updated.rfc3339())
                });
                let page: Vec<SessionInfo> = page.collect();
                let next = rest.next().map(|_| (from + page.len()).to_string());
                ListSessionsResponse::new(page).next_cursor(next)
            });
            outbox.respond(&id, listed).await;
        });
        Ok(())
    }

    fn close(&mut self, id: &Value, session: &str) -> Result<(), Error> {
        self.sessions.find(session)?;
        let (sessions, outbox, id) = (self.sessions.clone(), self.outbox.clone(), id.clone());
        let session = SessionId(session.to_owned());
        self.tasks.spawn(async move {
            sessions.close(&session).await;
            outbox.respond(&id, Ok(CloseSessionResponse::new())).await;
        });
        Ok(())
    }

    fn delete(&mut self, id: &Value, session: SessionId) {
        let (host, outbox, sessions) = (self.host.clone(), self.outbox.clone(), self.sessions.clone());
        let id = id.clone();
        self.tasks.spawn(async move {
            sessions.close(&session).await;
            let removed = host.remove(session).await;
            let response = removed.map(|()| DeleteSessionResponse::new()).map_err(Error::from);
            outbox.respond(&id, response).await;
        });
    }
}

impl Entrance {
    fn send(&self, message: ToSession) -> Result<(), Error> {
        self.inbox.try_send(message).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => failed(word(Word::AcpBusy)),
            mpsc::error::TrySendError::Closed(_) => unknown_session(),
        })
    }
}

impl Sessions {
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<SessionId, Entrance>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, session: &str) -> Result<Entrance, Error> {
        let found = self.lock().get(&SessionId(session.to_owned())).cloned();
        found.ok_or_else(unknown_session)
    }

    /// Whether no prompt is running in the session. Also `true` if the session is not open.
    async fn is_idle(&self, session: &SessionId) -> bool {
        let Ok(entrance) = self.find(&session.0) else {
            return true;
        };
        let (is_idle, answer) = oneshot::channel();
        entrance.send(ToSession::Idle { is_idle }).is_ok() && answer.await.is_ok()
    }

    /// Closes a session, and waits for its end. Does nothing if the session is not open.
    async fn close(&self, session: &SessionId) {
        let Some(entrance) = self.lock().remove(session) else {
            return;
        };
        let (done, ended) = oneshot::channel();
        if entrance.inbox.send(ToSession::Close { done }).await.is_ok() {
            // The session drops `done` at its end.
            let _ = ended.await;
        }
    }

    /// Removes the `Entrance` of a session that has ended, unless the session was opened again in the meantime.
    fn forget(&self, session: &SessionId, inbox: &mpsc::Sender<ToSession>) {
        let mut open = self.lock();
        if open
            .get(session)
            .is_some_and(|entrance| entrance.inbox.same_channel(inbox))
        {
            open.remove(session);
        }
    }
}

fn of<T: DeserializeOwned>(params: Value) -> Result<T, Error> {
    let params = match params {
        Value::Null => Value::Object(serde_json::Map::new()),
        params => params,
    };
    serde_json::from_value(params).map_err(|error| wrong(&format!("Invalid params: {error}")))
}

/// Returns the answer to `initialize`. The version is always 1, the only one that Benchdog supports.
fn abilities(sees_images: bool) -> InitializeResponse {
    let sessions = SessionCapabilities::new()
        .list(SessionListCapabilities::new())
        .delete(SessionDeleteCapabilities::new())
        .resume(SessionResumeCapabilities::new())
        .close(SessionCloseCapabilities::new())
        .fork(SessionForkCapabilities::new())
        .additional_directories(SessionAdditionalDirectoriesCapabilities::new());
    let capabilities = AgentCapabilities::new()
        .load_session(true)
        .prompt_capabilities(PromptCapabilities::new().embedded_context(true).image(sees_images))
        .mcp_capabilities(McpCapabilities::new().http(true))
        .session_capabilities(sessions);
    let info = Implementation::new("benchdog", env!("CARGO_PKG_VERSION")).title("Benchdog".to_owned());
    InitializeResponse::new(ProtocolVersion::V1)
        .agent_capabilities(capabilities)
        .agent_info(info)
}
