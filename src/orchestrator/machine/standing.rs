//! Notes about a current state. They are sent when the state differs from the last note.

use benchdog_domain::entry::Body;
use benchdog_domain::history::History;

/// Returns the note `now` if the model does not know it. Earlier notes are found by their beginning. `usual` is the
/// state if there is no note.
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
