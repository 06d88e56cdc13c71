//! The content of an approval request, for a program that answers it.

use schemars::JsonSchema;
use serde::Serialize;

use benchdog_diff::{Encoding, unified_text};
use benchdog_domain::permission::CommandClass;
use benchdog_domain::review::{FileChange, FileOperation, Review, Runs};
use benchdog_lang::{self as lang, Word};

const CONTEXT: usize = 3;

/// Everything that a program needs to know to answer an approval request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Proposal {
    #[serde(flatten)]
    pub shown: Shown,
    /// Whether the request can be answered with `"decision": "confined"`, which runs the command in the sandbox.
    pub confinable: bool,
    /// The possible answers of the kind `always`. Empty if the request can be allowed only once.
    pub always: Vec<Always>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Shown {
    Files {
        files: Vec<ProposedFile>,
    },
    Command {
        command: String,
        /// The working folder, relative to the workspace.
        workdir: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        parts: Vec<CommandPart>,
        /// Paths that the command writes, as far as known.
        writes: Vec<String>,
        /// Files that the command removes, with the number and size of these files.
        removes: Vec<String>,
        /// Whether the model marked the command as risky.
        risky: bool,
        /// Whether the command continues in the background after its call has ended.
        background: bool,
        /// The time limit of the command, in milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit_ms: Option<u64>,
    },
    Fields {
        fields: Vec<Field>,
    },
    /// The questions are answered by `answer`, which contains one list of texts for each question.
    Questions {
        questions: Vec<OpenQuestion>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProposedFile {
    pub path: String,
    /// `create`, `update`, `delete`, `rename` or `copy`.
    pub operation: String,
    /// The old path of a renamed or copied file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// New permission bits in octal digits, if they change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// A note about the change, for example that lines are omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// A unified diff. For a notebook, it is the diff of the cells as text. Missing for binary files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CommandPart {
    pub command: String,
    pub class: CommandClass,
    pub because: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Field {
    pub name: String,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenQuestion {
    pub text: String,
    pub options: Vec<Choice>,
    /// Whether several options may be chosen.
    pub multiple: bool,
    /// Whether the answer may be a text other than the options.
    pub own_words: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Choice {
    pub label: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// An answer that also applies to later requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Always {
    /// The value of `number` in the answer.
    pub number: usize,
    /// A text that describes which later calls this answer also allows, and for how long.
    pub text: String,
}

impl Shown {
    /// Returns `None` for a question, because the front end formats the pages of a question itself.
    pub fn of(review: &Review) -> Option<Self> {
        Some(match review {
            Review::Files(files) => Self::Files {
                files: files.iter().map(ProposedFile::of).collect(),
            },
            Review::Command(command) => Self::Command {
                command: command.command.clone(),
                workdir: command.workdir.clone(),
                reason: command.reason.clone(),
                parts: command
                    .parts
                    .iter()
                    .map(|part| CommandPart {
                        command: part.written.clone(),
                        class: part.class,
                        because: part.because.clone(),
                    })
                    .collect(),
                writes: command.writes.clone(),
                removes: command.removes.iter().map(lang::removal).collect(),
                risky: command.risky,
                background: matches!(command.runs, Runs::Behind { .. }),
                limit_ms: command.runs.limit_ms(),
            },
            Review::Fields(fields) => Self::Fields {
                fields: fields
                    .iter()
                    .map(|(name, value)| Field {
                        name: name.clone(),
                        value: value.clone(),
                    })
                    .collect(),
            },
            Review::Question(_) => return None,
        })
    }
}

impl ProposedFile {
    fn of(change: &FileChange) -> Self {
        let (operation, from) = match &change.operation {
            FileOperation::Create => ("create", None),
            FileOperation::Update => ("update", None),
            FileOperation::Delete => ("delete", None),
            FileOperation::Rename { from } => ("rename", Some(from.clone())),
            FileOperation::Copy { from } => ("copy", Some(from.clone())),
        };
        Self {
            path: change.path.clone(),
            operation: operation.to_owned(),
            from,
            mode: change.mode_after.map(|mode| format!("{mode:o}")),
            note: change
                .note
                .as_ref()
                .map(|note| lang::file_note(note, Word::ChangedOnDisk)),
            diff: diff(change),
        }
    }
}

fn diff(change: &FileChange) -> Option<String> {
    let [before, after] = [&change.before, &change.after].map(|side| side.as_deref().unwrap_or_default());
    let is_text = |bytes: &[u8]| !matches!(Encoding::of(bytes), Encoding::Binary | Encoding::Utf16);
    (is_text(before) && is_text(after))
        .then(|| String::from_utf8_lossy(&unified_text(before, after, CONTEXT)).into_owned())
}
