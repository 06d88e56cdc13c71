//! The HTTP client that the SDK requires, implemented with Benchdog's HTTP client.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ::http::{HeaderName, HeaderValue};
use futures::StreamExt;
use futures::stream::{BoxStream, unfold};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;
use tokio::time::{Instant, sleep_until};

use super::Failed;
use super::connection::{HttpConnection, too_long};
use super::events::Events;
use crate::shutdown::ShutdownGuard;
use benchdog_domain::server::ServerTrouble;
use benchdog_provider::transport::{Incoming, Verb};

type Answer<T> = Result<T, StreamableHttpError<Failed>>;
type Stream = BoxStream<'static, Result<Sse, SseError>>;

/// Minimum interval between requests for a stream. Limits the load if a server ends each stream immediately.
const STREAM_INTERVAL: Duration = Duration::from_millis(250);

#[derive(Clone)]
pub(crate) struct HttpClient(Arc<ClientState>);

/// State that all clones of an `HttpClient` share. The SDK clones the client.
struct ClientState {
    connection: Arc<HttpConnection>,
    next_stream: tokio::sync::Mutex<Instant>,
    _guard: ShutdownGuard,
}

impl Drop for ClientState {
    fn drop(&mut self) {
        self.connection.end();
    }
}

impl HttpClient {
    pub(super) fn new(connection: &Arc<HttpConnection>) -> Self {
        Self(Arc::new(ClientState {
            connection: Arc::clone(connection),
            next_stream: tokio::sync::Mutex::new(Instant::now()),
            _guard: ShutdownGuard::begin(),
        }))
    }

    fn connection(&self) -> &Arc<HttpConnection> {
        &self.0.connection
    }

    async fn post(
        &self,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Answer<StreamableHttpPostResponse> {
        let body = serde_json::to_vec(&message)?;
        let mut sent = header_pairs(headers, session.as_deref());
        sent.push(("content-type".to_owned(), "application/json".to_owned()));
        let mut incoming = self
            .connection()
            .request(Verb::Post, sent, Some(body))
            .await
            .map_err(client_error)?;
        let expects = matches!(message, ClientJsonRpcMessage::Request(_));
        match incoming.status {
            202 | 204 => Ok(StreamableHttpPostResponse::Accepted),
            404 if session.is_some() => Err(StreamableHttpError::SessionExpired),
            200..300 if !expects && incoming.content_type.is_none() => Ok(StreamableHttpPostResponse::Accepted),
            200..300 => self.read_answer(incoming).await,
            _ => self.read_refusal(&message, &mut incoming).await,
        }
    }

    async fn read_answer(&self, mut incoming: Incoming) -> Answer<StreamableHttpPostResponse> {
        let session = incoming.header("mcp-session-id").map(str::to_owned);
        if is_media(&incoming, "text/event-stream") {
            let stream = stream(Arc::clone(&self.0), incoming);
            return Ok(StreamableHttpPostResponse::Sse(stream, session));
        }
        let body = self.connection().read_body(&mut incoming).await.map_err(client_error)?;
        let message = self.connection().inbound().message(&body);
        match message {
            Some(message) => Ok(StreamableHttpPostResponse::Json(message, session)),
            None => {
                let line = self.connection().faults.garbage().unwrap_or_default();
                Err(client_error(self.connection().note(ServerTrouble::Garbage { line })))
            }
        }
    }

    /// Parses an error response. If the body contains a protocol error, returns the error as the answer to this request
    /// and ignores its id.
    async fn read_refusal(
        &self,
        message: &ClientJsonRpcMessage,
        incoming: &mut Incoming,
    ) -> Answer<StreamableHttpPostResponse> {
        let (trouble, body) = self.connection().read_error(incoming).await;
        let is_of_http = matches!(
            trouble,
            ServerTrouble::Unauthorized { .. }
                | ServerTrouble::Narrow { .. }
                | ServerTrouble::NarrowAlone { .. }
                | ServerTrouble::Redirects { .. }
        );
        if let ClientJsonRpcMessage::Request(request) = message
            && !is_of_http
            && let Ok(ServerJsonRpcMessage::Error(error)) = serde_json::from_slice(&body)
        {
            let answer = ServerJsonRpcMessage::error(error.error, Some(request.id.clone()));
            return Ok(StreamableHttpPostResponse::Json(answer, None));
        }
        Err(client_error(self.connection().note(trouble)))
    }
}

impl StreamableHttpClient for HttpClient {
    type Error = Failed;

    async fn post_message(
        &self,
        _: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Answer<StreamableHttpPostResponse> {
        self.post(message, session, headers).await
    }

    async fn delete_session(
        &self,
        _: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Answer<()> {
        let sent = header_pairs(headers, Some(&session));
        self.connection()
            .request(Verb::Delete, sent, None)
            .await
            .map(drop)
            .map_err(client_error)
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Answer<Stream> {
        let mut next = self.0.next_stream.lock().await;
        sleep_until(*next).await;
        *next = Instant::now() + STREAM_INTERVAL;
        drop(next);
        let mut sent = header_pairs(headers, session.as_deref());
        sent.extend(last.map(|last| ("last-event-id".to_owned(), last)));
        let mut incoming = self
            .connection()
            .request(Verb::Get, sent, None)
            .await
            .map_err(client_error)?;
        match incoming.status {
            200..300 if is_media(&incoming, "text/event-stream") => Ok(stream(Arc::clone(&self.0), incoming)),
            // The server has no stream for notifications. Such a stream is optional.
            200..300 | 400 | 404 | 405 | 501 => Err(StreamableHttpError::ServerDoesNotSupportSse),
            _ => {
                let (trouble, _) = self.connection().read_error(&mut incoming).await;
                Err(client_error(self.connection().note(trouble)))
            }
        }
    }
}

fn client_error(trouble: ServerTrouble) -> StreamableHttpError<Failed> {
    StreamableHttpError::Client(Failed(trouble))
}

fn header_pairs(headers: HashMap<HeaderName, HeaderValue>, session: Option<&str>) -> Vec<(String, String)> {
    let readable = headers
        .into_iter()
        .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())));
    let session = session.map(|id| ("mcp-session-id".to_owned(), id.to_owned()));
    readable.chain(session).collect()
}

fn is_media(incoming: &Incoming, media: &str) -> bool {
    let told = incoming.content_type.as_deref().unwrap_or_default();
    let told = told.split(';').next().unwrap_or_default();
    told.trim().eq_ignore_ascii_case(media)
}

struct EventReader {
    state: Arc<ClientState>,
    incoming: Incoming,
    events: Events,
}

fn stream(state: Arc<ClientState>, incoming: Incoming) -> Stream {
    let reading = EventReader {
        state,
        incoming,
        events: Events::default(),
    };
    unfold(Some(reading), |reading| async move {
        let mut reading = reading?;
        match reading.next().await {
            Ok(Some(event)) => Some((Ok(event), Some(reading))),
            Ok(None) => None,
            Err(trouble) => Some((Err(SseError::Body(Box::new(Failed(trouble)))), None)),
        }
    })
    .boxed()
}

impl EventReader {
    async fn next(&mut self) -> Result<Option<Sse>, ServerTrouble> {
        loop {
            let pause = self.state.connection.inbound().pause();
            if let Some(pause) = pause {
                tokio::time::sleep(pause).await;
            }
            while let Some(event) = self.events.next() {
                if let Some(event) = self.message(event) {
                    return Ok(Some(event));
                }
            }
            let connection = &self.state.connection;
            let Some(bytes) = connection.next(&mut self.incoming).await? else {
                return Ok(None);
            };
            if self.events.push(&bytes).is_err() {
                return Err(connection.note(too_long()));
            }
        }
    }

    /// Parses the message in an event. `None` for an irrelevant message. An unreadable answer becomes an error message.
    fn message(&self, mut event: Sse) -> Option<Sse> {
        if !matches!(event.event.as_deref(), None | Some("" | "message")) {
            return Some(event);
        }
        let Some(data) = event.data.take().filter(|data| !data.trim().is_empty()) else {
            return Some(event);
        };
        let data = self.state.connection.filter_secrets_in(data.as_bytes());
        let message = self.state.connection.inbound().message(&data)?;
        event.data = serde_json::to_string(&message).ok();
        Some(event)
    }
}
