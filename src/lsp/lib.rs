//! Language servers, which are configured programs that check files. A server starts when a file that matches its patterns is first read
//! or edited.
//!
//! Benchdog uses only a small part of the protocol: it sends whole texts, and receives diagnostics and places. Every wait ends at the
//! caller's deadline, and all stored data is limited. The caller decides whether a server runs in a sandbox.

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

/// Configuration of a language server.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub name: String,
    pub program: String,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// Patterns of the files that the server handles. A pattern with `/` is matched against the path in the folder, any other pattern
    /// against the file name.
    pub files: Vec<String>,
    /// Settings that are sent as initialization options, and when the server requests its configuration.
    pub settings: Value,
    /// Whether warnings are reported in addition to errors.
    pub warnings: bool,
    /// Folders that the server may write.
    pub writable: Vec<String>,
    pub pinned: Vec<Pinned>,
    pub root: PathBuf,
    /// Whether the user trusts the folder. In any other folder, the server starts only in a sandbox.
    pub is_trusted: bool,
}

/// A server that was started, and the resources that must exist while it runs.
pub struct ServerProcess {
    pub running: Running,
    pub spoken: Spoken,
    pub resources: Box<dyn Send>,
}

/// Function that starts a server.
pub type Starter = Arc<dyn Fn(Definition) -> BoxFuture<'static, Result<ServerProcess, ServerTrouble>> + Send + Sync>;

/// Function that returns the text of a file, or `None` if it cannot be read as text. The function may block.
pub type Reader = Arc<dyn Fn(&Path) -> Option<Arc<str>> + Send + Sync>;

/// Functions with which the caller lets this crate start servers and read files.
#[derive(Clone)]
pub struct Host {
    pub start: Starter,
    pub read: Reader,
}

/// An edit of a file, after it was written. `path` is absolute.
#[derive(Debug, Clone)]
pub struct FileEdit {
    pub path: PathBuf,
    /// Text before the edit. `None` if the file did not exist or was not text.
    pub before: Option<Arc<str>>,
    /// Text after the edit. `None` if the file was deleted or is not text.
    pub after: Option<Arc<str>>,
}

/// A diagnostic with its file and column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedDiagnostic {
    pub path: PathBuf,
    /// One-based column in characters. `None` if the text of the line is not known, because then the server's column cannot be
    /// converted.
    pub column: Option<usize>,
    pub diagnostic: Diagnostic,
}

/// Report of one server about an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub server: String,
    pub new: Vec<LocatedDiagnostic>,
    /// Whether the diagnostics before the edit are not known. Then `new` may contain some that existed before.
    pub is_unsure: bool,
    /// Number of diagnostics in the edited files that existed before the edit.
    pub earlier: usize,
    /// Reason why the server has not checked the edited version. `None` if it has.
    pub no_answer: Option<NoAnswer>,
}

/// Reason why a server has not checked the current version of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    Starting,
    /// The server says that it is still loading the project.
    Loading,
    Late,
    Ended,
}

/// The diagnostics that one server has sent so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub server: String,
    pub found: Vec<LocatedDiagnostic>,
    pub no_answer: Option<NoAnswer>,
    /// The server's own report of a problem, because of which it may miss errors.
    pub problem: Option<String>,
}

/// A place in a file. `line` is one-based. `column` is in the server's unit and only serves to distinguish places on the same line.
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

/// A symbol in a file. `line` is one-based, and `at` is the symbol's byte offset in that line.
#[derive(Debug, Clone)]
pub struct Symbol {
    pub path: PathBuf,
    pub line: u32,
    pub at: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryError {
    /// No server is configured for this file.
    NoServer,
    /// The server has ended and is not started again.
    ServerEnded,
    NoAnswer(String, NoAnswer),
    Unsupported(String),
    /// The server refused the request. The fields are the name of the server and its message.
    Refused(String, String),
}

/// The language servers of a folder. Cheap to clone. The servers end when the last clone is dropped.
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

    /// Returns the servers of a new configuration. If the configuration is the same, returns a clone of `self`, so that running servers
    /// continue.
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

    /// Returns the names of the servers that handle the file and are no longer used, with the reasons. Without a file, returns all such
    /// servers.
    pub fn ended(&self, file: Option<&Path>) -> Vec<(String, ServerTrouble)> {
        let asked = self.all().filter(|server| file.is_none_or(|path| server.serves(path)));
        asked.filter_map(|server| server.end_reason()).collect()
    }

    /// Returns the file patterns of all servers.
    pub fn patterns(&self) -> Vec<String> {
        self.all()
            .flat_map(|server| server.definition().files.clone())
            .collect()
    }

    /// Opens a file in the servers that handle it. They are started if necessary. The function does not wait for them.
    pub fn open_file(&self, path: &Path, host: &Host) {
        for server in self.servers_for(path) {
            server.open_in_background(path.to_path_buf(), host);
        }
    }

    /// Sends edits to the servers that handle the files, and waits for the diagnostics of the edited versions.
    pub async fn report_edits(&self, edits: &[FileEdit], host: &Host, until: Instant) -> Vec<Report> {
        let asked = self.all().filter_map(|server| {
            let own: Vec<FileEdit> = edits.iter().filter(|edit| server.serves(&edit.path)).cloned().collect();
            (!own.is_empty()).then(|| server.report_edits(own, host, until))
        });
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Waits for the diagnostics of one file or of all open files. Returns the diagnostics of that file, or all that are known.
    pub async fn list_diagnostics(&self, file: Option<&Path>, host: &Host, until: Instant) -> Vec<Listing> {
        let asked = self.all().filter(|server| file.is_none_or(|path| server.serves(path)));
        let asked = asked.map(|server| server.list_diagnostics(file, host, until));
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Asks the first server that handles the file for the definition of a symbol or for references to it.
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

/// Whether a diagnostic of this severity is reported. `warnings` is the setting of its server.
fn is_reported(severity: Severity, warnings: bool) -> bool {
    match severity {
        Severity::Error => true,
        Severity::Warning => warnings,
        Severity::Note => false,
    }
}

/// Returns the error to report if a program could not be started.
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
