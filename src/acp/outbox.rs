//! Messages to the client: responses, notifications, and requests with their pending answers.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agent_client_protocol_schema::v1::Error;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::frames;

/// Maximum number of queued lines. Further senders wait.
const WAITING: usize = 64;

/// Maximum number of unanswered requests to the client. Further requests are not sent.
const MOST_PENDING: usize = 256;

/// The connection is closed if the client reads nothing for this long.
pub const READER_PATIENCE: Duration = Duration::from_secs(60);

pub(crate) type Reply = Result<Value, Error>;

#[derive(Clone)]
pub(crate) struct Outbox {
    lines: mpsc::Sender<String>,
    pending: Arc<Mutex<Pending>>,
    /// `true` once the connection is closed.
    over: watch::Sender<bool>,
}

#[derive(Default)]
struct Pending {
    last: u64,
    waiting: BTreeMap<u64, oneshot::Sender<Reply>>,
}

/// A request to the client. Dropping it before the answer cancels the request.
pub(crate) struct Sent {
    outbox: Outbox,
    pub(crate) number: u64,
    reply: oneshot::Receiver<Reply>,
}

impl Sent {
    /// Waits for the client's answer. Returns `None` if the request is withdrawn or the connection closes.
    pub(crate) async fn reply(mut self) -> Option<Reply> {
        (&mut self.reply).await.ok()
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        let is_pending = self.outbox.lock().waiting.contains_key(&self.number);
        // At the end of the program, there may be no runtime to send the cancellation.
        if let (true, Ok(runtime)) = (is_pending, Handle::try_current()) {
            let (outbox, number) = (self.outbox.clone(), self.number);
            runtime.spawn(async move { outbox.withdraw(number).await });
        }
    }
}

impl Outbox {
    /// Starts the writing thread. The thread ends when all clones of the outbox are dropped and the last line is
    /// written.
    pub(crate) fn start(out: impl Write + Send + 'static) -> (Self, JoinHandle<()>) {
        let (lines, waiting) = mpsc::channel(WAITING);
        let over = watch::Sender::new(false);
        let closes = over.clone();
        let writer = tokio::task::spawn_blocking(move || {
            write(waiting, out);
            closes.send_replace(true);
        });
        let outbox = Self {
            lines,
            pending: Arc::default(),
            over,
        };
        (outbox, writer)
    }

    pub(crate) async fn is_over(&self) {
        // The result is always `Ok`: `self` holds the sender, so the channel cannot close.
        let _ = self.over.subscribe().wait_for(|over| *over).await;
    }

    pub(crate) fn close(&self) {
        self.over.send_replace(true);
        self.lock().waiting.clear();
    }

    pub(crate) async fn respond<T: Serialize>(&self, id: &Value, result: Result<T, Error>) {
        let message = match result.map(|result| serde_json::to_value(result)) {
            Ok(Ok(result)) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Ok(Err(_)) => json!({"jsonrpc": "2.0", "id": id, "error": Error::internal_error()}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        };
        self.send(&message).await;
    }

    pub(crate) async fn notify(&self, method: &str, params: impl Serialize) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": to_value(params)}))
            .await;
    }

    /// Sends a request. `None` if too many requests are pending or the connection is closed.
    pub(crate) async fn request(&self, method: &str, params: impl Serialize) -> Option<Sent> {
        let (answers, reply) = oneshot::channel();
        let sent = {
            let mut pending = self.lock();
            if pending.waiting.len() >= MOST_PENDING || *self.over.borrow() {
                return None;
            }
            pending.last += 1;
            let number = pending.last;
            pending.waiting.insert(number, answers);
            let outbox = self.clone();
            Sent { outbox, number, reply }
        };
        self.send(&json!({"jsonrpc": "2.0", "id": sent.number, "method": method, "params": to_value(params)}))
            .await;
        Some(sent)
    }

    pub(crate) async fn withdraw(&self, number: u64) {
        if self.lock().waiting.remove(&number).is_some() {
            self.notify("$/cancel_request", json!({"requestId": number})).await;
        }
    }

    /// Delivers an answer to the request with this id. Answers to unknown or already answered requests have no effect.
    pub(crate) fn settle(&self, id: &Value, reply: Reply) {
        let Some(number) = id.as_u64() else { return };
        if let Some(answers) = self.lock().waiting.remove(&number) {
            let _ = answers.send(reply);
        }
    }

    async fn send(&self, message: &Value) {
        let line = message.to_string();
        frames::sent(message, line.len());
        tokio::select! {
            _ = self.lines.send(line) => {}
            () = self.is_over() => {}
            () = tokio::time::sleep(READER_PATIENCE) => self.close(),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn to_value(params: impl Serialize) -> Value {
    serde_json::to_value(params).unwrap_or_default()
}

fn write(mut waiting: mpsc::Receiver<String>, mut out: impl Write) {
    while let Some(mut line) = waiting.blocking_recv() {
        line.push('\n');
        if out.write_all(line.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}
