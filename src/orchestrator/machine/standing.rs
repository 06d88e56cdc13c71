//! Notes about the current state, sent when it differs from the last note.

use benchdog_domain::entry::Body;
use benchdog_domain::history::History;

/// Identifies earlier notes by their beginning. `usual` is the state without a note.
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
