//! Language servers: programs of the configuration that check files. One starts with the first read or edit of a file it is named for.
//!
//! Benchdog speaks a small part of the protocol: full texts in, diagnostics and places out. Whatever a server does, a wait ends at the time
//! its caller gives, and everything that is kept has a limit. Whether and how a program is confined is decided by the caller.

mod client;
mod compare;
mod documents;
mod frames;
mod known;
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
pub use known::Diagnostic;
pub use limits::MOST_TEXT;
pub use position::{Named, find_symbol};
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
pub struct Started {
    pub running: Running,
    pub spoken: Spoken,
    pub holds: Box<dyn Send>,
}

/// Starts a server.
pub type Starter = Arc<dyn Fn(Definition) -> BoxFuture<'static, Result<Started, ServerTrouble>> + Send + Sync>;

/// Returns the text of a file, or `None` if it is not a readable text. It may block.
pub type Reader = Arc<dyn Fn(&Path) -> Option<Arc<str>> + Send + Sync>;

/// Access to programs and files for a call.
#[derive(Clone)]
pub struct Around {
    pub start: Starter,
    pub read: Reader,
}

/// A file that was written. The path is absolute.
#[derive(Debug, Clone)]
pub struct Edited {
    pub path: PathBuf,
    /// `None`: it did not exist, or was not a text.
    pub before: Option<Arc<str>>,
    /// `None`: it was deleted, or is not a text.
    pub after: Option<Arc<str>>,
}

/// A diagnostic of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    pub path: PathBuf,
    /// In characters from 1. `None`: the line is not known, so the server's unit cannot be converted.
    pub column: Option<usize>,
    pub what: Diagnostic,
}

/// The report of one server about an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub server: String,
    pub new: Vec<Located>,
    /// Whether the state before the edit is unknown, so that `new` may contain earlier ones.
    pub is_unsure: bool,
    /// Diagnostics of the edited files that were there before.
    pub earlier: usize,
    /// `None`: it answered for the edited version.
    pub silent: Option<Silent>,
}

/// Why a server did not answer for the edited version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silent {
    Starting,
    Late,
    Ended,
}

/// The known diagnostics of one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub server: String,
    pub found: Vec<Located>,
    pub silent: Option<Silent>,
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
pub enum Unanswered {
    /// No configured server is for this file.
    NoServer,
    /// The server is no longer used.
    Over,
    Silent(String, Silent),
    Unsupported(String),
    /// The server refused the question, for the reason in its words.
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

    /// Opens a file that was read in its server, which starts if needed. Returns at once.
    pub fn opened(&self, path: &Path, around: &Around) {
        for server in self.of(path) {
            server.open_later(path.to_path_buf(), around);
        }
    }

    /// Tells the servers of an edit, and waits for what they say about the edited versions.
    pub async fn edited(&self, edits: &[Edited], around: &Around, until: Instant) -> Vec<Report> {
        let asked = self.all().filter_map(|server| {
            let own: Vec<Edited> = edits.iter().filter(|edit| server.serves(&edit.path)).cloned().collect();
            (!own.is_empty()).then(|| server.edited(own, around, until))
        });
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Returns the diagnostics of a file, for which it waits, or all that are known.
    pub async fn listed(&self, file: Option<&Path>, around: &Around, until: Instant) -> Vec<Listing> {
        let asked = self.all().filter(|server| file.is_none_or(|path| server.serves(path)));
        let asked = asked.map(|server| server.listed(file, around, until));
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Asks the first server of the file.
    pub async fn places(
        &self,
        symbol: &Symbol,
        question: Question,
        around: &Around,
        until: Instant,
    ) -> Result<Vec<Place>, Unanswered> {
        match self.of(&symbol.path).next() {
            Some(server) => server.places(symbol, question, around, until).await,
            None => Err(Unanswered::NoServer),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Arc<Server>> {
        self.0.iter().flat_map(|all| &all.servers)
    }

    fn of<'s>(&'s self, path: &'s Path) -> impl Iterator<Item = &'s Arc<Server>> {
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

/// Whether a diagnostic counts, by the configuration of its server.
fn counts(severity: Severity, warnings: bool) -> bool {
    match severity {
        Severity::Error => true,
        Severity::Warning => warnings,
        Severity::Note => false,
    }
}

/// Returns the trouble of a program that did not start.
pub fn not_started(error: &io::Error) -> ServerTrouble {
    let words = error.to_string();
    match error.kind() {
        io::ErrorKind::Unsupported => ServerTrouble::NoSandbox { words },
        _ => ServerTrouble::NotStarted { words },
    }
}

async fn by<T>(until: Instant, work: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout_at(until.into(), work).await.ok()
}

fn soon(wait: Duration) -> Instant {
    Instant::now() + wait
}
