//! Entries of the append-only session log. The screen and the requests are derived from it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::agent::{AgentName, ModelRef, Sampling, Terms};
use super::budget::Usage;
use super::child::{ChildEntry, Spent};
use super::compaction::Compaction;
use super::failure::Cut;
use super::finding::Finding;
use super::image::Image;
use super::job::JobId;
use super::mention::{Mention, MentionKind};
use super::message::{Seal, ToolCall};
use super::note::Note;
use super::notice::{self, Notice};
use super::permission::{Because, DecidedBy, Decision};
use super::places::{Moved, Place};
use super::plan::Plan;
use super::summary::Summary;
use super::todo::TodoList;
use super::tool::{CallStatus, Outcome, Success, ToolFacts};
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, CallId, EntryId, TurnId};

mod stored;

pub use stored::VERSION;

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: EntryId,
    pub turn: TurnId,
    pub time: Time,
    pub body: Body,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Body {
    /// A prompt of the person. Before Benchdog sends the prompt for the first time, it adds `mentions` and `notes`.
    User {
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<Mention>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    Assistant {
        text: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reasoning: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        seals: Vec<Seal>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
        model: ModelRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<Cut>,
    },
    /// An approved call started. Without a later result, its effect is unknown.
    CallStarted {
        call: CallId,
        tool: String,
        title: String,
        /// State of the files before the call. After a crash, the files on disk are compared with this state.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<FileBefore>,
    },
    /// A call finished and its hooks are running. After a crash, this entry replaces the missing result.
    CallEnded {
        call: CallId,
        tool: String,
        title: String,
        status: CallStatus,
        summary: Summary,
        output: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        truncated: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        places: Vec<Place>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
        #[serde(default)]
        took_ms: u64,
    },
    ToolResult {
        call: CallId,
        tool: String,
        title: String,
        status: CallStatus,
        summary: Summary,
        output: String,
        #[serde(default)]
        truncated: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        places: Vec<Place>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
        #[serde(default)]
        took_ms: u64,
    },
    Approval {
        call: CallId,
        tool: String,
        decision: Decision,
        by: DecidedBy,
        because: Because,
    },
    Change {
        call: CallId,
        path: String,
        before: Option<BlobId>,
        after: Option<BlobId>,
        added: u32,
        removed: u32,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moved: Vec<Moved>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        undoes: Vec<EntryId>,
        /// Whether the person discarded hunks of the undo. If so, a part of the change remains.
        #[serde(rename = "undoes_in_part", default, skip_serializing_if = "std::ops::Not::not")]
        in_part: bool,
        /// Permission bits before the change. Set only if they are known, and the file was removed or its mode changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode_before: Option<u32>,
        /// Background job that was running when the file changed. A person may have made the change instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        job: Option<JobId>,
    },
    Todo {
        items: TodoList,
    },
    /// Result of the project's check after changes. A failure is sent to the model as a user message.
    Validation {
        call: CallId,
        command: String,
        passed: bool,
        summary: Summary,
        output: String,
        round: u32,
        feedback: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unfinished: Option<CallStatus>,
    },
    Model {
        model: ModelRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<AgentName>,
        /// Model to use after this turn. Set if the new model was selected only for this turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until_then: Option<ModelRef>,
    },
    Agent {
        agent: AgentName,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until_then: Option<AgentName>,
    },
    Plan(Plan),
    Findings {
        call: CallId,
        findings: Vec<Finding>,
    },
    Sampling(Sampling),
    Child(ChildEntry),
    Terms {
        model: ModelRef,
        terms: Terms,
    },
    /// Tokens of a request outside the conversation, such as the request for a title.
    Spent(Spent),
    /// A `!command` of the person. Requests contain it as a user message and an assistant message.
    Shell {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<CallId>,
        command: String,
        output: String,
        summary: Summary,
        status: CallStatus,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        findings: Vec<Finding>,
    },
    /// The person repeated the last request. The turn continues without the earlier answer.
    Retried,
    Compaction(Compaction),
    CompactionUndone {
        compaction: EntryId,
    },
    Pinned {
        entry: EntryId,
        pinned: bool,
    },
    Notice(#[serde(deserialize_with = "notice::stored")] Notice),
    TurnEnded {
        outcome: TurnOutcome,
        steps: u32,
        usage: Usage,
    },
    /// Entry of a later version of Benchdog. Preserved and shown as a notice, but not sent to the model.
    #[serde(skip)]
    Unknown(Value),
}

/// State of a file before a call that may change it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileBefore {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<BlobId>,
}

impl Body {
    pub fn shell(call: CallId, command: String, outcome: Outcome) -> Self {
        Self::Shell {
            call: Some(call),
            command,
            output: outcome.output,
            summary: outcome.summary,
            status: outcome.status,
            findings: outcome.findings.unwrap_or_default(),
        }
    }

    /// Frees unused capacity of texts. A streamed text may reserve twice its length, and entries stay in memory while
    /// the session is open.
    pub fn shrink(&mut self) {
        match self {
            Self::Assistant { text, reasoning, .. } => {
                shrink(text);
                shrink(reasoning);
            }
            Self::User { text, mentions, .. } => {
                shrink(text);
                mentions.iter_mut().for_each(|mention| shrink(&mut mention.text));
            }
            Self::ToolResult { output, .. }
            | Self::CallEnded { output, .. }
            | Self::Shell { output, .. }
            | Self::Validation { output, .. } => shrink(output),
            _ => {}
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let texts = match self {
            Self::User { text, mentions, .. } => {
                text.len() + mentions.iter().map(|mention| mention.text.len()).sum::<usize>()
            }
            Self::Assistant {
                text, reasoning, calls, ..
            } => text.len() + reasoning.len() + calls.iter().map(|call| call.arguments.bytes()).sum::<usize>(),
            Self::ToolResult { output, .. }
            | Self::CallEnded { output, .. }
            | Self::Shell { output, .. }
            | Self::Validation { output, .. } => output.len(),
            _ => 0,
        };
        texts + self.notes().iter().map(|note| note.text.len()).sum::<usize>()
    }

    pub fn skills(&self, tools: &[ToolFacts]) -> Vec<&str> {
        match self {
            Self::User { mentions, .. } => {
                let skills = mentions.iter().filter(|mention| mention.kind == MentionKind::Skill);
                skills.map(|skill| skill.path.as_str()).collect()
            }
            // A call without a title listed all skills. A result without text means that the skill was already loaded.
            Self::ToolResult {
                tool,
                title,
                status: CallStatus::Ok,
                summary,
                ..
            } if !title.is_empty()
                && *summary != Summary::Empty
                && ToolFacts::success_of(tools, tool) == Success::Instructed =>
            {
                vec![title]
            }
            _ => Vec::new(),
        }
    }

    pub fn notes(&self) -> &[Note] {
        match self {
            Self::User { notes, .. } | Self::ToolResult { notes, .. } => notes,
            _ => &[],
        }
    }

    pub fn ends(&self) -> Option<&CallId> {
        match self {
            Self::ToolResult { call, .. }
            | Self::CallEnded { call, .. }
            | Self::Validation { call, .. }
            | Self::Shell { call: Some(call), .. } => Some(call),
            _ => None,
        }
    }

    pub fn summary(&self) -> Option<&Summary> {
        match self {
            Self::ToolResult { summary, .. } | Self::Validation { summary, .. } | Self::Shell { summary, .. } => {
                Some(summary)
            }
            _ => None,
        }
    }
}

/// Copies the text to free unused capacity. Allocators may shrink a large block in place without freeing memory.
fn shrink(text: &mut String) {
    if text.capacity() - text.len() > text.len() / 8 {
        *text = text.as_str().to_owned();
    }
}

/// The end of a turn, with stable names for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnOutcome {
    Done,
    Error,
    Interrupted,
    Limit,
    Denied,
    Loop,
    ValidationFailed,
    Filtered,
}
