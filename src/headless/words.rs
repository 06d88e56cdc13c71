//! How an event reads as a line for people. Text of a model or a tool is cleaned: it cannot move the cursor.

use crate::base::text::clean;
use crate::domain::permission::DecidedBy;
use crate::domain::tool::CallStatus;
use crate::transcript::{Mark, name_of, one_line};

/// Lines of a failed tool's output that are shown.
const SHOWN_LINES: usize = 8;

/// One line about a call.
fn row(mark: Mark, tool: &str, text: &str) -> String {
    let text = format!("{} {} {text}", mark.sign(), name_of(tool));
    one_line(&clean(&text))
}

pub(super) fn tool_started(tool: &str, title: &str) -> String {
    row(Mark::Running, tool, title)
}

/// One line, and for a failure the first lines of what came out of it.
pub(super) fn tool_finished(tool: &str, status: CallStatus, summary: &str, output: &str) -> Vec<String> {
    let mut lines = vec![row(Mark::of(status), tool, summary)];
    if status == CallStatus::Error {
        lines.extend(indented(output, SHOWN_LINES));
    }
    lines
}

/// The first `most` lines of `text` behind a bar, and how many more there are.
pub(super) fn indented(text: &str, most: usize) -> Vec<String> {
    let text = clean(text);
    let all = text.trim_end().lines().count();
    let mut lines: Vec<String> = text
        .lines()
        .take(most.min(all))
        .map(|line| format!("  ┊ {line}"))
        .collect();
    if all > most {
        let word = if all - most == 1 { "line" } else { "lines" };
        lines.push(format!("  ┊ … {} {word} more", all - most));
    }
    lines
}

pub(super) fn asked(tool: &str, because: &str) -> String {
    row(Mark::Waiting, tool, &format!("asked by rule {because}"))
}

pub(super) fn refused(tool: &str, by: DecidedBy) -> String {
    row(Mark::Denied, tool, &format!("refused by {}", who(by)))
}

pub(super) fn who(by: DecidedBy) -> &'static str {
    match by {
        DecidedBy::User => "the person",
        DecidedBy::Policy => "the policy",
        DecidedBy::Timeout => "nobody: it was not answered in time",
    }
}

pub(super) fn retrying(attempt: u32, wait_ms: u64, reason: &str) -> String {
    let seconds = wait_ms / 1000;
    let tenths = wait_ms % 1000 / 100;
    one_line(&clean(&format!(
        "… attempt {attempt} failed ({reason}); trying again in {seconds}.{tenths} s"
    )))
}

pub(super) fn notice(text: &str) -> String {
    format!("note: {}", clean(text))
}

pub(super) fn unwritable(error: &std::io::Error) -> String {
    format!("error: standard output cannot be written ({error}); the turn is ended.")
}

pub(super) fn error(text: &str, hint: &str) -> Vec<String> {
    let mut lines = vec![format!("error: {}", clean(text))];
    if !hint.is_empty() {
        lines.push(format!("  {}", clean(hint)));
    }
    lines
}
