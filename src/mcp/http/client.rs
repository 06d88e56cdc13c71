//! Connects the SDK's HTTP transport to our client.

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
use super::connection::{Way, too_long};
use super::events::Events;
use crate::shutdown::Going;
use benchdog_domain::server::ServerTrouble;
use benchdog_provider::transport::{Incoming, Verb};

type Answer<T> = Result<T, StreamableHttpError<Failed>>;
type Stream = BoxStream<'static, Result<Sse, SseError>>;

/// Minimum interval between streams, so that a server that ends them immediately causes no load.
const BETWEEN_STREAMS: Duration = Duration::from_millis(250);

#[derive(Clone)]
pub(crate) struct Courier(Arc<Held>);

/// The connection while the SDK uses it.
struct Held {
    way: Arc<Way>,
    next_stream: tokio::sync::Mutex<Instant>,
    _going: Going,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.way.end();
    }
}

impl Courier {
    pub(super) fn new(way: &Arc<Way>) -> Self {
        Self(Arc::new(Held {
            way: Arc::clone(way),
            next_stream: tokio::sync::Mutex::new(Instant::now()),
            _going: Going::begin(),
        }))
    }

    fn way(&self) -> &Arc<Way> {
        &self.0.way
    }

    async fn post(
        &self,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Answer<StreamableHttpPostResponse> {
        let body = serde_json::to_vec(&message)?;
        let mut sent = written(headers, session.as_deref());
        sent.push(("content-type".to_owned(), "application/json".to_owned()));
        let mut incoming = self.way().ask(Verb::Post, sent, Some(body)).await.map_err(failed)?;
        let expects = matches!(message, ClientJsonRpcMessage::Request(_));
        match incoming.status {
            202 | 204 => Ok(StreamableHttpPostResponse::Accepted),
            404 if session.is_some() => Err(StreamableHttpError::SessionExpired),
            200..300 if !expects && incoming.content_type.is_none() => Ok(StreamableHttpPostResponse::Accepted),
            200..300 => self.answered(incoming).await,
            _ => self.refused(&message, &mut incoming).await,
        }
    }

    async fn answered(&self, mut incoming: Incoming) -> Answer<StreamableHttpPostResponse> {
        let session = incoming.header("mcp-session-id").map(str::to_owned);
        if is(&incoming, "text/event-stream") {
            let stream = stream(Arc::clone(&self.0), incoming);
            return Ok(StreamableHttpPostResponse::Sse(stream, session));
        }
        let body = self.way().whole(&mut incoming).await.map_err(failed)?;
        let message = self.way().inbound().message(&body);
        match message {
            Some(message) => Ok(StreamableHttpPostResponse::Json(message, session)),
            None => {
                let line = self.way().faults.garbage().unwrap_or_default();
                Err(failed(self.way().note(ServerTrouble::Garbage { line })))
            }
        }
    }

    /// Treats an error body of the protocol as the answer to this request, whatever its id.
    async fn refused(
        &self,
        message: &ClientJsonRpcMessage,
        incoming: &mut Incoming,
    ) -> Answer<StreamableHttpPostResponse> {
        let (trouble, body) = self.way().refusal(incoming).await;
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
        Err(failed(self.way().note(trouble)))
    }
}

impl StreamableHttpClient for Courier {
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
        let sent = written(headers, Some(&session));
        self.way().ask(Verb::Delete, sent, None).await.map(drop).map_err(failed)
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
        *next = Instant::now() + BETWEEN_STREAMS;
        drop(next);
        let mut sent = written(headers, session.as_deref());
        sent.extend(last.map(|last| ("last-event-id".to_owned(), last)));
        let mut incoming = self.way().ask(Verb::Get, sent, None).await.map_err(failed)?;
        match incoming.status {
            200..300 if is(&incoming, "text/event-stream") => Ok(stream(Arc::clone(&self.0), incoming)),
            // The server does not support notifications, which are optional.
            200..300 | 400 | 404 | 405 | 501 => Err(StreamableHttpError::ServerDoesNotSupportSse),
            _ => {
                let (trouble, _) = self.way().refusal(&mut incoming).await;
                Err(failed(self.way().note(trouble)))
            }
        }
    }
}

fn failed(trouble: ServerTrouble) -> StreamableHttpError<Failed> {
    StreamableHttpError::Client(Failed(trouble))
}

fn written(headers: HashMap<HeaderName, HeaderValue>, session: Option<&str>) -> Vec<(String, String)> {
    let readable = headers
        .into_iter()
        .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())));
    let session = session.map(|id| ("mcp-session-id".to_owned(), id.to_owned()));
    readable.chain(session).collect()
}

fn is(incoming: &Incoming, media: &str) -> bool {
    let told = incoming.content_type.as_deref().unwrap_or_default();
    let told = told.split(';').next().unwrap_or_default();
    told.trim().eq_ignore_ascii_case(media)
}

struct Reading {
    held: Arc<Held>,
    incoming: Incoming,
    events: Events,
}

fn stream(held: Arc<Held>, incoming: Incoming) -> Stream {
    let reading = Reading {
        held,
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

impl Reading {
    async fn next(&mut self) -> Result<Option<Sse>, ServerTrouble> {
        loop {
            let pause = self.held.way.inbound().pause();
            if let Some(pause) = pause {
                tokio::time::sleep(pause).await;
            }
            while let Some(event) = self.events.next() {
                if let Some(event) = self.message(event) {
                    return Ok(Some(event));
                }
            }
            let way = &self.held.way;
            let Some(bytes) = way.next(&mut self.incoming).await? else {
                return Ok(None);
            };
            if self.events.push(&bytes).is_err() {
                return Err(way.note(too_long()));
            }
        }
    }

    /// Drops events without a message. An unreadable response becomes an error.
    fn message(&self, mut event: Sse) -> Option<Sse> {
        if !matches!(event.event.as_deref(), None | Some("" | "message")) {
            return Some(event);
        }
        let Some(data) = event.data.take().filter(|data| !data.trim().is_empty()) else {
            return Some(event);
        };
        let data = self.held.way.without_secrets(data.as_bytes());
        let message = self.held.way.inbound().message(&data)?;
        event.data = serde_json::to_string(&message).ok();
        Some(event)
    }
}
