//! What the model is told with a prompt of how things stand, where that is not what it was told last.

use crate::domain::entry::Body;
use crate::domain::history::History;

/// The note that is due, if one is. All notes about it begin with the same words, by which they are found again; to a session that was
/// never told, it is as `usual`.
pub(super) fn news(begins: &str, now: String, usual: &str, history: &History) -> Option<String> {
    let told = history.entries().iter().rev().find_map(|entry| match &entry.body {
        Body::User { notes, .. } => notes
            .iter()
            .map(|note| &*note.text)
            .find(|text| text.starts_with(begins)),
        _ => None,
    });
    (now != told.unwrap_or(usual)).then_some(now)
}
