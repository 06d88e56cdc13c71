//! What a person sees before anything happens: file changes, a command with its analysis, a question. Never raw JSON.

use std::sync::Arc;

use super::elicited::Form;
use super::permission::CommandClass;

/// The whole of one proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Review {
    Files(Vec<FileChange>),
    Command(CommandReview),
    Question(Question),
    /// Anything else, as titled fields in reading order.
    Fields(Vec<(String, String)>),
}

/// One file before and after, as exact bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileChange {
    /// Relative to the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) operation: FileOperation,
    /// `None`: the file does not exist yet.
    pub(crate) before: Option<Arc<[u8]>>,
    /// `None`: the file would be deleted.
    pub(crate) after: Option<Arc<[u8]>>,
    /// The unix permission bits afterwards, where they change.
    pub(crate) mode_after: Option<u32>,
    /// What the reader should know: `matched after ignoring white space`, `offset 3 lines`.
    pub(crate) note: Option<FileNote>,
}

/// What the reader of a proposed file should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileNote {
    /// As whoever compares it says it.
    Words(String),
    /// What the proposal was read as, in its order.
    Forgave(Vec<Forgave>),
    /// Behind that: lines that both sides changed, and of which nothing is proposed.
    LeftOut { forgave: Vec<Forgave>, lines: Vec<usize> },
    /// Lines that were changed again since the change that is taken back, and of which nothing is proposed.
    ChangedSince { lines: Vec<usize> },
    /// It comes back, and which permission bits it had is not known: it is for its owner alone.
    ModeNotKept,
}

/// What was forgiven or kept, so that a proposal fits its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Forgave {
    pub(crate) what: Forgiven,
    /// `None`: in all of it.
    pub(crate) part: Option<Piece>,
}

/// Which of how many, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    Edit(usize, usize),
    Hunk(usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forgiven {
    /// The file was saved elsewhere while the proposal waited for the person, and this is made against what is there now.
    ChangedOnDisk,
    /// The byte order mark.
    KeptMark,
    KeptCrlf,
    /// The encoding the file is in and stays in, by its name.
    KeptEncoding(&'static str),
    NotUtf8,
    Binary,
    LineNumbers,
    SpaceAtEnds,
    Indentation,
    Space,
    /// It stands so many lines further down than stated; less than 0: further up.
    Further(isize),
    /// So many lines of context at an end did not fit.
    Fuzz(usize),
}

impl FileNote {
    /// Whether the file was saved elsewhere since the change to it was proposed.
    pub(crate) fn has_changed_on_disk(&self) -> bool {
        match self {
            Self::Words(_) | Self::ChangedSince { .. } | Self::ModeNotKept => false,
            Self::Forgave(forgave) | Self::LeftOut { forgave, .. } => {
                forgave.iter().any(|forgave| forgave.what == Forgiven::ChangedOnDisk)
            }
        }
    }
}

/// `3, 17`.
pub(crate) fn listed(lines: &[usize]) -> String {
    let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
    lines.join(", ")
}

/// The name of a file and what it holds; `None`: there is no such file.
pub(crate) type FileNow = (String, Option<Arc<[u8]>>);

impl Review {
    /// Whether it was made anew, because a file of it was saved elsewhere.
    pub(crate) fn is_against_newer(&self) -> bool {
        let Review::Files(changes) = self else { return false };
        let mut notes = changes.iter().filter_map(|change| change.note.as_ref());
        notes.any(FileNote::has_changed_on_disk)
    }

    /// Every file that would change, as it is.
    pub(crate) fn files_now(&self) -> Vec<FileNow> {
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
                    files.push((change.path.clone(), change.before.clone()));
                }
            }
        }
        files
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileOperation {
    Create,
    Update,
    Delete,
    Rename { from: String },
    Copy { from: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandReview {
    pub(crate) command: String,
    pub(crate) class: CommandClass,
    /// Every simple command inside the line, in reading order.
    pub(crate) parts: Vec<CommandPart>,
    /// Existing and new files its redirections would write.
    pub(crate) writes: Vec<String>,
    /// What it would remove, as it is on disk now.
    pub(crate) removes: Vec<Removal>,
    /// Relative to the workspace; `.` is the workspace.
    pub(crate) workdir: String,
    pub(crate) reason: Option<String>,
    /// The model itself calls it risky.
    pub(crate) risky: bool,
    pub(crate) runs: Runs,
}

/// How long a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// Its call ends when it ends, and that is not later than this.
    UntilDone { limit_ms: u64 },
    /// It goes on behind its call, until the session ends or this is over.
    Behind { limit_ms: Option<u64> },
}

impl Runs {
    /// The limit of a command for which neither the call nor the configuration names one.
    pub(crate) const USUAL_MS: u64 = 120_000;

    pub(crate) fn limit_ms(self) -> Option<u64> {
        match self {
            Self::UntilDone { limit_ms } => Some(limit_ms),
            Self::Behind { limit_ms } => limit_ms,
        }
    }
}

/// What one word of a removal stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removal {
    /// As the command says it.
    pub(crate) path: String,
    /// Files and links at and below it.
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) counted: Counted,
}

/// How a count stands to what is really there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    All,
    /// There is more than was counted.
    Some,
    /// A search may find fewer.
    AtMost,
    /// Some was counted, of which a search may find fewer.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct CommandPart {
    /// Its words, without quotes: what rules are held against.
    pub(crate) command: String,
    /// The same for people: as it stands in the line, or with quotes around what is one word.
    #[serde(skip)]
    pub(crate) written: String,
    pub(crate) class: CommandClass,
    pub(crate) because: String,
}

/// What a person answers in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    /// The model asks, in its own words: at least one question, in its order.
    Model {
        asked: Vec<Asked>,
        /// What it adds below them.
        note: Option<String>,
    },
    /// A server asks while a call of its runs: first whether it is told anything, then each field.
    Server(Form),
    /// What comes of a plan; the answers are those of `domain::plan`.
    Plan { text: String },
    /// Whether a turn that was stopped here goes on. `GO_ON` is the answer that says so.
    GoOn(Pause),
}

/// One question of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// A few words that tell it from the others.
    pub(crate) header: String,
    pub(crate) text: String,
    pub(crate) options: Vec<Choice>,
    pub(crate) multiple: bool,
    /// Whether it may be answered in one's own words.
    pub(crate) own_words: bool,
}

/// One answer to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) label: String,
    pub(crate) description: String,
}

impl Asked {
    /// A question to choose one of these answers, or to give another.
    #[cfg(test)]
    pub(crate) fn of(text: &str, options: &[&str]) -> Self {
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
    #[cfg(test)]
    pub(crate) fn of(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            description: String::new(),
        }
    }
}

impl Question {
    #[cfg(test)]
    pub(crate) fn one(asked: Asked) -> Self {
        Self::Model {
            asked: vec![asked],
            note: None,
        }
    }
}

/// What stops a turn until a person says that it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pause {
    /// It has made as many requests as it may.
    Steps { steps: u32 },
    /// A call gave the same as before, again and again.
    Loop { tool: String, title: String, times: u32 },
    /// So many replies in a row whose calls were refused.
    Denials { times: u32 },
}

impl Pause {
    /// The name under which people and scripts meet the question, in the place of a tool's.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Steps { .. } => "steps",
            Self::Loop { .. } => "loop",
            Self::Denials { .. } => "denials",
        }
    }
}

/// The answer with which a turn goes on that was stopped; every other one ends it.
pub(crate) const GO_ON: &str = "go on";

/// The answer that is offered beside it.
pub(crate) const END_TURN: &str = "stop";
