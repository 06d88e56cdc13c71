//! Files changed outside a session, and their comments that address the model.

use std::ffi::OsStr;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Maximum bytes of a line that may be a comment. Longer lines are probably generated.
const LONGEST: usize = 2_000;

/// Maximum number of characters of a comment that is sent.
const MOST_SENT: usize = 500;

const SIGNS: [&str; 4] = ["<!--", "//", "--", "#"];

/// The only comment marker in text files, because `#` begins a heading there.
const TEXT_SIGN: &str = "<!--";

const TEXTS: [&str; 6] = ["md", "markdown", "mdx", "txt", "rst", "adoc"];

/// Request in a comment, marked by `AI`, `AI!` or `AI?`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Request {
    /// `AI`: only context for the requests of other comments.
    Nothing,
    /// `AI?`
    Answer,
    /// `AI!`
    Change,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiComment {
    /// Line number, counted from 1.
    pub line: usize,
    pub text: String,
    pub request: Request,
}

/// Returns the one-line comments of a file that begin or end with `AI`, `AI!` or `AI?`.
pub fn ai_comments(path: &Path, text: &str) -> Vec<AiComment> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_text = TEXTS.iter().any(|known| known.eq_ignore_ascii_case(extension));
    let signs: &[&str] = if is_text { &[TEXT_SIGN] } else { &SIGNS };
    let lines = text.lines().zip(1..).filter(|(line, _)| line.len() <= LONGEST);
    let found = lines.filter_map(|(line, number)| {
        let signs = signs.iter().flat_map(|sign| line.match_indices(sign));
        let mut comments: Vec<(usize, Request)> = signs
            .filter_map(|(at, sign)| Some((at, request(line.get(at + sign.len()..)?)?)))
            .collect();
        comments.sort_unstable_by_key(|(at, _)| *at);
        let (at, request) = comments.into_iter().next()?;
        Some(AiComment {
            line: number,
            text: line.get(at..)?.trim().chars().take(MOST_SENT).collect(),
            request,
        })
    });
    found.collect()
}

fn request(comment: &str) -> Option<Request> {
    let comment = comment.trim_end().trim_end_matches("-->").trim();
    let words = || comment.split_whitespace();
    let last = words().next_back().and_then(of_word);
    let first = words()
        .next()
        .and_then(|word| of_word(word.trim_end_matches([':', ','])));
    last.max(first)
}

fn of_word(word: &str) -> Option<Request> {
    [
        ("AI!", Request::Change),
        ("AI?", Request::Answer),
        ("AI", Request::Nothing),
    ]
    .into_iter()
    .find_map(|(written, request)| word.eq_ignore_ascii_case(written).then_some(request))
}

/// Reason why `/watch on` did not start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotWatched {
    Elsewhere,
    TooManyFolders,
    /// The file system does not report changes by other machines.
    RemoteDisk,
    Failed(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "watch", rename_all = "snake_case")]
pub enum WatchNotice {
    /// A comment was sent as a prompt, together with `more` others.
    Sent { path: String, line: usize, more: usize },
    /// Comments in `files` files were not sent, because too many files changed at once or git wrote them.
    NotRead { files: usize },
    /// Comments in `files` files were not sent, because a turn or a background job of the session may have written
    /// them.
    MaybeOwn { files: usize },
    /// Comments were not sent, because comments have already started this many turns since the person's last prompt.
    ManyTurns { turns: u32 },
    /// The folder can no longer be watched.
    Ended,
}

#[cfg(test)]
mod tests;
