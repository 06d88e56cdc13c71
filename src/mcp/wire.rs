//! The way between us and a server that is a program: one JSON message a line. It is what the SDK reads and writes through, and where
//! everything a server may send is bounded: the length of a message, lines that are none, and how many come in a second.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use super::limits::{MOST_MESSAGE, MOST_NOTIFICATIONS};
use crate::base::text::{clean, truncate};

/// Messages that wait to be written. A server that does not read has its callers wait, each for its own time.
const WAITING: usize = 64;

/// What is shown of a line that is no message.
const SHOWN: usize = 160;

/// What stands in the place of an answer that cannot be read.
pub(super) const UNREADABLE: &str = "unreadable";

/// What went wrong on the way, for whoever has to say why nothing came.
pub(super) struct Faults {
    /// The first line that was no message.
    garbage: Mutex<Option<String>>,
    /// How many messages were too long.
    too_long: watch::Sender<u64>,
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            garbage: Mutex::default(),
            too_long: watch::Sender::new(0),
        }
    }
}

impl Faults {
    pub(super) fn note_too_long(&self) {
        self.too_long.send_modify(|count| *count += 1);
    }

    pub(super) fn garbage(&self) -> Option<String> {
        self.garbage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes with each message that was too long.
    pub(super) fn too_long(&self) -> watch::Receiver<u64> {
        self.too_long.subscribe()
    }

    pub(super) fn note_garbage(&self, line: &[u8]) {
        let mut garbage = self.garbage.lock().unwrap_or_else(PoisonError::into_inner);
        if garbage.is_none() {
            let beginning = line.get(..line.len().min(4 * SHOWN)).unwrap_or_default();
            let text = String::from_utf8_lossy(beginning);
            *garbage = Some(truncate(clean(&text).trim(), SHOWN).into_owned());
        }
    }
}

pub(super) struct Wire {
    reads: BufReader<pipe::Receiver>,
    line: Vec<u8>,
    /// The rest of a line that is too long is being passed over.
    passes_over: bool,
    writes: mpsc::Sender<Vec<u8>>,
    writer: AbortHandle,
    inbound: Inbound,
}

/// Reads what comes of a server, message by message, whatever it comes by. What is none is noted and passed over.
pub(super) struct Inbound {
    faults: Arc<Faults>,
    pace: Pace,
}

/// How many notifications came in this second.
struct Pace {
    since: Instant,
    count: u32,
}

/// What can be told of a message whatever else it holds.
#[derive(Deserialize)]
struct Head<'m> {
    id: Option<RequestId>,
    #[serde(borrow, default)]
    method: Option<std::borrow::Cow<'m, str>>,
    #[serde(default)]
    result: Option<IgnoredAny>,
    #[serde(default)]
    error: Option<IgnoredAny>,
}

impl Wire {
    pub(super) fn new(reads: pipe::Receiver, mut to: pipe::Sender) -> (Self, Arc<Faults>) {
        let (writes, mut waiting) = mpsc::channel::<Vec<u8>>(WAITING);
        // In a task of its own, so that a message is written whole or not begun, whoever lets go of it.
        let writer = tokio::spawn(async move {
            while let Some(message) = waiting.recv().await {
                if to.write_all(&message).await.is_err() {
                    return;
                }
            }
        });
        let faults = Arc::new(Faults::default());
        let wire = Self {
            reads: BufReader::with_capacity(64 << 10, reads),
            line: Vec::new(),
            passes_over: false,
            writes,
            writer: writer.abort_handle(),
            inbound: Inbound::new(Arc::clone(&faults)),
        };
        (wire, faults)
    }

    /// The next line; `None`: nothing more comes. It may be let go of at any await without losing a byte.
    async fn next_line(&mut self) -> Option<Vec<u8>> {
        loop {
            let came = self.reads.fill_buf().await.ok()?;
            if came.is_empty() {
                return None;
            }
            let end = came.iter().position(|byte| *byte == b'\n');
            let part = came.get(..end.unwrap_or(came.len())).unwrap_or_default();
            let taken = part.len() + usize::from(end.is_some());
            if !self.passes_over && self.line.len() + part.len() > MOST_MESSAGE {
                self.passes_over = true;
                self.line = Vec::new();
                self.inbound.faults.note_too_long();
            }
            if !self.passes_over {
                self.line.extend_from_slice(part);
            }
            self.reads.consume(taken);
            if end.is_some() && !std::mem::take(&mut self.passes_over) {
                return Some(std::mem::take(&mut self.line));
            }
        }
    }
}

impl Inbound {
    pub(super) fn new(faults: Arc<Faults>) -> Self {
        let pace = Pace {
            since: Instant::now(),
            count: 0,
        };
        Self { faults, pace }
    }

    /// How long nothing more is read, where too much came.
    pub(super) fn pause(&self) -> Option<Duration> {
        self.pace.pause()
    }

    /// The message of a line; `None`: there is none for us.
    pub(super) fn message(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        let Ok(head) = serde_json::from_slice::<Head<'_>>(line) else {
            self.faults.note_garbage(line);
            return None;
        };
        if head.method.is_some() && head.id.is_none() && !self.pace.takes_one_more() {
            return None;
        }
        match serde_json::from_slice(line) {
            Ok(message) => Some(message),
            // Whoever waits for it is told, and does not wait to the end of its time.
            Err(_) if head.method.is_none() && head.id.is_some() && (head.result.is_some() || head.error.is_some()) => {
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

impl Pace {
    fn takes_one_more(&mut self) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            (self.since, self.count) = (Instant::now(), 0);
        }
        self.count = self.count.saturating_add(1);
        self.count <= MOST_NOTIFICATIONS
    }

    /// What comes beyond is read slowly, so that a flood costs its sender time and us none.
    fn pause(&self) -> Option<Duration> {
        let is_flood = self.count > MOST_NOTIFICATIONS && self.count.is_multiple_of(MOST_NOTIFICATIONS);
        is_flood.then_some(Duration::from_millis(10))
    }
}

impl Transport<RoleClient> for Wire {
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleClient>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let message = serde_json::to_vec(&item).map(|mut message| {
            message.push(b'\n');
            message
        });
        let writes = self.writes.clone();
        async move {
            let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
            writes.send(message.map_err(io::Error::other)?).await.map_err(gone)
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            if let Some(pause) = self.inbound.pause() {
                tokio::time::sleep(pause).await;
            }
            let line = self.next_line().await?;
            if let Some(message) = self.inbound.message(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.abort();
        Ok(())
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.writer.abort();
    }
}
