//! The default title of a session.

use std::borrow::Cow;

use crate::entry::{Body, Entry};
use benchdog_base::text::{clean, one_line};

const LONGEST: usize = 100;

pub fn title(entry: &Entry) -> Option<String> {
    let text = match &entry.body {
        Body::User { text, .. } => Cow::Borrowed(text),
        Body::Shell { command, .. } => Cow::Owned(format!("!{command}")),
        _ => return None,
    };
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(LONGEST).collect())
}

/// Returns a title entered by a person as one line without hidden characters, at most `LONGEST` characters.
pub fn given_title(text: &str) -> String {
    one_line(&clean(text)).chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests;
