//! `benchdog acp`: an agent of the Agent Client Protocol, version 1, for editors. Messages are JSON-RPC lines on
//! standard input and output.
//!
//! Each session has its own engine, and communicates with it only by `Command` and `Event`. An approval request that
//! gets no answer is denied.

mod buffers;
mod calls;
mod connection;
mod elicitation;
mod frames;
mod options;
mod outbox;
mod permission;
mod prompt;
mod session;
mod trouble;
mod wire;

use std::future::Future;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use benchdog_base::id::{SeatId, SessionId};
use benchdog_domain::session::SessionMeta;
use benchdog_protocol::{Order, Told};
pub use buffers::{Buffers, NoAnswer};
use connection::Connection;
use outbox::Outbox;
pub use outbox::READER_PATIENCE;
pub use prompt::{LONGEST_PROMPT, MOST_IMAGES};
pub use trouble::Refused;
pub use wire::LONGEST_LINE;

pub const MOST_SESSIONS: usize = 32;

const LAST_LINES: Duration = Duration::from_secs(1);

pub trait Host: Clone + Send + Sync + 'static {
    /// Opens a session. If the client offers access to its files, tools use them through `buffers`.
    fn open(&self, wanted: Wanted, buffers: Option<Buffers>) -> impl Future<Output = Result<Ends, Refused>> + Send;

    /// Whether a model accepts images, according to the configuration or the model's server.
    fn sees_images(&self) -> impl Future<Output = bool> + Send;

    fn keep_image(&self, bytes: Arc<[u8]>) -> impl Future<Output = Result<PathBuf, Refused>> + Send;

    /// Lists all sessions, newest first.
    fn list(&self) -> impl Future<Output = Result<Vec<SessionMeta>, Refused>> + Send;

    /// Removes a stored session. Does nothing if the session does not exist.
    fn remove(&self, session: SessionId) -> impl Future<Output = Result<(), Refused>> + Send;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub cwd: PathBuf,
    pub further: Vec<PathBuf>,
    /// MCP servers, as a document with `mcpServers`.
    pub servers: Option<String>,
    pub session: Which,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    New,
    Stored(SessionId),
    /// A new session that starts with the entries of another one.
    CopyOf(SessionId),
}

/// The channels and the task of a session's engine. The engine ends when `orders` is dropped.
pub struct Ends {
    pub seat: SeatId,
    pub orders: mpsc::Sender<Order>,
    pub told: mpsc::Receiver<Told>,
    pub task: JoinHandle<()>,
}

/// Serves one client until its input ends, then closes all sessions.
pub async fn run(host: impl Host, input: impl BufRead + Send + 'static, out: impl Write + Send + 'static) {
    let (outbox, writer) = Outbox::start(out);
    let lines = wire::start(input);
    Connection::new(host, outbox).serve(lines).await;
    let _ = tokio::time::timeout(LAST_LINES, writer).await;
}
