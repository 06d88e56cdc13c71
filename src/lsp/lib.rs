//! Language servers: configured programs that check files. A server starts when a matching file is first read or
//! edited.
//!
//! Benchdog sends whole texts, and receives diagnostics and locations. Other parts of the protocol are not used. Every
//! wait ends at the caller's deadline, and all stored data is limited. The caller decides whether a server runs in a
//! sandbox.

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

#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub name: String,
    pub program: String,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// Glob patterns. A pattern with `/` is matched against the path in the folder. Any other pattern is matched
    /// against the file name.
    pub files: Vec<String>,
    /// Sent as initialization options, and when the server requests its configuration.
    pub settings: Value,
    /// Whether to report warnings in addition to errors.
    pub warnings: bool,
    pub writable: Vec<String>,
    pub pinned: Vec<Pinned>,
    pub root: PathBuf,
    /// In untrusted folders, the server starts only in a sandbox.
    pub is_trusted: bool,
}

/// A started server. `resources` must exist while the server runs.
pub struct ServerProcess {
    pub running: Running,
    pub spoken: Spoken,
    pub resources: Box<dyn Send>,
}

pub type Starter = Arc<dyn Fn(Definition) -> BoxFuture<'static, Result<ServerProcess, ServerTrouble>> + Send + Sync>;

/// Returns the text of a file, or `None` if it cannot be read as text. May block.
pub type Reader = Arc<dyn Fn(&Path) -> Option<Arc<str>> + Send + Sync>;

#[derive(Clone)]
pub struct Host {
    pub start: Starter,
    pub read: Reader,
}

/// An edit that is already on disk. `path` is absolute.
#[derive(Debug, Clone)]
pub struct FileEdit {
    pub path: PathBuf,
    /// `None` if the file did not exist or was not text.
    pub before: Option<Arc<str>>,
    /// `None` if the file was deleted or is not text.
    pub after: Option<Arc<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedDiagnostic {
    pub path: PathBuf,
    /// One-based column in characters. `None` if the text of the line is unknown.
    pub column: Option<usize>,
    pub diagnostic: Diagnostic,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub server: String,
    pub new: Vec<LocatedDiagnostic>,
    /// Whether `new` may contain older diagnostics, because the diagnostics before the edit are unknown.
    pub is_unsure: bool,
    /// Number of diagnostics in the edited files that existed before the edit.
    pub earlier: usize,
    /// The reason why diagnostics are missing. `None` if the server has checked the edited version.
    pub no_answer: Option<NoAnswer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    Starting,
    /// The server says that it is still loading the project.
    Loading,
    Late,
    Ended,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub server: String,
    pub found: Vec<LocatedDiagnostic>,
    pub no_answer: Option<NoAnswer>,
    /// A problem that the server reported. Because of the problem, the server may miss errors.
    pub problem: Option<String>,
}

/// `line` is one-based. `column` is in the server's unit, and only distinguishes locations on the same line.
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

/// `line` is one-based. `at` is a byte offset in that line.
#[derive(Debug, Clone)]
pub struct Symbol {
    pub path: PathBuf,
    pub line: u32,
    pub at: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryError {
    NoServer,
    /// The server has ended, and Benchdog does not start it again.
    ServerEnded,
    NoAnswer(String, NoAnswer),
    Unsupported(String),
    /// Name of the server, and its error message.
    Refused(String, String),
}

/// The language servers of a folder. Cheap to clone. Dropping the last clone ends the servers.
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

    /// Returns the servers of a new configuration. If the configuration is unchanged, returns a clone of `self`, so
    /// that the servers continue.
    pub fn with_definitions(&self, definitions: Vec<Definition>) -> Self {
        if self.all().map(|server| server.definition()).eq(&definitions) {
            return self.clone();
        }
        Self::new(definitions)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn take_notices(&self) -> Vec<LanguageNotice> {
        let Some(all) = &self.0 else { return Vec::new() };
        std::mem::take(&mut all.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the names of servers that are no longer used, with the reasons. With `file`, omits the servers that do
    /// not handle the file.
    pub fn ended(&self, file: Option<&Path>) -> Vec<(String, ServerTrouble)> {
        let asked = self.all().filter(|server| file.is_none_or(|path| server.serves(path)));
        asked.filter_map(|server| server.end_reason()).collect()
    }

    pub fn patterns(&self) -> Vec<String> {
        self.all()
            .flat_map(|server| server.definition().files.clone())
            .collect()
    }

    /// Opens a file in its servers, and starts the servers if necessary. Does not wait.
    pub fn open_file(&self, path: &Path, host: &Host) {
        for server in self.servers_for(path) {
            server.open_in_background(path.to_path_buf(), host);
        }
    }

    /// Sends edits to the servers of the files, and waits for the diagnostics of the edited versions.
    pub async fn report_edits(&self, edits: &[FileEdit], host: &Host, until: Instant) -> Vec<Report> {
        let asked = self.all().filter_map(|server| {
            let own: Vec<FileEdit> = edits.iter().filter(|edit| server.serves(&edit.path)).cloned().collect();
            (!own.is_empty()).then(|| server.report_edits(own, host, until))
        });
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Waits for the diagnostics of `file`, and returns them. Without `file`, waits for the diagnostics of all open
    /// files, and returns all known diagnostics.
    pub async fn list_diagnostics(&self, file: Option<&Path>, host: &Host, until: Instant) -> Vec<Listing> {
        let asked = self.all().filter(|server| file.is_none_or(|path| server.serves(path)));
        let asked = asked.map(|server| server.list_diagnostics(file, host, until));
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Asks the first server that handles the file for the definition of a symbol, or for references to the symbol.
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

/// Whether diagnostics of this severity are reported. `warnings` is the setting of the server.
fn is_reported(severity: Severity, warnings: bool) -> bool {
    match severity {
        Severity::Error => true,
        Severity::Warning => warnings,
        Severity::Note => false,
    }
}

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
