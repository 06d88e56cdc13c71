//! How an event reads as a line for people. Control characters are made visible: text of a model or a tool cannot move the cursor.

use crate::domain::permission::DecidedBy;
use crate::domain::tool::CallStatus;

/// Lines of a failed tool's output that are shown.
const SHOWN_LINES: usize = 8;

/// `text` with every control character but newline and tab as its visible symbol.
pub(super) fn visible(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
            '\u{7f}' => '\u{2421}',
            '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            other => other,
        })
        .collect()
}

pub(super) fn tool_started(tool: &str, title: &str) -> String {
    visible(&one_line(&format!("▸ {tool} {title}")))
}

/// One line, and for a failure the first lines of what came out of it.
pub(super) fn tool_finished(tool: &str, status: CallStatus, summary: &str, output: &str) -> Vec<String> {
    let mark = match status {
        CallStatus::Ok => '✓',
        CallStatus::Error => '✗',
        CallStatus::Denied => '⊘',
        CallStatus::Cancelled => '■',
    };
    let mut lines = vec![visible(&one_line(&format!("{mark} {tool} {summary}")))];
    if status == CallStatus::Error {
        lines.extend(indented(output, SHOWN_LINES));
    }
    lines
}

/// The first `most` lines of `text` behind a bar, and how many more there are.
pub(super) fn indented(text: &str, most: usize) -> Vec<String> {
    let text = visible(text);
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
    visible(&one_line(&format!("? {tool} asked by rule {because}")))
}

pub(super) fn refused(tool: &str, by: DecidedBy) -> String {
    visible(&one_line(&format!("⊘ {tool} refused by {}", who(by))))
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
    visible(&one_line(&format!(
        "… attempt {attempt} failed ({reason}); trying again in {seconds}.{tenths} s"
    )))
}

pub(super) fn notice(text: &str) -> String {
    format!("note: {}", visible(text))
}

pub(super) fn unwritable(error: &std::io::Error) -> String {
    format!("error: standard output cannot be written ({error}); the turn is ended.")
}

pub(super) fn error(text: &str, hint: &str) -> Vec<String> {
    let mut lines = vec![format!("error: {}", visible(text))];
    if !hint.is_empty() {
        lines.push(format!("  {}", visible(hint)));
    }
    lines
}

fn one_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_end();
    if lines.next().is_some() {
        format!("{first} …")
    } else {
        first.to_owned()
    }
}
