//! The stdio transport: one JSON message on each line. Message sizes and the rates of notifications and requests are
//! limited. Invalid lines are skipped.

use std::borrow::Cow;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use super::elicitation::{METHOD, RawForms};
use super::lenient_parser::{needs_lenient_parse, parse_leniently};
use super::limits::{MOST_IN_FLIGHT, MOST_MESSAGE, MOST_NOTIFICATIONS, MOST_REQUESTS};
use super::message_prefix::MessagePrefix;
use benchdog_base::json;
use benchdog_base::text::{clean, truncate};

/// Maximum number of unsent messages. If the server does not read, callers wait for a place in the queue until their
/// time limits expire.
const QUEUE_CAPACITY: usize = 64;

const SHOWN: usize = 160;

/// Message of the error that replaces an unreadable answer.
pub(super) const UNREADABLE: &str = "unreadable";
pub(super) const TOO_LONG: &str = "too-long";

/// Errors of the transport, from which the cause of a failure is reported.
pub(super) struct Faults {
    garbage: Mutex<Option<String>>,
    /// Number of oversized messages with an unknown request id.
    too_long: watch::Sender<u64>,
    /// Whether the server exceeded the limit of requests, so that reading stopped.
    flooded: watch::Sender<bool>,
    pub(super) raw_forms: RawForms,
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            garbage: Mutex::default(),
            too_long: watch::Sender::new(0),
            flooded: watch::Sender::new(false),
            raw_forms: RawForms::default(),
        }
    }
}

impl Faults {
    pub(super) fn note_too_long(&self) {
        self.too_long.send_modify(|count| *count += 1);
    }

    pub(super) fn is_flooded(&self) -> bool {
        *self.flooded.borrow()
    }

    pub(super) async fn flooded(&self) {
        let mut flooded = self.flooded.subscribe();
        if flooded.wait_for(|flooded| *flooded).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    pub(super) fn garbage(&self) -> Option<String> {
        self.garbage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns a counter that changes with each oversized message with an unknown request id.
    pub(super) fn too_long(&self) -> watch::Receiver<u64> {
        self.too_long.subscribe()
    }

    pub(super) fn note_garbage(&self, line: &[u8]) {
        let mut garbage = self.garbage.lock().unwrap_or_else(PoisonError::into_inner);
        if garbage.is_none() {
            let prefix = line.get(..line.len().min(4 * SHOWN)).unwrap_or_default();
            let text = String::from_utf8_lossy(prefix);
            *garbage = Some(truncate(clean(&text).trim(), SHOWN).into_owned());
        }
    }
}

pub(super) struct StdioTransport {
    reads: BufReader<pipe::Receiver>,
    line: Vec<u8>,
    skips_line: bool,
    writes: mpsc::Sender<Vec<u8>>,
    writer: AbortHandle,
    inbound: InboundFilter,
    in_flight: Arc<AtomicUsize>,
}

/// Filter for messages from any transport. Invalid messages are skipped and recorded.
pub(super) struct InboundFilter {
    faults: Arc<Faults>,
    notifications: RateLimit,
    requests: RateLimit,
}

struct RateLimit {
    since: Instant,
    count: u32,
    most: u32,
}

#[derive(Deserialize)]
struct MessageHead<'m> {
    id: Option<RequestId>,
    #[serde(borrow, default)]
    method: Option<std::borrow::Cow<'m, str>>,
    #[serde(default)]
    result: Option<IgnoredAny>,
    #[serde(default)]
    error: Option<IgnoredAny>,
}

impl StdioTransport {
    pub(super) fn new(reads: pipe::Receiver, mut to: pipe::Sender) -> (Self, Arc<Faults>) {
        let (writes, mut queue) = mpsc::channel::<Vec<u8>>(QUEUE_CAPACITY);
        // A separate task writes, so that a dropped caller's message is still written completely.
        let writer = tokio::spawn(async move {
            while let Some(message) = queue.recv().await {
                if to.write_all(&message).await.is_err() {
                    return;
                }
            }
        });
        let faults = Arc::new(Faults::default());
        let wire = Self {
            reads: BufReader::with_capacity(64 << 10, reads),
            line: Vec::new(),
            skips_line: false,
            writes,
            writer: writer.abort_handle(),
            inbound: InboundFilter::new(Arc::clone(&faults)),
            in_flight: Arc::default(),
        };
        (wire, faults)
    }

    /// Returns the next line. Skips the rest of an overlong line. Cancel-safe.
    async fn next_line(&mut self) -> Option<Line> {
        loop {
            let buffer = self.reads.fill_buf().await.ok()?;
            if buffer.is_empty() {
                return None;
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
            let taken = part.len() + usize::from(end.is_some());
            let is_over = !self.skips_line && self.line.len() + part.len() > MOST_MESSAGE;
            if !is_over && !self.skips_line {
                reserve(&mut self.line, part.len());
                self.line.extend_from_slice(part);
            }
            self.reads.consume(taken);
            if is_over {
                self.skips_line = end.is_none();
                return Some(Line::TooLong(MessagePrefix::of(&std::mem::take(&mut self.line))));
            }
            if end.is_some() && !std::mem::take(&mut self.skips_line) {
                return Some(Line::Whole(std::mem::take(&mut self.line)));
            }
        }
    }
}

enum Line {
    Whole(Vec<u8>),
    TooLong(MessagePrefix),
}

fn reserve(line: &mut Vec<u8>, more: usize) {
    let needed = line.len() + more;
    if line.capacity() < needed {
        let doubled = line
            .capacity()
            .saturating_mul(2)
            .clamp(needed, MOST_MESSAGE.max(needed));
        line.reserve_exact(doubled - line.len());
    }
}

impl InboundFilter {
    pub(super) fn new(faults: Arc<Faults>) -> Self {
        Self {
            faults,
            notifications: RateLimit::of(MOST_NOTIFICATIONS),
            requests: RateLimit::of(MOST_REQUESTS),
        }
    }

    pub(super) fn pause(&self) -> Option<Duration> {
        self.notifications.pause()
    }

    /// Returns an error for the request to which the message belongs. If the request is unknown, notifies all callers.
    fn too_long(&self, prefix: MessagePrefix) -> Option<RxJsonRpcMessage<RoleClient>> {
        match prefix {
            MessagePrefix::Response(id) => {
                let told = ErrorData::new(ErrorCode::PARSE_ERROR, TOO_LONG, None);
                Some(JsonRpcMessage::error(told, Some(id)))
            }
            MessagePrefix::Request => None,
            MessagePrefix::Unknown => {
                self.faults.note_too_long();
                None
            }
        }
    }

    /// Parses a line. `None` if the line contains no message for Benchdog.
    pub(super) fn message(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
        let line = repair_line(line);
        let line = line.as_ref();
        if line.is_empty() {
            return None;
        }
        let Ok(head) = serde_json::from_slice::<MessageHead<'_>>(line) else {
            self.faults.note_garbage(line);
            return None;
        };
        if head.method.is_some() && head.id.is_none() && !self.notifications.admit() {
            return None;
        }
        if head.method.is_some() && head.id.is_some() && !self.requests.admit() {
            self.faults.flooded.send_replace(true);
            return None;
        }
        let read = match head.method.as_deref() {
            Some(METHOD) => self.faults.raw_forms.extract(line),
            Some(_) | None => serde_json::from_slice(line),
        };
        match read {
            Ok(message) if needs_lenient_parse(&message) => Some(parse_leniently(line).unwrap_or(message)),
            Ok(message) => Some(message),
            // The caller gets an error immediately, instead of waiting for its time limit.
            Err(_) if head.method.is_none() && head.id.is_some() && (head.result.is_some() || head.error.is_some()) => {
                if let Some(message) = parse_leniently(line) {
                    return Some(message);
                }
                let told = ErrorData::new(ErrorCode::PARSE_ERROR, UNREADABLE, None);
                Some(JsonRpcMessage::error(told, head.id))
            }
            Err(_) => {
                self.faults.note_garbage(line);
                None
            }
        }
    }
}

/// Removes a byte order mark and repairs common JSON errors. Invalid UTF-8 becomes U+FFFD.
fn repair_line(line: &[u8]) -> Cow<'_, [u8]> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let mut line = line.trim_ascii();
    while let Some(rest) = line.strip_prefix(MARK) {
        line = rest.trim_ascii_start();
    }
    // Do not copy valid lines.
    if line.is_empty() || serde_json::from_slice::<&RawValue>(line).is_ok() && !may_have_lone_surrogate(line) {
        return Cow::Borrowed(line);
    }
    let text = String::from_utf8_lossy(line);
    match json::repair(&text) {
        Some(repaired) => Cow::Owned(repaired.into_bytes()),
        None => match text {
            Cow::Borrowed(_) => Cow::Borrowed(line),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
    }
}

/// Whether the line may contain half of an escaped surrogate pair. Parsing into `RawValue` does not detect that error.
fn may_have_lone_surrogate(line: &[u8]) -> bool {
    line.windows(3).any(|three| matches!(three, [b'\\', b'u', b'd' | b'D']))
}

impl RateLimit {
    fn of(most: u32) -> Self {
        Self {
            since: Instant::now(),
            count: 0,
            most,
        }
    }

    fn admit(&mut self) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            (self.since, self.count) = (Instant::now(), 0);
        }
        self.count = self.count.saturating_add(1);
        self.count <= self.most
    }

    /// Returns a delay before the next read, if the server sends too many notifications.
    fn pause(&self) -> Option<Duration> {
        let is_flood = self.count > self.most && self.count.is_multiple_of(self.most);
        is_flood.then_some(Duration::from_millis(10))
    }
}

impl Transport<RoleClient> for StdioTransport {
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleClient>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let message = serde_json::to_vec(&item).map(|mut message| {
            message.push(b'\n');
            message
        });
        let writes = self.writes.clone();
        let answers = matches!(item, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        let in_flight = Arc::clone(&self.in_flight);
        async move {
            let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
            writes.send(message.map_err(io::Error::other)?).await.map_err(gone)?;
            if answers {
                let one_less = |count: usize| Some(count.saturating_sub(1));
                let _ = in_flight.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            if let Some(pause) = self.inbound.pause() {
                tokio::time::sleep(pause).await;
            }
            let message = match self.next_line().await? {
                Line::Whole(line) => self.inbound.message(&line),
                Line::TooLong(prefix) => self.inbound.too_long(prefix),
            };
            if matches!(message, Some(JsonRpcMessage::Request(_)))
                && self.in_flight.fetch_add(1, Ordering::Relaxed) >= MOST_IN_FLIGHT
            {
                self.inbound.faults.flooded.send_replace(true);
            }
            if self.inbound.faults.is_flooded() {
                return None;
            }
            if let Some(message) = message {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.abort();
        Ok(())
    }
}

impl Drop for StdioTransport {
    fn drop(&mut self) {
        self.writer.abort();
    }
}

#[cfg(test)]
mod tests;
