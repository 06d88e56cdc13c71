//! The one log. A session is an append-only list of these; everything shown or sent is a projection of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::agent::{AgentName, ModelRef, Sampling, Terms};
use super::budget::Usage;
use super::child::ChildEntry;
use super::compaction::Compaction;
use super::failure::Cut;
use super::finding::Finding;
use super::image::Image;
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
use crate::base::clock::Time;
use crate::base::id::{BlobId, CallId, EntryId, TurnId};

mod stored;

pub(crate) use stored::VERSION;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) id: EntryId,
    pub(crate) turn: TurnId,
    pub(crate) time: Time,
    pub(crate) body: Body,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Body {
    /// What the person sent. `mentions` and `notes` are ours, written in before it was first sent.
    User {
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<Mention>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    /// One answer of the model. `error`: why it is not whole; what arrived is kept.
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
    /// A call was allowed and starts now. Without a result after it, what it did is unknown.
    CallStarted {
        call: CallId,
        tool: String,
        title: String,
        /// The files it may change, as they were: what a sudden end left of them can be told.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<FileBefore>,
    },
    /// A call is over, and hooks are asked about it now. Its result is an entry of its own, with what they say; without one after it,
    /// what stands here is the result.
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
        /// What the call was about, in a few words: a path, a pattern, a command.
        title: String,
        status: CallStatus,
        summary: Summary,
        output: String,
        #[serde(default)]
        truncated: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
        /// What of which files it showed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        places: Vec<Place>,
        /// What goes along beside the output.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
        /// Milliseconds it ran.
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
        /// Where lines went and came.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moved: Vec<Moved>,
        /// The changes that it takes back.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        undoes: Vec<EntryId>,
        /// The person dropped hunks of what takes those back: of this file they still stand in part.
        #[serde(rename = "undoes_in_part", default, skip_serializing_if = "std::ops::Not::not")]
        in_part: bool,
        /// The permission bits of a file that went, or whose bits were changed, as they were before. `None`: neither, or not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode_before: Option<u32>,
    },
    Todo {
        items: TodoList,
    },
    /// The project's check after changes. A failure is shown to the model as a user message.
    Validation {
        call: CallId,
        command: String,
        passed: bool,
        summary: Summary,
        output: String,
        round: u32,
        /// Set when the model is to see it.
        feedback: bool,
        /// Set when it did not run to its end: denied or cancelled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unfinished: Option<CallStatus>,
    },
    Model {
        model: ModelRef,
        /// The agent it came with; `None`: the person chose it, or there was no other.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<AgentName>,
        /// The one that answers again after the turn for which this one was lent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until_then: Option<ModelRef>,
    },
    Agent {
        agent: AgentName,
        /// The one that works again after the turn for which this one was lent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until_then: Option<AgentName>,
    },
    /// The plan as it stands from here on.
    Plan(Plan),
    /// What this call found, beside what was found before.
    Findings {
        call: CallId,
        findings: Vec<Finding>,
    },
    Sampling(Sampling),
    /// A child that a call began, and what it took once it has ended.
    Child(ChildEntry),
    /// Requests to this model begin so, until the messages begin anew.
    Terms {
        model: ModelRef,
        terms: Terms,
    },
    /// A `!command` of the person: one user and one assistant message to the model.
    Shell {
        /// Not in the logs of the first versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<CallId>,
        command: String,
        output: String,
        summary: Summary,
        status: CallStatus,
        /// What a look at changed files found.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        findings: Vec<Finding>,
    },
    /// The person wants the last request once more: the turn goes on, without the answer that followed it.
    Retried,
    /// What later requests carry of the log.
    Compaction(Compaction),
    /// The person took the newest compaction back.
    CompactionUndone {
        compaction: EntryId,
    },
    /// Whether compactions leave this entry alone.
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
    /// Written by a later version; kept, shown as a notice, sent to nobody.
    #[serde(skip)]
    Unknown(Value),
}

/// A file before a call that may change it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileBefore {
    pub(crate) path: String,
    /// `None`: there was no such file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<BlobId>,
}

impl Body {
    /// What came of a command that no model wanted.
    pub(crate) fn shell(call: CallId, command: String, outcome: Outcome) -> Self {
        Self::Shell {
            call: Some(call),
            command,
            output: outcome.output,
            summary: outcome.summary,
            status: outcome.status,
            findings: outcome.findings.unwrap_or_default(),
        }
    }

    /// Gives room back that its long texts do not need: one that arrived in pieces holds up to twice its length, and an entry
    /// stays for as long as its session is open.
    pub(crate) fn shrink(&mut self) {
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

    /// About what its texts hold in memory.
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

    /// The skills whose instructions it holds.
    pub(crate) fn skills(&self, tools: &[ToolFacts]) -> Vec<&str> {
        match self {
            Self::User { mentions, .. } => {
                let skills = mentions.iter().filter(|mention| mention.kind == MentionKind::Skill);
                skills.map(|skill| skill.path.as_str()).collect()
            }
            // Without a title all are listed; without text it is said that one was told before.
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

    /// What was told with it.
    pub(crate) fn notes(&self) -> &[Note] {
        match self {
            Self::User { notes, .. } | Self::ToolResult { notes, .. } => notes,
            _ => &[],
        }
    }

    /// The call whose result this is.
    pub(crate) fn ends(&self) -> Option<&CallId> {
        match self {
            Self::ToolResult { call, .. }
            | Self::CallEnded { call, .. }
            | Self::Validation { call, .. }
            | Self::Shell { call: Some(call), .. } => Some(call),
            _ => None,
        }
    }

    /// What stands beside the call whose end this is.
    pub(crate) fn summary(&self) -> Option<&Summary> {
        match self {
            Self::ToolResult { summary, .. } | Self::Validation { summary, .. } | Self::Shell { summary, .. } => {
                Some(summary)
            }
            _ => None,
        }
    }
}

/// A copy, because an allocator that is asked to shrink leaves what is less than twice the length where it is.
fn shrink(text: &mut String) {
    if text.capacity() - text.len() > text.len() / 8 {
        *text = text.as_str().to_owned();
    }
}

/// How a turn ended, as scripts name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TurnOutcome {
    Done,
    Error,
    Interrupted,
    Limit,
    Denied,
    Loop,
    ValidationFailed,
    /// The server held the rest of the answer back.
    Filtered,
}
