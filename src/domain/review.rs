//! Content of an approval request: file changes, a command with its analysis, or a question. Never raw JSON.

use std::sync::Arc;

use super::elicited::Form;
use super::permission::CommandClass;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Review {
    Files(Vec<FileChange>),
    Command(CommandReview),
    Question(Question),
    Fields(Vec<(String, String)>),
}

/// A file before and after a change, as exact bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub path: String,
    pub operation: FileOperation,
    /// `None` if the file does not exist yet.
    pub before: Option<Arc<[u8]>>,
    /// `None` if the file would be deleted.
    pub after: Option<Arc<[u8]>>,
    pub mode_after: Option<u32>,
    /// Note for the reader: `matched after ignoring white space`, `offset 3 lines`.
    pub note: Option<FileNote>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileNote {
    Words(String),
    Forgave(Vec<Forgave>),
    /// Lines that both sides of a merge changed. The proposal omits these lines.
    LeftOut {
        forgave: Vec<Forgave>,
        lines: Vec<usize>,
    },
    /// Lines that were changed again after the change to undo. The proposal does not undo them.
    ChangedSince {
        lines: Vec<usize>,
    },
    /// Lines that were changed again after the change to undo. The proposal replaces them with the old text.
    Overlaps {
        lines: Vec<usize>,
    },
    /// The change affects one cell of a notebook. `before` and `after` contain the cell's text.
    Cell {
        whole: Arc<[u8]>,
        change: CellChange,
    },
    /// The permission bits of the file are unknown, so it is restored with private permissions.
    ModeNotKept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellChange {
    Inserted,
    Replaced,
    OutputsCleared,
    Deleted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forgave {
    pub what: Forgiven,
    pub part: Option<Piece>,
}

/// The number of an edit or hunk, counted from 1, and the total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    Edit(usize, usize),
    Hunk(usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgiven {
    /// Another program saved the file while the proposal was pending. The proposal uses the new content.
    ChangedOnDisk,
    KeptMark,
    KeptCrlf,
    KeptEncoding(&'static str),
    NotUtf8,
    Binary,
    NormalForm,
    LineNumbers,
    SpaceAtEnds,
    Indentation,
    Space,
    /// Offset in lines from the stated location, negative above it.
    Further(isize),
    Fuzz(usize),
}

impl FileNote {
    pub fn has_changed_on_disk(&self) -> bool {
        match self {
            Self::Words(_)
            | Self::ChangedSince { .. }
            | Self::Overlaps { .. }
            | Self::Cell { .. }
            | Self::ModeNotKept => false,
            Self::Forgave(forgave) | Self::LeftOut { forgave, .. } => {
                forgave.iter().any(|forgave| forgave.what == Forgiven::ChangedOnDisk)
            }
        }
    }
}

pub fn listed(lines: &[usize]) -> String {
    let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
    lines.join(", ")
}

/// Name and content of a file. `None` if the file does not exist.
pub type FileNow = (String, Option<Arc<[u8]>>);

impl Review {
    /// Whether the proposal was rebuilt because another program saved a file.
    pub fn is_against_newer(&self) -> bool {
        let Review::Files(changes) = self else { return false };
        let mut notes = changes.iter().filter_map(|change| change.note.as_ref());
        notes.any(FileNote::has_changed_on_disk)
    }

    pub fn files_now(&self) -> Vec<FileNow> {
        let Review::Files(changes) = self else {
            return Vec::new();
        };
        let mut files = Vec::new();
        for change in changes {
            match &change.operation {
                FileOperation::Rename { from } => {
                    files.push((from.clone(), change.before.clone()));
                    files.push((change.path.clone(), None));
                }
                FileOperation::Copy { .. } => files.push((change.path.clone(), None)),
                FileOperation::Create | FileOperation::Update | FileOperation::Delete => {
                    let before = match &change.note {
                        Some(FileNote::Cell { whole, .. }) => Some(Arc::clone(whole)),
                        _ => change.before.clone(),
                    };
                    files.push((change.path.clone(), before));
                }
            }
        }
        files
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileOperation {
    Create,
    Update,
    Delete,
    Rename { from: String },
    Copy { from: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandReview {
    pub command: String,
    pub class: CommandClass,
    pub parts: Vec<CommandPart>,
    pub writes: Vec<String>,
    pub removes: Vec<Removal>,
    /// Working folder, relative to the workspace. `.` is the workspace itself.
    pub workdir: String,
    pub reason: Option<String>,
    pub risky: bool,
    pub runs: Runs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    UntilDone {
        limit_ms: u64,
    },
    /// Runs in the background until the session ends or this time has elapsed.
    Behind {
        limit_ms: Option<u64>,
    },
}

impl Runs {
    /// Timeout in ms. Applies if neither the call nor the configuration sets a timeout.
    pub const USUAL_MS: u64 = 120_000;

    pub fn limit_ms(self) -> Option<u64> {
        match self {
            Self::UntilDone { limit_ms } => Some(limit_ms),
            Self::Behind { limit_ms } => limit_ms,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    pub path: String,
    pub files: u64,
    pub bytes: u64,
    /// Number of these files that checkpoints do not contain, so that an undo cannot restore them.
    pub not_saved: u64,
    pub counted: Counted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    All,
    Some,
    /// The number of files is an upper bound, because a search may find fewer.
    AtMost,
    /// The number of files is neither an upper nor a lower bound. The count is incomplete, and a search may find fewer
    /// files.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CommandPart {
    /// Words without quotes, for comparison with rules.
    pub command: String,
    /// Text for display: as written, or with quotes around words with blanks.
    #[serde(skip)]
    pub written: String,
    pub class: CommandClass,
    pub because: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    Model {
        asked: Vec<Asked>,
        note: Option<String>,
    },
    /// Form of an MCP server during a call. The first question asks whether to answer, and the others are the fields.
    Server(Form),
    Plan {
        text: String,
    },
    /// Asks whether to continue a stopped turn. `GO_ON` means yes.
    GoOn(Pause),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub header: String,
    pub text: String,
    pub options: Vec<Choice>,
    pub multiple: bool,
    pub own_words: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub label: String,
    pub description: String,
}

impl Asked {
    /// Creates a question whose answer is one of the `options` or free text.
    pub fn of(text: &str, options: &[&str]) -> Self {
        Self {
            header: String::new(),
            text: text.to_owned(),
            options: options.iter().map(|option| Choice::of(option)).collect(),
            multiple: false,
            own_words: true,
        }
    }
}

impl Choice {
    pub fn of(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            description: String::new(),
        }
    }
}

impl Question {
    pub fn one(asked: Asked) -> Self {
        Self::Model {
            asked: vec![asked],
            note: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pause {
    Steps { steps: u32 },
    Loop { tool: String, title: String, times: u32 },
    Denials { times: u32 },
}

impl Pause {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Steps { .. } => "steps",
            Self::Loop { .. } => "loop",
            Self::Denials { .. } => "denials",
        }
    }
}

pub const GO_ON: &str = "go on";

pub const END_TURN: &str = "stop";
