//! Language servers: configured programs that check files. One starts with the first read or edit of a file that matches its patterns.
//!
//! Benchdog uses a small part of the protocol: it sends full texts, and receives diagnostics and places. Every wait ends at the deadline
//! of its caller, and all stored data has a limit. The caller decides about the sandbox.

mod client;
mod compare;
mod diagnostics;
mod documents;
mod frames;
pub mod limits;
mod position;
mod server;
mod uri;
mod wire;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, join_all};
use serde_json::Value;

use benchdog_children::{Running, Spoken};
use benchdog_domain::finding::Severity;
use benchdog_domain::language::LanguageNotice;
use benchdog_domain::pin::Pinned;
use benchdog_domain::server::ServerTrouble;
pub use diagnostics::Diagnostic;
pub use limits::MOST_TEXT;
pub use position::{SymbolPosition, find_symbol};
use server::Server;

/// A configured server.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub name: String,
    pub program: String,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// Patterns of its files: of the name, or of the path in the folder if they contain `/`.
    pub files: Vec<String>,
    /// Sent as initialization options, and as the answer to requests for configuration.
    pub settings: Value,
    /// Whether warnings count like errors.
    pub warnings: bool,
    /// Folders that it may write.
    pub writable: Vec<String>,
    pub pinned: Vec<Pinned>,
    pub root: PathBuf,
    /// Whether the folder is trusted. In other folders a server starts only in a sandbox.
    pub is_trusted: bool,
}

/// A started server, and the resources it needs while it runs.
pub struct ServerProcess {
    pub running: Running,
    pub spoken: Spoken,
    pub resources: Box<dyn Send>,
}

/// Starts a server.
pub type Starter = Arc<dyn Fn(Definition) -> BoxFuture<'static, Result<ServerProcess, ServerTrouble>> + Send + Sync>;

/// Returns the text of a file, or `None` if it is not a readable text. It may block.
pub type Reader = Arc<dyn Fn(&Path) -> Option<Arc<str>> + Send + Sync>;

/// Access to programs and files for a call.
#[derive(Clone)]
pub struct Host {
    pub start: Starter,
    pub read: Reader,
}

/// A file that was written. The path is absolute.
#[derive(Debug, Clone)]
pub struct FileEdit {
    pub path: PathBuf,
    /// `None`: it did not exist, or was not a text.
    pub before: Option<Arc<str>>,
    /// `None`: it was deleted, or is not a text.
    pub after: Option<Arc<str>>,
}

/// A diagnostic of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedDiagnostic {
    pub path: PathBuf,
    /// In characters from 1. `None`: the line is not known, so the server's unit cannot be converted.
    pub column: Option<usize>,
    pub diagnostic: Diagnostic,
}

/// The report of one server about an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub server: String,
    pub new: Vec<LocatedDiagnostic>,
    /// Whether the state before the edit is unknown, so that `new` may contain earlier ones.
    pub is_unsure: bool,
    /// Diagnostics of the edited files that were there before.
    pub earlier: usize,
    /// `None`: it answered for the edited version.
    pub no_answer: Option<NoAnswer>,
}

/// The reason for no answer about the edited version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    Starting,
    Late,
    Ended,
}

/// The known diagnostics of one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub server: String,
    pub found: Vec<LocatedDiagnostic>,
    pub no_answer: Option<NoAnswer>,
}

/// A place in a file, at a line from 1. The column, in the unit of the server, only tells places of a line apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub path: PathBuf,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    Definition,
    References,
}

/// A symbol in a file: its line from 1, and the byte at which it starts in that line.
#[derive(Debug, Clone)]
pub struct Symbol {
    pub path: PathBuf,
    pub line: u32,
    pub at: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryError {
    /// No configured server is for this file.
    NoServer,
    /// The server is no longer used.
    ServerEnded,
    NoAnswer(String, NoAnswer),
    Unsupported(String),
    /// The server refused the request, with its message.
    Refused(String, String),
}

/// The servers of a folder. Cheap to clone. Drop of the last clone ends them.
#[derive(Clone, Default)]
pub struct Servers(Option<Arc<All>>);

type Notices = Arc<Mutex<Vec<LanguageNotice>>>;

struct All {
    servers: Vec<Arc<Server>>,
    notices: Notices,
}

impl Servers {
    pub fn new(definitions: Vec<Definition>) -> Self {
        if definitions.is_empty() {
            return Self(None);
        }
        let notices = Notices::default();
        let server = |definition| Arc::new(Server::new(definition, Arc::clone(&notices)));
        Self(Some(Arc::new(All {
            servers: definitions.into_iter().map(server).collect(),
            notices,
        })))
    }

    /// Returns the servers of a changed configuration, or a clone if it is unchanged.
    pub fn with_definitions(&self, definitions: Vec<Definition>) -> Self {
        if self.all().map(|server| server.definition()).eq(&definitions) {
            return self.clone();
        }
        Self::new(definitions)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the notices since the last call.
    pub fn take_notices(&self) -> Vec<LanguageNotice> {
        let Some(all) = &self.0 else { return Vec::new() };
        std::mem::take(&mut all.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the patterns of all files for which a server is configured.
    pub fn patterns(&self) -> Vec<String> {
        self.all()
            .flat_map(|server| server.definition().files.clone())
            .collect()
    }

    /// Opens a file in its servers, which start if needed. Returns at once.
    pub fn open_file(&self, path: &Path, host: &Host) {
        for server in self.servers_for(path) {
            server.open_in_background(path.to_path_buf(), host);
        }
    }

    /// Sends an edit to its servers, and waits for their diagnostics of the edited versions.
    pub async fn report_edits(&self, edits: &[FileEdit], host: &Host, until: Instant) -> Vec<Report> {
        let asked = self.all().filter_map(|server| {
            let own: Vec<FileEdit> = edits.iter().filter(|edit| server.serves(&edit.path)).cloned().collect();
            (!own.is_empty()).then(|| server.report_edits(own, host, until))
        });
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Waits for the diagnostics of a file and returns them, or returns all that are known.
    pub async fn list_diagnostics(&self, file: Option<&Path>, host: &Host, until: Instant) -> Vec<Listing> {
        let asked = self.all().filter(|server| file.is_none_or(|path| server.serves(path)));
        let asked = asked.map(|server| server.list_diagnostics(file, host, until));
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Asks the first server of the file.
    pub async fn places(
        &self,
        symbol: &Symbol,
        question: Question,
        host: &Host,
        until: Instant,
    ) -> Result<Vec<Place>, QueryError> {
        match self.servers_for(&symbol.path).next() {
            Some(server) => server.places(symbol, question, host, until).await,
            None => Err(QueryError::NoServer),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Arc<Server>> {
        self.0.iter().flat_map(|all| &all.servers)
    }

    fn servers_for<'s>(&'s self, path: &'s Path) -> impl Iterator<Item = &'s Arc<Server>> {
        self.all().filter(|server| server.serves(path))
    }
}

impl Drop for All {
    fn drop(&mut self) {
        for server in &self.servers {
            server.end();
        }
    }
}

/// Whether a diagnostic is reported, by the configuration of its server.
fn is_reported(severity: Severity, warnings: bool) -> bool {
    match severity {
        Severity::Error => true,
        Severity::Warning => warnings,
        Severity::Note => false,
    }
}

/// Returns the error of a program that did not start.
pub fn start_trouble(error: &io::Error) -> ServerTrouble {
    let words = error.to_string();
    match error.kind() {
        io::ErrorKind::Unsupported => ServerTrouble::NoSandbox { words },
        _ => ServerTrouble::NotStarted { words },
    }
}

async fn before_deadline<T>(until: Instant, work: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout_at(until.into(), work).await.ok()
}

fn deadline_in(wait: Duration) -> Instant {
    Instant::now() + wait
}
