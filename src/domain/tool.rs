//! What a tool call can be and how it can end.

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

/// What running a call would do to the world. Orders nothing by itself: the policy does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EffectClass {
    /// Looks only; such calls of one reply may run side by side.
    Reads,
    /// Changes files of the workspace.
    Writes,
    /// Starts a program.
    Executes,
    /// Leaves the machine.
    Network,
    /// Waits for the person.
    Asks,
    /// Changes engine state only (the todo list).
    Notes,
    /// Has another agent do it, whose own calls are judged as any others. Such calls of one reply run side by side.
    Delegates,
}

/// What everybody outside a tool's own file may know of it. Made from its row and handed on as data, so that policy,
/// screens and counts never compare a tool's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolFacts {
    pub(crate) name: Cow<'static, str>,
    pub(crate) effect: EffectClass,
    /// The permission key that covers it beside its own name, as `edit` covers every tool that changes files.
    pub(crate) group: Option<Cow<'static, str>>,
    /// Patterns and what happens to them where no layer of rules says anything. Without one the person is asked.
    pub(crate) defaults: Vec<(Cow<'static, str>, Action)>,
    pub(crate) output: OutputShown,
    pub(crate) title: TitleKind,
    pub(crate) success: Success,
    /// Its arguments that say what is to be put somewhere. The others say where: a call that fails there fails with any content.
    pub(crate) contents: &'static [&'static str],
    /// What a configuration may say of it.
    pub(crate) settable: Settable,
}

/// Whether the transcript shows what a good result says before a person opens it. What went wrong always shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputShown {
    /// The one row of the call says enough.
    WhenOpened,
    /// What came out is why a person looks.
    AtOnce,
}

/// What the few words of a call's title are, and so where they may be shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TitleKind {
    /// A path tells most by its end.
    Path,
    /// A pattern, a command, a sentence tells most by its beginning.
    Words,
}

/// What a good result means beside its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Success {
    /// The model knows more; nothing else changed.
    Informed,
    /// The file that the title names was read.
    FileRead,
    /// Instructions were loaded: they hold as long as they are in use, and are not pruned.
    Instructed,
    /// The todo list stands as the model wants it.
    ListKept,
    /// The work is over: what was handed over is the answer.
    Answered,
    /// Something was written or executed.
    Acted,
}

impl ToolFacts {
    /// The plainest facts of a tool with this effect; its row names what differs.
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

    /// The facts of the tool with this name. A log may name tools that are not there any more.
    pub(crate) fn find<'f>(tools: &'f [Self], name: &str) -> Option<&'f Self> {
        tools.iter().find(|tool| tool.name == name)
    }

    /// What a good result of the tool with this name means; of one that is not there, nothing more.
    pub(crate) fn success_of(tools: &[Self], name: &str) -> Success {
        Self::find(tools, name).map_or(Success::Informed, |tool| tool.success)
    }

    /// The part of it that concerns the policy.
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

/// The end of what the model reads of every call that was refused, by a person or a rule. A recording tells by it that
/// the person went another way than the one it was made with.
pub(crate) const REFUSED: &str = "Nothing was done. Do not repeat it unchanged.";

/// How a call ended, as scripts and the transcript name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallStatus {
    Ok,
    Error,
    Denied,
    Cancelled,
}

impl CallStatus {
    /// How a check ended, from the two fields of its entry.
    pub(crate) fn of_check(passed: bool, unfinished: Option<Self>) -> Self {
        unfinished.unwrap_or(if passed { Self::Ok } else { Self::Error })
    }
}

/// What a finished tool hands back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) status: CallStatus,
    /// What the transcript says beside the call.
    pub(crate) summary: Summary,
    /// What the model reads.
    pub(crate) output: String,
    /// Whether `output` was cut; it then says how to get more.
    pub(crate) truncated: bool,
    /// A stable code for an error (`outside_workspace`, `not_found`, `timeout` …).
    pub(crate) code: Option<String>,
    /// Files this call changed, with their bytes before and after.
    pub(crate) changes: Vec<AppliedChange>,
    /// The list as it stands after a `todowrite`.
    pub(crate) todo: Option<TodoList>,
    /// The plan that was handed over, and who carries it out.
    pub(crate) planned: Option<Planned>,
    /// What of which files it showed.
    pub(crate) places: Vec<Place>,
    /// The answer that ends the turn.
    pub(crate) answer: Option<String>,
    /// What was found in files that were looked at.
    pub(crate) findings: Option<Vec<Finding>>,
    /// Ours, for the model beside the output.
    pub(crate) notes: Vec<Note>,
    /// The image that a call found where it was to read text; for whoever can show it.
    pub(crate) image: Option<Picture>,
    /// Images that are part of what the model gets.
    pub(crate) images: Vec<Picture>,
}

/// One file as it was and as it now is. Bytes become blobs when the entry is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AppliedChange {
    pub(crate) path: String,
    /// `None`: the file did not exist before.
    pub(crate) before: Option<std::sync::Arc<[u8]>>,
    /// `None`: the file does not exist any more.
    pub(crate) after: Option<std::sync::Arc<[u8]>>,
    pub(crate) added: u32,
    pub(crate) removed: u32,
    /// The person dropped hunks of what was proposed for it.
    pub(crate) in_part: bool,
    /// The permission bits of a file that went, or whose bits were changed, as they were before. `None`: neither, or not known.
    pub(crate) mode_before: Option<u32>,
}

/// Live output of a running call: what is new of it, and how its last line stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputChunk {
    pub(crate) call: CallId,
    /// Whole lines, each with its line end; only the last of all may lack it.
    pub(crate) text: String,
    /// The line behind them that has not ended, as it stands now, in place of what the last piece said of it.
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

    /// Refused by a person or a rule.
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
