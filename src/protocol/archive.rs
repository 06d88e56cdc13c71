//! Commands and answers about stored sessions: search, export, title, file.

use std::ops::Range;

use benchdog_base::id::{EntryId, SessionId};
use benchdog_domain::session::SessionMeta;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Archive {
    /// Searches all sessions. Answered by `Archived::Found`.
    Search { text: String },
    /// Exports this session to a new file of the workspace. Answered by `Archived::Exported`.
    Export {
        /// The path of the file. Empty to derive it from the session's id.
        file: String,
        /// `jsonl`, `md` or `html`. Empty to derive it from the file's extension.
        format: String,
    },
    /// Changes the title of this session. Answered by `Archived::Renamed`.
    Rename { title: String },
    /// Changes the title of a stored session. Answered by `Archived::Retitled`.
    Retitle { session: SessionId, title: String },
    /// Requests the path of the session's file. Answered by `Archived::File`.
    Locate,
    /// Moves a stored session into the trash for a day. Answered by `Archived::Removed`.
    Remove { session: SessionId },
    /// Moves a session back from the trash. Answered by `Archived::Restored`.
    Restore { session: SessionId },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Archived {
    Found {
        text: String,
        found: Result<Vec<FoundSession>, String>,
    },
    Exported(Result<Exported, String>),
    Renamed {
        title: String,
    },
    /// The title of this session, written by a model.
    Named {
        title: String,
    },
    Retitled(Result<(SessionId, String), String>),
    /// The path of this session's file. `None` before the first prompt.
    File(Option<String>),
    Removed(Result<SessionId, String>),
    Restored(Result<SessionId, String>),
}

/// A session and its matching entries, in the order of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSession {
    pub meta: SessionMeta,
    /// Whether each hit has all words of the query.
    pub has_all_words: bool,
    pub hits: Vec<FoundEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEntry {
    pub entry: EntryId,
    pub snippet: String,
    /// The ranges of the matches in the snippet, in characters.
    pub marks: Vec<Range<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    pub path: String,
    /// The number of redaction marks in the exported file.
    pub redacted: usize,
}
