//! Formats a turn as plain lines, similar to the conversation pane. For `demo` without a terminal, pipes and screen
//! readers.

use std::sync::Arc;

use super::words;
use benchdog_base::text::{clean, reveal};
use benchdog_diff as diff;
use benchdog_domain::entry::Body;
use benchdog_domain::permission::DecidedBy;
use benchdog_domain::review::{FileChange, Review};
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::CallStatus;
use benchdog_lang::{self as lang, Label};
use benchdog_protocol::ApprovalRequest;
use benchdog_transcript::script::DecisionName;

const CONTEXT: usize = 2;
pub(super) const SHOWN_LINES: usize = 6;

pub(super) struct Plain {
    prompt: Option<String>,
    todo: TodoList,
}

impl Plain {
    pub(super) fn new(prompt: &str) -> Self {
        Self {
            prompt: Some(prompt.to_owned()),
            todo: TodoList::default(),
        }
    }

    pub(super) fn prompt(&mut self) -> Vec<String> {
        self.prompt
            .take()
            .map(|prompt| block(Label::You, &prompt))
            .unwrap_or_default()
    }

    pub(super) fn todo(&mut self, items: &TodoList) -> Vec<String> {
        if *items == self.todo {
            return Vec::new();
        }
        self.todo = items.clone();
        list(items)
    }
}

pub fn list(items: &TodoList) -> Vec<String> {
    let (done, total) = items.progress();
    let items = items.0.iter();
    let lines = items.map(|item| format!("  {} {}", item.status.mark(), clean(&item.text)));
    std::iter::once(lang::todo(done, total)).chain(lines).collect()
}

pub(super) fn block(label: Label, text: &str) -> Vec<String> {
    let mut lines = vec![String::new(), lang::label(label).into_owned()];
    lines.extend(clean(text.trim_end()).lines().map(|line| format!("  {line}")));
    lines.push(String::new());
    lines
}

pub(super) fn decided(decision: DecisionName, by: DecidedBy, because: Option<&str>) -> String {
    let said = match decision {
        DecisionName::Once => lang::allowed(by),
        DecisionName::Confined => lang::allowed_in_sandbox(by),
        DecisionName::Always => lang::always_allowed(by),
        DecisionName::Deny => lang::denied(by, because),
    };
    format!("  {}", clean(&said))
}

pub(super) fn asked(request: &ApprovalRequest) -> Vec<String> {
    let mut lines = vec![words::asked(&request.tool, &lang::because(&request.verdict.because))];
    if let Review::Files(files) = &request.review {
        for file in files {
            lines.extend(change(file));
        }
    }
    lines
}

/// Formats a unified diff of the exact bytes that will be written.
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

/// Formats the result of a check. Empty for a stopped or denied check, because the line of the call already reports
/// that.
pub(super) fn check(body: &Body) -> Vec<String> {
    let Body::Validation {
        command,
        passed,
        summary,
        output,
        unfinished,
        ..
    } = body
    else {
        return Vec::new();
    };
    let line = |said: String| clean(&said).into_owned();
    match CallStatus::of_check(*passed, *unfinished) {
        CallStatus::Ok => vec![line(lang::message::plain_passed(command, &lang::summary(summary)))],
        CallStatus::Error => {
            let mut lines = vec![line(lang::message::plain_failed(command, &lang::summary(summary)))];
            lines.extend(words::indented(output, SHOWN_LINES));
            lines
        }
        CallStatus::Denied | CallStatus::Cancelled => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
