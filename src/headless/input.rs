//! `--input stream-json`: the messages that a program sends, one JSON object per line.
//!
//! Names and fields are public and never change their meaning. An invalid line is reported and skipped.

use std::io::{self, BufRead, Read};

use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::mpsc;

use benchdog_transcript::script::DecisionName;

/// The maximum length of a line, and of a prompt on standard input, in bytes.
pub const LONGEST: u64 = 10 * 1024 * 1024;

/// One line of input.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Message {
    /// Starts a turn, after the turns of earlier prompts.
    Prompt {
        text: String,
        /// Follows the text after a blank line. Mentions in it are ignored.
        #[serde(default)]
        context: String,
    },
    /// Decides a request.
    Decide {
        /// The `request` of `approval_requested`.
        request: String,
        decision: DecisionName,
        /// The number of an answer in `always` of the proposal. Only for `always`.
        #[serde(default)]
        number: Option<usize>,
        /// The reason for the model. Only for `deny`.
        #[serde(default)]
        reason: Option<String>,
    },
    /// Answers a request of kind `questions`.
    Answer {
        request: String,
        /// For each question, the chosen labels or one text. An empty list skips an optional question.
        answers: Vec<Vec<String>>,
    },
    /// Interrupts the running turn.
    Cancel {},
}

/// The reason why a line has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bad {
    TooLong,
    Invalid(String),
    NoText,
    Full,
    /// `--approve` decides, so that nobody is asked.
    NotAsked,
    NoRequest(String),
    NotOffered(String),
    NotAnswered(String),
}

/// A line with its number, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Received {
    pub(super) line: u64,
    pub(super) message: Result<Message, Bad>,
}

/// Reads lines on a separate thread, at most one ahead of the consumer.
pub(super) fn start(mut input: impl BufRead + Send + 'static) -> mpsc::Receiver<Received> {
    let (sends, lines) = mpsc::channel(1);
    tokio::task::spawn_blocking(move || {
        let mut line = 0;
        // A read error counts as the end of the input.
        while let Ok(Some(message)) = next(&mut input) {
            line += 1;
            let Some(message) = message else { continue };
            if sends.blocking_send(Received { line, message }).is_err() {
                return;
            }
        }
    });
    lines
}

/// Reads a line. Returns `None` at the end of the input, and `Some(None)` for a blank line.
fn next(input: &mut impl BufRead) -> io::Result<Option<Option<Result<Message, Bad>>>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 >= LONGEST && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Some(Err(Bad::TooLong))));
    }
    if bytes.trim_ascii().is_empty() {
        return Ok(Some(None));
    }
    let message = serde_json::from_slice(&bytes).map_err(|error| Bad::Invalid(error.to_string()));
    Ok(Some(Some(message)))
}

#[cfg(test)]
mod tests;
