//! What lists call a session before anybody has named it.

use std::borrow::Cow;

use crate::domain::entry::{Body, Entry};

/// In characters.
const LONGEST: usize = 100;

/// The first line with something in it of what the person sent; `None` for every other entry.
pub(crate) fn title(entry: &Entry) -> Option<String> {
    let text = match &entry.body {
        Body::User { text, .. } => Cow::Borrowed(text),
        Body::Shell { command, .. } => Cow::Owned(format!("!{command}")),
        _ => return None,
    };
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(LONGEST).collect())
}
