//! Files that change outside a session, and the comments in them that address the model.

use serde::{Deserialize, Serialize};

/// Longest line that may be a comment. Longer ones are generated.
const LONGEST: usize = 2_000;

/// Most characters of a comment that are sent.
const MOST_SENT: usize = 500;

const SIGNS: [&str; 4] = ["<!--", "//", "--", "#"];

/// The request of a comment, from its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Request {
    /// `AI`: belongs to the requests of other comments.
    Nothing,
    /// `AI?`
    Answer,
    /// `AI!`
    Change,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiComment {
    /// 1-based.
    pub line: usize,
    /// The comment with its sign.
    pub text: String,
    pub request: Request,
}

/// Returns the one-line comments that begin or end with `AI`, `AI!` or `AI?`.
pub fn ai_comments(text: &str) -> Vec<AiComment> {
    let lines = text.lines().zip(1..).filter(|(line, _)| line.len() <= LONGEST);
    let found = lines.filter_map(|(line, number)| {
        let signs = SIGNS.iter().flat_map(|sign| line.match_indices(sign));
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
    /// This number of files changed at once, or with a move of git's `HEAD`, so their comments were not read.
    NotRead { files: usize },
    /// The folder can no longer be watched.
    Ended,
}

#[cfg(test)]
mod tests;
