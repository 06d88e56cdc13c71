//! Facts about tools, and results of calls.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::adjustment::Settable;
use super::finding::Finding;
use super::image::Picture;
use super::note::Note;
use super::permission::{Action, ToolRules};
use super::places::Place;
use super::plan::Planned;
use super::summary::Summary;
use super::todo::TodoList;
use benchdog_base::id::CallId;

/// Kind of effect of a call. The permission policy depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// Reads only. Such calls of one reply may run in parallel.
    Reads,
    Writes,
    Executes,
    Network,
    Asks,
    Notes,
    /// Delegates to a subagent, whose calls are checked as usual. Delegations of one reply run in parallel.
    Delegates,
}

/// Facts about a tool. Other modules use them instead of comparing tool names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFacts {
    pub name: Cow<'static, str>,
    pub effect: EffectClass,
    /// Permission key of the tool's group. `edit` is the key of all tools that change files.
    pub group: Option<Cow<'static, str>>,
    pub defaults: Vec<(Cow<'static, str>, Action)>,
    pub output: OutputShown,
    pub title: TitleKind,
    pub success: Success,
    /// Arguments with content, such as a file's new text. Detection of repeated failures ignores them, because a
    /// failure does not depend on the content.
    pub contents: &'static [&'static str],
    pub settable: Settable,
}

/// Whether the transcript shows the output of a successful call without expanding it. Errors are always shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputShown {
    WhenOpened,
    AtOnce,
}

/// Kind of a call's title, which determines how a long title is truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TitleKind {
    Path,
    Words,
}

/// Effect of a successful call, besides its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Success {
    Informed,
    FileRead,
    /// The call loaded instructions, which are not truncated while in use.
    Instructed,
    ListKept,
    Answered,
    Acted,
}

impl ToolFacts {
    pub fn of(name: impl Into<Cow<'static, str>>, effect: EffectClass) -> Self {
        Self {
            name: name.into(),
            effect,
            group: None,
            defaults: Vec::new(),
            output: OutputShown::WhenOpened,
            title: TitleKind::Words,
            contents: &[],
            settable: Settable::default(),
            success: match effect {
                EffectClass::Writes | EffectClass::Executes => Success::Acted,
                EffectClass::Reads
                | EffectClass::Network
                | EffectClass::Asks
                | EffectClass::Notes
                | EffectClass::Delegates => Success::Informed,
            },
        }
    }

    /// Returns the tool with this name. `None` for a logged tool that no longer exists.
    pub fn find<'f>(tools: &'f [Self], name: &str) -> Option<&'f Self> {
        tools.iter().find(|tool| tool.name == name)
    }

    /// Returns the effect of a successful call. `Informed` for a tool that no longer exists.
    pub fn success_of(tools: &[Self], name: &str) -> Success {
        Self::find(tools, name).map_or(Success::Informed, |tool| tool.success)
    }

    pub fn rules(&self) -> ToolRules {
        ToolRules {
            name: self.name.clone(),
            group: self.group.clone(),
            aliases: &[],
            defaults: self.defaults.clone(),
            settable: self.settable,
        }
    }
}

/// End of the result of each denied call. A replay finds decisions that differ from the recording by this text.
pub const REFUSED: &str = "Nothing was done. Do not repeat it unchanged.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    Ok,
    Error,
    Denied,
    Cancelled,
}

impl CallStatus {
    pub fn of_check(passed: bool, unfinished: Option<Self>) -> Self {
        unfinished.unwrap_or(if passed { Self::Ok } else { Self::Error })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub status: CallStatus,
    pub summary: Summary,
    pub output: String,
    /// Whether `output` is truncated. If so, it ends with a note about how to read the rest.
    pub truncated: bool,
    /// Stable error code, such as `outside_workspace`, `not_found` or `timeout`.
    pub code: Option<String>,
    pub changes: Vec<AppliedChange>,
    pub todo: Option<TodoList>,
    pub planned: Option<Planned>,
    pub places: Vec<Place>,
    pub answer: Option<String>,
    pub findings: Option<Vec<Finding>>,
    pub notes: Vec<Note>,
    pub image: Option<Picture>,
    pub images: Vec<Picture>,
}

/// A file before and after a change. The bytes become blobs when the entry is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedChange {
    pub path: String,
    pub before: Option<std::sync::Arc<[u8]>>,
    pub after: Option<std::sync::Arc<[u8]>>,
    pub added: u32,
    pub removed: u32,
    pub in_part: bool,
    /// Permission bits before the change. Set only if they are known, and the file was removed or its mode changed.
    pub mode_before: Option<u32>,
}

/// New output of a running call, with its incomplete last line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputChunk {
    pub call: CallId,
    /// Complete lines with line endings. Only the last line may lack its ending.
    pub text: String,
    /// The incomplete last line. Replaces the incomplete line of the previous chunk.
    pub unfinished: String,
}

impl Outcome {
    pub fn ok(summary: Summary, output: impl Into<String>) -> Self {
        Self {
            status: CallStatus::Ok,
            summary,
            output: output.into(),
            truncated: false,
            code: None,
            changes: Vec::new(),
            todo: None,
            planned: None,
            places: Vec::new(),
            answer: None,
            findings: None,
            notes: Vec::new(),
            image: None,
            images: Vec::new(),
        }
    }

    pub fn denied(output: impl Into<String>) -> Self {
        Self {
            status: CallStatus::Denied,
            code: Some("denied".to_owned()),
            ..Self::ok(Summary::Denied, output)
        }
    }

    pub fn error(code: &str, output: impl Into<String>) -> Self {
        Self {
            status: CallStatus::Error,
            code: Some(code.to_owned()),
            ..Self::ok(Summary::Failed { code: code.to_owned() }, output)
        }
    }
}
