//! One entry as people see it, whatever they see it in: the conversation, plain lines, a document.
//!
//! All text in it is safe to show: what a model, a tool or a file put there cannot steer a terminal.

use std::borrow::Cow;

use super::merged::merged;
use crate::base::text::clean;
use crate::domain::call::{CHECK, SHELL};
use crate::domain::compaction::Compaction;
use crate::domain::entry::{Body, TurnOutcome};
use crate::domain::finding::listed;
use crate::domain::mention::Mention;
use crate::domain::notice::Notice;
use crate::domain::summary::Summary;
use crate::domain::tool::CallStatus;
use crate::domain::undo::{UNDO, is_for_model, of_line};
use crate::lang::{self, Label, Word, word};

/// How the row of a merge begins, whose output is partly ours.
const MERGE: &str = "merge ";

/// How something stands, as a sign of one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Ok,
    Failed,
    Denied,
    Stopped,
    /// For the person.
    Waiting,
    Running,
    Unknown,
}

impl Mark {
    pub(crate) fn of(status: CallStatus) -> Self {
        match status {
            CallStatus::Ok => Self::Ok,
            CallStatus::Error => Self::Failed,
            CallStatus::Denied => Self::Denied,
            CallStatus::Cancelled => Self::Stopped,
        }
    }

    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Ok => "✓",
            Self::Failed => "✗",
            Self::Denied => "⊘",
            Self::Stopped => "■",
            Self::Waiting => "◆",
            Self::Running => "▸",
            Self::Unknown => "?",
        }
    }
}

/// An entry by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shown<'e> {
    /// Somebody said something.
    Said {
        label: Label,
        text: Cow<'e, str>,
        /// What went along with it: one line for each.
        along: Vec<String>,
    },
    /// An answer of the model with what it called; `cut` says that it is not whole, and why.
    Answered {
        label: Label,
        text: Cow<'e, str>,
        cut: Option<String>,
    },
    /// A call, a check, a command of the person: one row, and what came out of it.
    Ran {
        status: CallStatus,
        name: Cow<'e, str>,
        title: Cow<'e, str>,
        summary: Cow<'e, str>,
        output: Cow<'e, str>,
        /// One finding a line, as `Findings`; empty where nothing was looked for.
        findings: String,
    },
    Remark(String),
    /// What was done to make room for the model, and what it reads in the place of earlier turns.
    Compacted {
        text: String,
        summary: Cow<'e, str>,
    },
    /// How the turn ended, or with what answer. A document and the conversation show it where it did not end well.
    Ended {
        mark: Mark,
        text: &'static str,
    },
    /// What stands elsewhere on the screen and belongs into a document.
    Change {
        path: Cow<'e, str>,
        added: u32,
        removed: u32,
    },
    Approval {
        name: Cow<'e, str>,
        decision: &'static str,
        because: String,
    },
    /// One item a line.
    Todo(String),
    Plan(String),
    /// What was found: one finding a line, with what it says more indented beneath.
    Findings(String),
}

/// The entry as it is shown; `None` for one that only other entries need.
pub(crate) fn shown(body: &Body) -> Option<Shown<'_>> {
    Some(match body {
        // Ours alone: a remark beside it says so.
        Body::User { text, mentions, .. } if text.is_empty() && mentions.is_empty() => return None,
        Body::User { text, mentions, .. } => Shown::Said {
            label: Label::You,
            text: clean(text),
            along: mentions.iter().map(along).collect(),
        },
        Body::Assistant { text, calls, error, .. } => Shown::Answered {
            label: label_of_answer(calls.is_empty()),
            text: clean(text),
            cut: error.as_ref().map(|cut| clean(&lang::cut_short(cut)).into_owned()),
        },
        Body::ToolResult { .. } | Body::Validation { .. } | Body::Shell { .. } => return ran(body),
        Body::Approval {
            tool,
            decision,
            because,
            ..
        } => Shown::Approval {
            name: clean(tool),
            decision: decision.name().word(),
            because: clean(&lang::because(because)).into_owned(),
        },
        Body::Change {
            path, added, removed, ..
        } => Shown::Change {
            path: clean(path),
            added: *added,
            removed: *removed,
        },
        Body::Todo { items } => Shown::Todo(clean(&items.lines()).into_owned()),
        Body::Findings { findings, .. } => Shown::Findings(clean(&listed(findings)).into_owned()),
        Body::Plan(plan) => Shown::Plan(clean(&plan.text).into_owned()),
        Body::Model { model, .. } => Shown::Remark(clean(&lang::model(&model.to_string())).into_owned()),
        Body::Agent { agent, .. } => Shown::Remark(clean(&lang::agent(&agent.0)).into_owned()),
        Body::Sampling(sampling) => Shown::Remark(lang::sampling(*sampling)),
        Body::Compaction(compaction) => Shown::Compacted {
            text: lang::compacted(compaction),
            summary: clean(summary_of(compaction)),
        },
        Body::Retried => Shown::Remark(word(Word::AskedAgain).to_owned()),
        Body::CompactionUndone { .. } => Shown::Remark(word(Word::CompactionUndone).to_owned()),
        Body::Notice(Notice::Unproven) => Shown::Ended {
            mark: Mark::Unknown,
            text: word(Word::NoticeUnproven),
        },
        Body::Notice(notice) => Shown::Remark(clean(&lang::notice(notice).joined()).into_owned()),
        Body::TurnEnded { outcome, .. } => Shown::Ended {
            mark: mark_of_end(*outcome),
            text: lang::ended(*outcome),
        },
        Body::Unknown(_) => Shown::Remark(word(Word::OfALaterVersion).to_owned()),
        // The result says how the call went.
        Body::CallStarted { .. } | Body::CallEnded { .. } | Body::Child(_) => return None,
        // The list of what is carried shows it.
        Body::Pinned { .. } | Body::Terms { .. } => return None,
    })
}

/// What stands in the place of earlier turns; empty where nothing does.
pub(crate) fn summary_of(compaction: &Compaction) -> &str {
    let replaced = compaction.replaced.as_ref();
    replaced
        .and_then(|replaced| replaced.summary.as_deref())
        .unwrap_or_default()
}

/// What the person named, and not the whole text of it.
fn along(mention: &Mention) -> String {
    clean(&lang::mention(mention)).into_owned()
}

/// Text before calls is the plan; text without any is the answer.
pub(crate) fn label_of_answer(last: bool) -> Label {
    if last { Label::Answer } else { Label::Plan }
}

/// What a call is called: the tool's name, but for the check.
pub(crate) fn name_of(tool: &str) -> Cow<'_, str> {
    if tool == CHECK {
        lang::label(Label::Check(1))
    } else {
        clean(tool)
    }
}

/// The first line, with a mark where there is more.
pub(crate) fn one_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_end();
    if lines.next().is_some() {
        format!("{first} …")
    } else {
        first.to_owned()
    }
}

/// A call that is over: how it went, what it is called, what it was about, what stands beside it, and what came of it.
fn over(body: &Body) -> Option<(CallStatus, Cow<'_, str>, &str, &Summary, &str)> {
    Some(match body {
        Body::ToolResult {
            tool,
            title,
            status,
            summary,
            output,
            ..
        } => (*status, name_of(tool), title.as_str(), summary, output),
        Body::Validation {
            command,
            passed,
            summary,
            output,
            round,
            unfinished,
            ..
        } => (
            CallStatus::of_check(*passed, *unfinished),
            lang::label(Label::Check(*round)),
            command.as_str(),
            summary,
            output,
        ),
        Body::Shell {
            command,
            output,
            summary,
            status,
            ..
        } => {
            let (name, title) = match of_line(command) {
                Some(rest) => (UNDO, rest),
                None => (SHELL, command.as_str()),
            };
            (*status, name.into(), title, summary, output)
        }
        _ => return None,
    })
}

fn ran(body: &Body) -> Option<Shown<'_>> {
    let (status, name, title, summary, output) = over(body)?;
    let summary = match body {
        Body::ToolResult { images, .. } => lang::with_images(lang::summary_of_call(summary), images.len()),
        _ => lang::summary(summary),
    };
    Some(Shown::Ran {
        status,
        name,
        title: clean(title),
        summary: clean(&summary).into_owned().into(),
        output: match body {
            Body::Shell { command, status, .. } if is_for_model(command, *status) => "".into(),
            Body::Shell { command, .. } if command.starts_with(MERGE) => clean(&merged(output)).into_owned().into(),
            _ => clean(output),
        },
        findings: match body {
            Body::Shell { findings, .. } => clean(&listed(findings)).into_owned(),
            _ => String::new(),
        },
    })
}

pub(super) fn mark_of_end(outcome: TurnOutcome) -> Mark {
    match outcome {
        TurnOutcome::Done => Mark::Ok,
        TurnOutcome::Error | TurnOutcome::ValidationFailed | TurnOutcome::Filtered => Mark::Failed,
        TurnOutcome::Interrupted | TurnOutcome::Limit | TurnOutcome::Denied | TurnOutcome::Loop => Mark::Stopped,
    }
}
