//! Formats events as lines for people. Control characters are removed from text of models and tools.

use super::input::{Bad, LONGEST};
use benchdog_base::text::{clean, reveal};
use benchdog_domain::permission::DecidedBy;
use benchdog_domain::server_error::ServerError;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_lang::{self as lang, Word, message, word};
use benchdog_transcript::{Mark, name_of, one_line};

const SHOWN_LINES: usize = 8;

/// Formats a line about a call. Invisible characters are made visible, because a person may decide by this line.
fn row(mark: Mark, tool: &str, text: &str) -> String {
    let text = format!("{} {} {text}", mark.sign(), name_of(tool));
    one_line(&reveal(&text))
}

pub(super) fn tool_started(tool: &str, title: &str) -> String {
    row(Mark::Running, tool, title)
}

pub(super) fn tool_finished(tool: &str, status: CallStatus, summary: &Summary, output: &str) -> Vec<String> {
    let mut lines = vec![row(Mark::of(status), tool, &lang::summary(summary))];
    if status == CallStatus::Error {
        lines.extend(indented(output, SHOWN_LINES));
    }
    lines
}

pub fn indented(text: &str, most: usize) -> Vec<String> {
    let text = clean(text);
    let all = text.trim_end().lines().count();
    let mut lines: Vec<String> = text.lines().take(most.min(all)).map(behind_bar).collect();
    if all > most {
        lines.push(behind_bar(&lang::message::count_more_lines(all - most)));
    }
    lines
}

pub fn indented_end(text: &str, most: usize) -> Vec<String> {
    let text = clean(text);
    let all: Vec<&str> = text.trim_end().lines().collect();
    let (before, last) = all.split_at(all.len().saturating_sub(most));
    let before = (!before.is_empty()).then(|| behind_bar(&format!("… {}", lang::message::count_lines(before.len()))));
    before
        .into_iter()
        .chain(last.iter().map(|line| behind_bar(line)))
        .collect()
}

pub fn behind_bar(line: &str) -> String {
    format!("  ┊ {line}")
}

/// Returns an error message for an input line that has no effect, and advice.
pub(super) fn bad_line(line: u64, bad: &Bad) -> (String, String) {
    let line = &line.to_string();
    let (text, hint) = match bad {
        Bad::TooLong => (
            message::input_too_long(line, &(LONGEST / (1024 * 1024)).to_string()),
            Word::InputSchema,
        ),
        Bad::Invalid(why) => (message::input_invalid(line, why), Word::InputSchema),
        Bad::NoText => (message::input_no_text(line), Word::InputSchema),
        Bad::Full => (message::input_full(line), Word::InputWait),
        Bad::NotAsked => (message::input_not_asked(line), Word::InputAsk),
        Bad::NoRequest(name) => (message::input_no_request(line, name), Word::InputNewest),
        Bad::NotOffered(name) => (message::input_not_offered(line, name), Word::InputProposal),
        Bad::NotAnswered(name) => (message::input_not_answered(line, name), Word::InputProposal),
    };
    (text, word(hint).to_owned())
}

pub(super) fn asked(tool: &str, because: &str) -> String {
    row(Mark::Waiting, tool, &lang::message::approval_asked(because))
}

pub(super) fn denied(tool: &str, by: DecidedBy, because: Option<&str>) -> String {
    row(Mark::Denied, tool, &lang::denied(by, because))
}

pub fn retrying(attempt: u32, wait_ms: u64, reason: &ServerError) -> String {
    let seconds = wait_ms / 1000;
    let tenths = wait_ms % 1000 / 100;
    let seconds = format!("{seconds}.{tenths}");
    one_line(&clean(&lang::trying_again(
        attempt,
        &lang::retry_reason(reason),
        &seconds,
    )))
}

pub fn notice(text: &str) -> String {
    lang::message::plain_note(&clean(text))
}

pub(super) fn unwritable(error: &std::io::Error) -> String {
    lang::message::plain_error(&lang::message::plain_unwritable(&error.to_string()))
}

pub fn error(text: &str, hint: &str) -> Vec<String> {
    let mut lines = vec![lang::message::plain_error(&clean(text))];
    if !hint.is_empty() {
        lines.push(format!("  {}", clean(hint)));
    }
    lines
}
