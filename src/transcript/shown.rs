//! Log entries as shown to people: in the conversation, in plain lines and in documents.
//!
//! All text is safe to print. Control characters of models, tools and files are removed.

use std::borrow::Cow;

use super::merged::merged;
use crate::script::DecisionName;
use benchdog_base::text::clean;
use benchdog_domain::call::{CHECK, SHELL};
use benchdog_domain::compaction::Compaction;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::finding::listed;
use benchdog_domain::mention::Mention;
use benchdog_domain::notice::Notice;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_domain::undo::{UNDO, is_for_model, of_line};
use benchdog_lang::{self as lang, Label, Word, word};

/// The prefix of the title of a merge command. Its output contains lines of Benchdog, which are translated.
const MERGE: &str = "merge ";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Ok,
    Failed,
    Denied,
    Stopped,
    Waiting,
    Running,
    Unknown,
}

impl Mark {
    pub fn of(status: CallStatus) -> Self {
        match status {
            CallStatus::Ok => Self::Ok,
            CallStatus::Error => Self::Failed,
            CallStatus::Denied => Self::Denied,
            CallStatus::Cancelled => Self::Stopped,
        }
    }

    pub fn sign(self) -> &'static str {
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown<'e> {
    Said {
        label: Label,
        text: Cow<'e, str>,
        along: Vec<String>,
    },
    /// An answer of the model. If the answer is incomplete, `cut` explains why.
    Answered {
        label: Label,
        text: Cow<'e, str>,
        cut: Option<String>,
    },
    /// A call of the model, a check, or a command of the person, with its output.
    Ran {
        status: CallStatus,
        name: Cow<'e, str>,
        title: Cow<'e, str>,
        summary: Cow<'e, str>,
        output: Cow<'e, str>,
        /// One finding per line, like `Findings`. Empty if the call was no review.
        findings: String,
    },
    Remark(String),
    /// A compaction, with the text that replaces earlier turns.
    Compacted {
        text: String,
        summary: Cow<'e, str>,
    },
    /// The end of a turn, or a note that an answer has no evidence. A successful end of a turn is not shown.
    Ended {
        mark: Mark,
        text: &'static str,
    },
    /// A change of files. Only documents contain it, because the screen shows changes in another pane.
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
    Todo(String),
    Plan(String),
    /// Findings, one per line. The details of each finding are indented below it.
    Findings(String),
}

/// Returns the form in which people see a log entry. `None` for an entry that shows nothing.
pub fn shown(body: &Body) -> Option<Shown<'_>> {
    Some(match body {
        // An empty prompt is from Benchdog. A notice explains it.
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
            decision: DecisionName::from(decision).word(),
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
        Body::Model { model, .. } => Shown::Remark(clean(&lang::message::shown_model(&model.short())).into_owned()),
        Body::Agent { agent, .. } => Shown::Remark(clean(&lang::message::shown_agent(&agent.0)).into_owned()),
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
        // The entry with the result also shows the call.
        Body::CallStarted { .. } | Body::CallEnded { .. } | Body::Child(_) => return None,
        // The context pane shows these entries.
        Body::Pinned { .. } | Body::Terms { .. } | Body::Spent(_) => return None,
    })
}

pub fn summary_of(compaction: &Compaction) -> &str {
    let replaced = compaction.replaced.as_ref();
    replaced
        .and_then(|replaced| replaced.summary.as_deref())
        .unwrap_or_default()
}

fn along(mention: &Mention) -> String {
    clean(&lang::mention(mention)).into_owned()
}

/// Text before calls is labelled as the plan, text without calls as the answer.
pub fn label_of_answer(last: bool) -> Label {
    if last { Label::Answer } else { Label::Plan }
}

pub fn name_of(tool: &str) -> Cow<'_, str> {
    if tool == CHECK {
        lang::label(Label::Check(1))
    } else {
        clean(tool)
    }
}

pub fn one_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_end();
    if lines.next().is_some() {
        format!("{first} …")
    } else {
        first.to_owned()
    }
}

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
