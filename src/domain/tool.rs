//! Facts about tools, and the outcomes of calls.

use std::borrow::Cow;

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
use crate::base::id::CallId;

/// The kind of effect of a call. The policy uses it. It orders nothing by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EffectClass {
    /// Reads only. Such calls of one reply may run in parallel.
    Reads,
    Writes,
    Executes,
    Network,
    Asks,
    Notes,
    /// Delegates to a subagent, whose calls are checked like any others. Such calls of one reply run in parallel.
    Delegates,
}

/// Facts about a tool for other modules, so that they never compare tool names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolFacts {
    pub(crate) name: Cow<'static, str>,
    pub(crate) effect: EffectClass,
    /// The permission key that also covers the tool. `edit` covers all tools that change files.
    pub(crate) group: Option<Cow<'static, str>>,
    /// Default rules. Without any, the person is asked.
    pub(crate) defaults: Vec<(Cow<'static, str>, Action)>,
    pub(crate) output: OutputShown,
    pub(crate) title: TitleKind,
    pub(crate) success: Success,
    /// Arguments that hold content. A failure at a place is independent of the content, so these are ignored in comparisons.
    pub(crate) contents: &'static [&'static str],
    pub(crate) settable: Settable,
}

/// Whether the transcript shows a successful result before it is expanded. Errors are always shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputShown {
    WhenOpened,
    AtOnce,
}

/// The kind of a call's title, which decides how it is truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TitleKind {
    /// Truncated at the beginning.
    Path,
    /// Truncated at the end.
    Words,
}

/// The effect of a successful call besides its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Success {
    Informed,
    /// The file in the title was read.
    FileRead,
    /// Instructions were loaded. They are not pruned while in use.
    Instructed,
    ListKept,
    /// The turn ends with this answer.
    Answered,
    /// Something was written or executed.
    Acted,
}

impl ToolFacts {
    /// Returns the default facts of a tool with this effect. The tool's row overrides them.
    pub(crate) fn of(name: impl Into<Cow<'static, str>>, effect: EffectClass) -> Self {
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

    /// Returns the tool with this name. A log may name tools that no longer exist.
    pub(crate) fn find<'f>(tools: &'f [Self], name: &str) -> Option<&'f Self> {
        tools.iter().find(|tool| tool.name == name)
    }

    /// Returns the effect of a successful call. `Informed` if the tool no longer exists.
    pub(crate) fn success_of(tools: &[Self], name: &str) -> Success {
        Self::find(tools, name).map_or(Success::Informed, |tool| tool.success)
    }

    pub(crate) fn rules(&self) -> ToolRules {
        ToolRules {
            name: self.name.clone(),
            group: self.group.clone(),
            aliases: &[],
            defaults: self.defaults.clone(),
            settable: self.settable,
        }
    }
}

/// The end of the result of every denied call. Replays detect it to notice that the person decided differently from the recording.
pub(crate) const REFUSED: &str = "Nothing was done. Do not repeat it unchanged.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallStatus {
    Ok,
    Error,
    Denied,
    Cancelled,
}

impl CallStatus {
    /// Derives the status of a check from the fields of its entry.
    pub(crate) fn of_check(passed: bool, unfinished: Option<Self>) -> Self {
        unfinished.unwrap_or(if passed { Self::Ok } else { Self::Error })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) status: CallStatus,
    pub(crate) summary: Summary,
    pub(crate) output: String,
    /// Whether `output` is truncated. It then explains how to read more.
    pub(crate) truncated: bool,
    /// A stable error code (`outside_workspace`, `not_found`, `timeout` …).
    pub(crate) code: Option<String>,
    /// Changed files, with their content before and after.
    pub(crate) changes: Vec<AppliedChange>,
    pub(crate) todo: Option<TodoList>,
    /// The submitted plan and the agent that carries it out.
    pub(crate) planned: Option<Planned>,
    /// The lines of files that the call showed.
    pub(crate) places: Vec<Place>,
    pub(crate) answer: Option<String>,
    pub(crate) findings: Option<Vec<Finding>>,
    pub(crate) notes: Vec<Note>,
    /// An image that was found instead of text.
    pub(crate) image: Option<Picture>,
    pub(crate) images: Vec<Picture>,
}

/// A file before and after a change. The bytes become blobs when the entry is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AppliedChange {
    pub(crate) path: String,
    /// `None` if the file did not exist before.
    pub(crate) before: Option<std::sync::Arc<[u8]>>,
    /// `None` if the file no longer exists.
    pub(crate) after: Option<std::sync::Arc<[u8]>>,
    pub(crate) added: u32,
    pub(crate) removed: u32,
    /// The person discarded hunks of the proposal.
    pub(crate) in_part: bool,
    /// Permission bits before the change, if the file was removed or its mode changed. `None` otherwise, or if unknown.
    pub(crate) mode_before: Option<u32>,
}

/// New output of a running call, and its incomplete last line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputChunk {
    pub(crate) call: CallId,
    /// Complete lines with line endings. Only the very last may lack one.
    pub(crate) text: String,
    /// The incomplete last line, which replaces that of the previous chunk.
    pub(crate) unfinished: String,
}

impl Outcome {
    pub(crate) fn ok(summary: Summary, output: impl Into<String>) -> Self {
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

    pub(crate) fn denied(output: impl Into<String>) -> Self {
        Self {
            status: CallStatus::Denied,
            code: Some("denied".to_owned()),
            ..Self::ok(Summary::Denied, output)
        }
    }

    pub(crate) fn error(code: &str, output: impl Into<String>) -> Self {
        Self {
            status: CallStatus::Error,
            code: Some(code.to_owned()),
            ..Self::ok(Summary::Failed { code: code.to_owned() }, output)
        }
    }
}
