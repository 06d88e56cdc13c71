//! Notes about the current state, sent when it differs from the last note.

use crate::domain::entry::Body;
use crate::domain::history::History;

/// Returns the note if it is due. Notes are found by their beginning. `usual` is the state without a note.
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
