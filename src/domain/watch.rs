//! Files that change outside a session, and the comments in them that address the model.

use std::ffi::OsStr;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The longest line that may be a comment, in bytes. Longer lines are probably generated.
const LONGEST: usize = 2_000;

/// The maximum number of characters sent of a comment.
const MOST_SENT: usize = 500;

const SIGNS: [&str; 4] = ["<!--", "//", "--", "#"];

/// The only comment marker in text files, because `#` begins a heading there.
const TEXT_SIGN: &str = "<!--";

const TEXTS: [&str; 6] = ["md", "markdown", "mdx", "txt", "rst", "adoc"];

/// The request that a comment makes with its word `AI`, `AI!` or `AI?`.
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
    /// The line number, from 1.
    pub line: usize,
    /// The comment with its comment marker.
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

/// The reason why `/watch on` did not start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotWatched {
    /// Another session in this folder watches it.
    Elsewhere,
    TooManyFolders,
    /// The disk does not report changes of other machines.
    RemoteDisk,
    Failed(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "watch", rename_all = "snake_case")]
pub enum WatchNotice {
    /// A comment was sent as a prompt, and this number of others with it.
    Sent { path: String, line: usize, more: usize },
    /// Comments in this number of files were not sent, because too many changed at once, or git wrote them.
    NotRead { files: usize },
    /// Comments in this number of files were not sent, because a turn or a background job of the session may have
    /// written them.
    MaybeOwn { files: usize },
    /// Comments were not sent, because comments have already started this number of turns since the last prompt of the
    /// person.
    ManyTurns { turns: u32 },
    /// The folder can no longer be watched.
    Ended,
}

#[cfg(test)]
mod tests;
