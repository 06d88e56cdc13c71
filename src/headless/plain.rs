//! A turn as plain lines that read like the conversation pane: for `demo` without a terminal, pipes and screen readers.

use std::sync::Arc;

use super::words;
use crate::base::text::{clean, reveal};
use crate::diff;
use crate::domain::entry::Body;
use crate::domain::review::{FileChange, Review};
use crate::domain::summary::Summary;
use crate::domain::todo::TodoList;
use crate::domain::tool::{CallStatus, OutputShown, ToolFacts};
use crate::lang::{self, Label};
use crate::protocol::{Answer, ApprovalRequest, Event, Live};
use crate::transcript::label_of_answer;
use crate::transcript::script::{DecisionName, MessageRole, ScriptLine};

/// Unchanged lines shown around a change.
const CONTEXT: usize = 2;
/// Lines of a tool's output that are shown.
const SHOWN_LINES: usize = 6;

/// The plain front end. It remembers only what keeps lines from being said twice.
pub(super) struct Plain {
    prompt: Option<String>,
    todo: TodoList,
    tools: Arc<[ToolFacts]>,
}

impl Plain {
    pub(super) fn new(prompt: &str) -> Self {
        Self {
            prompt: Some(prompt.to_owned()),
            todo: TodoList::default(),
            tools: Arc::default(),
        }
    }

    pub(super) fn on(&mut self, said: &ScriptLine) -> Vec<String> {
        match said {
            ScriptLine::TurnStarted { .. } => self
                .prompt
                .take()
                .map(|prompt| block(Label::You, &prompt))
                .unwrap_or_default(),
            ScriptLine::Message {
                role: MessageRole::Assistant,
                text,
                calls,
            } if !text.is_empty() => block(label_of_answer(calls.is_empty()), text),
            ScriptLine::ToolStarted { tool, title, .. } => vec![words::tool_started(tool, title)],
            ScriptLine::ToolFinished {
                tool,
                status,
                summary,
                output,
                ..
            } => self.finished(tool, *status, summary, output),
            ScriptLine::ApprovalDecided { decision, by, .. } => {
                let said = match decision {
                    DecisionName::Once => lang::allowed(*by),
                    DecisionName::Always => lang::always_allowed(*by),
                    DecisionName::Deny => lang::denied(*by),
                };
                vec![format!("  {said}")]
            }
            ScriptLine::Todo { items } => self.todo(items),
            ScriptLine::Notice { text, .. } => vec![words::notice(text)],
            ScriptLine::Error { text, hint, .. } => words::error(text, hint),
            ScriptLine::TurnFinished { outcome, steps, .. } => vec![lang::ended_after(*outcome, *steps)],
            _ => Vec::new(),
        }
    }

    /// What the script has no line for.
    pub(super) fn beside(&mut self, event: &Event) -> Vec<String> {
        match event {
            Event::Answer(Answer::Opened(opened)) => {
                self.tools = Arc::clone(&opened.tools);
                Vec::new()
            }
            Event::Live(Live::ApprovalRequested(request)) => asked(request),
            Event::Fact(entry) => check(&entry.body),
            Event::Live(_) | Event::Answer(_) => super::printer::retrying(event).into_iter().collect(),
        }
    }

    fn finished(&self, tool: &str, status: CallStatus, summary: &Summary, output: &str) -> Vec<String> {
        let mut lines = words::tool_finished(tool, status, summary, output);
        let facts = ToolFacts::find(&self.tools, tool);
        if status == CallStatus::Ok && facts.is_some_and(|facts| facts.output == OutputShown::AtOnce) {
            lines.extend(words::indented(output, SHOWN_LINES));
        }
        lines
    }

    /// The whole list whenever it really changed.
    fn todo(&mut self, items: &TodoList) -> Vec<String> {
        if *items == self.todo {
            return Vec::new();
        }
        self.todo = items.clone();
        let (done, total) = items.progress();
        let mut lines = vec![lang::todo(done, total)];
        lines.extend(
            items
                .0
                .iter()
                .map(|item| format!("  {} {}", item.status.mark(), clean(&item.text))),
        );
        lines
    }
}

fn block(label: Label, text: &str) -> Vec<String> {
    let mut lines = vec![String::new(), lang::label(label).into_owned()];
    lines.extend(clean(text.trim_end()).lines().map(|line| format!("  {line}")));
    lines.push(String::new());
    lines
}

fn asked(request: &ApprovalRequest) -> Vec<String> {
    let mut lines = vec![words::asked(&request.tool, &lang::because(&request.verdict.because))];
    if let Review::Files(files) = &request.review {
        for file in files {
            lines.extend(change(file));
        }
    }
    lines
}

/// The change as a unified diff, from the very bytes that are held.
fn change(file: &FileChange) -> Vec<String> {
    let text = |bytes: &Option<Arc<[u8]>>| String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
    let (before, after) = (text(&file.before), text(&file.after));
    let (added, removed) = diff::counts(before.as_bytes(), after.as_bytes());
    let mut lines = vec![format!("  {}  +{added} -{removed}", reveal(&file.path))];
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let mut shown = 0;
    let mut hunks = diff::hunks(&before, &after).into_iter().peekable();
    while let Some(hunk) = hunks.next() {
        let from = hunk.before.start.saturating_sub(CONTEXT).max(shown);
        let next = hunks.peek().map_or(old.len(), |next| next.before.start);
        let to = (hunk.before.end + CONTEXT).min(next);
        if from > shown {
            lines.push("  ┄".to_owned());
        }
        lines.extend(row(' ', old.get(from..hunk.before.start)));
        lines.extend(row('-', old.get(hunk.before.clone())));
        lines.extend(row('+', new.get(hunk.after.clone())));
        lines.extend(row(' ', old.get(hunk.before.end..to)));
        shown = to;
    }
    lines
}

fn row<'a>(sign: char, lines: Option<&'a [&'a str]>) -> impl Iterator<Item = String> + 'a {
    lines
        .unwrap_or_default()
        .iter()
        .map(move |line| format!("  {sign} {}", reveal(line)))
}

fn check(body: &Body) -> Vec<String> {
    let Body::Validation {
        command,
        passed,
        summary,
        output,
        unfinished: None,
        ..
    } = body
    else {
        return Vec::new();
    };
    let said = if *passed {
        lang::check_passed
    } else {
        lang::check_failed
    };
    let mut lines = vec![clean(&said(command, &lang::summary(summary))).into_owned()];
    if !passed {
        lines.extend(words::indented(output, SHOWN_LINES));
    }
    lines
}

#[cfg(test)]
mod tests;
