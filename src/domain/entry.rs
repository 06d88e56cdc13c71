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
use super::tool::{CallStatus, Success, ToolFacts};
use crate::base::clock::Time;
use crate::base::id::{BlobId, CallId, EntryId, TurnId};

/// The newest version an entry can have. A reader keeps entries of later versions as they are.
pub(crate) const VERSION: u32 = 7;

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

impl Entry {
    /// An entry as it is stored. Those with long texts are most of a log: these are made of the bytes at once, without a value of
    /// JSON in between.
    pub(crate) fn of_json(bytes: &[u8]) -> serde_json::Result<Self> {
        let long = ["user", "assistant", "call_ended", "tool_result", "shell", "validation"];
        if let Some(head) = Head::of_json(bytes)
            && head.v <= VERSION
            && long.contains(&&*head.kind)
            && let Ok(body) = serde_json::from_slice(bytes)
        {
            return Ok(Self {
                id: head.id,
                turn: head.turn,
                time: head.time,
                body,
            });
        }
        serde_json::from_slice(bytes)
    }
}

/// What stands before the body of a stored entry.
#[derive(Deserialize)]
struct Head {
    v: u32,
    id: EntryId,
    turn: TurnId,
    time: Time,
    kind: String,
}

/// Within so many bytes a head ends.
const HEAD_BYTES: usize = 256;

impl Head {
    /// Where the bytes up to its last field are an object when a brace closes them, the long texts behind it are not looked at.
    fn of_json(bytes: &[u8]) -> Option<Self> {
        let mut near = bytes.get(..bytes.len().min(HEAD_BYTES))?.to_vec();
        let kind: &[u8] = b"\"kind\":\"";
        let value = near.windows(kind.len()).position(|part| part == kind)? + kind.len();
        let length = near.get(value..)?.iter().position(|byte| *byte == b'"')?;
        near.truncate(value + length + 1);
        near.push(b'}');
        serde_json::from_slice(&near)
            .or_else(|_| serde_json::from_slice(bytes))
            .ok()
    }
}

impl Body {
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

    /// What stands beside the call whose end this is.
    pub(crate) fn summary(&self) -> Option<&Summary> {
        match self {
            Self::ToolResult { summary, .. } | Self::Validation { summary, .. } | Self::Shell { summary, .. } => {
                Some(summary)
            }
            _ => None,
        }
    }

    /// The version that wrote it, where it is later than ours.
    pub(crate) fn later_version(&self) -> Option<u64> {
        let Self::Unknown(value) = self else { return None };
        value
            .get("v")
            .and_then(Value::as_u64)
            .filter(|v| *v > u64::from(VERSION))
    }

    /// The first version whose readers understand it: what later requests carry was all of the log before.
    fn version(&self) -> u32 {
        match self {
            Self::CallEnded { .. } => 7,
            // Of a resource of a server they know nothing.
            Self::User { mentions, .. } if mentions.iter().any(|one| one.kind == MentionKind::Resource) => 6,
            Self::ToolResult { images, .. } if !images.is_empty() => 6,
            Self::ToolResult {
                summary: Summary::Unseen { .. },
                ..
            } => 6,
            Self::Child(_) => 5,
            Self::Findings { .. }
            // The model was told more behind it.
            | Self::Assistant {
                error: Some(Cut::Unproven),
                ..
            }
            | Self::ToolResult {
                summary: Summary::Findings { .. },
                ..
            }
            | Self::Shell {
                summary: Summary::Findings { .. },
                ..
            } => 5,
            // The model was told more than its output.
            Self::Shell { findings, .. } if !findings.is_empty() => 5,
            Self::Plan(_) => 4,
            Self::Approval {
                because: Because::ReadOnlyAgent { .. },
                ..
            } => 4,
            other if other.notes().iter().any(|note| note.of_agent().is_some()) => 4,
            Self::Retried | Self::Sampling(_) | Self::Terms { .. } => 3,
            Self::Compaction(_) | Self::CompactionUndone { .. } | Self::Pinned { .. } => 2,
            // Of a note that lasts they know only the text.
            other if other.notes().iter().any(Note::lasts) => 2,
            _ => 1,
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

impl Serialize for Entry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error;
        let body = match &self.body {
            Body::Unknown(value) => value.clone(),
            known => serde_json::to_value(known).map_err(S::Error::custom)?,
        };
        let mut map = serde_json::Map::new();
        map.insert("v".to_owned(), self.body.version().into());
        map.insert("id".to_owned(), self.id.0.into());
        map.insert("turn".to_owned(), self.turn.0.into());
        map.insert("time".to_owned(), self.time.0.into());
        if let Value::Object(fields) = body {
            // An unknown entry brings its own `v`, which must survive.
            map.extend(fields);
        }
        map.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let mut map = serde_json::Map::deserialize(deserializer)?;
        let number = |map: &serde_json::Map<String, Value>, key: &str| map.get(key).and_then(Value::as_i64);
        let id = number(&map, "id")
            .and_then(|n| u64::try_from(n).ok())
            .ok_or_else(|| D::Error::missing_field("id"))?;
        let turn = number(&map, "turn").and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let time = number(&map, "time").unwrap_or(0);
        for key in ["id", "turn", "time"] {
            map.shift_remove(key);
        }
        let later = map
            .get("v")
            .and_then(Value::as_u64)
            .is_some_and(|v| v > u64::from(VERSION));
        let whole = Value::Object(map);
        let body = match Body::deserialize(&whole) {
            Ok(body) if !later => body,
            _ => Body::Unknown(whole),
        };
        Ok(Self {
            id: EntryId(id),
            turn: TurnId(turn),
            time: Time(time),
            body,
        })
    }
}
