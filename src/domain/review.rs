//! The content of an approval: file changes, a command with its analysis, or a question. Never raw JSON.

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

/// A file before and after, as exact bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Relative to the workspace, with `/`.
    pub path: String,
    pub operation: FileOperation,
    /// `None` if the file does not exist yet.
    pub before: Option<Arc<[u8]>>,
    /// `None` if the file would be deleted.
    pub after: Option<Arc<[u8]>>,
    pub mode_after: Option<u32>,
    /// A note for the reader: `matched after ignoring white space`, `offset 3 lines`.
    pub note: Option<FileNote>,
}

/// A note on a proposed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileNote {
    Words(String),
    Forgave(Vec<Forgave>),
    /// Lines that both sides changed, which are not part of the proposal.
    LeftOut {
        forgave: Vec<Forgave>,
        lines: Vec<usize>,
    },
    /// Lines that were changed again since the undone change, which are not part of the proposal.
    ChangedSince {
        lines: Vec<usize>,
    },
    /// `before` and `after` are the text of one cell of a notebook.
    Cell {
        /// The file before the change.
        whole: Arc<[u8]>,
        change: CellChange,
    },
    /// The file is restored, and its permission bits are unknown, so it is private to its owner.
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

/// The number of a part, from 1, and the total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    Edit(usize, usize),
    Hunk(usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgiven {
    /// The file was saved by another program while the proposal was pending. The proposal is based on the
    /// new content.
    ChangedOnDisk,
    KeptMark,
    KeptCrlf,
    KeptEncoding(&'static str),
    NotUtf8,
    Binary,
    /// The old text is in another Unicode normal form than the file.
    NormalForm,
    LineNumbers,
    SpaceAtEnds,
    Indentation,
    Space,
    /// The number of lines below the stated place. Negative if above.
    Further(isize),
    Fuzz(usize),
}

impl FileNote {
    pub fn has_changed_on_disk(&self) -> bool {
        match self {
            Self::Words(_) | Self::ChangedSince { .. } | Self::Cell { .. } | Self::ModeNotKept => false,
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

/// The name of a file and its content. `None` if there is no such file.
pub type FileNow = (String, Option<Arc<[u8]>>);

impl Review {
    /// Whether the proposal was rebuilt, because a file was saved by another program.
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
    /// Relative to the workspace. `.` is the workspace.
    pub workdir: String,
    pub reason: Option<String>,
    pub risky: bool,
    pub runs: Runs,
}

/// The lifetime of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    UntilDone {
        limit_ms: u64,
    },
    /// The command continues after its call, until the session ends or this time elapses.
    Behind {
        limit_ms: Option<u64>,
    },
}

impl Runs {
    /// The timeout if neither the call nor the configuration sets one.
    pub const USUAL_MS: u64 = 120_000;

    pub fn limit_ms(self) -> Option<u64> {
        match self {
            Self::UntilDone { limit_ms } => Some(limit_ms),
            Self::Behind { limit_ms } => limit_ms,
        }
    }
}

/// The files of one argument of a removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    pub path: String,
    pub files: u64,
    pub bytes: u64,
    pub counted: Counted,
}

/// The accuracy of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    All,
    Some,
    /// An upper bound, because a search may find fewer.
    AtMost,
    /// Neither bound: only some were counted, and a search may find fewer.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CommandPart {
    /// The words without quotes. Rules match this text.
    pub command: String,
    /// The display form: as written, or with quotes around words with blanks.
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
    /// A form of an MCP server during a call: first whether to answer, then each field.
    Server(Form),
    Plan {
        text: String,
    },
    /// Whether a stopped turn continues. `GO_ON` is the affirmative answer.
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
    /// Creates a question with these answers, or free text.
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

/// The reason why a turn was stopped until a person continues it.
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

/// The answer that continues a stopped turn. Every other one ends it.
pub const GO_ON: &str = "go on";

pub const END_TURN: &str = "stop";
