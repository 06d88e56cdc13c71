//! Notes that tell the model about a current state. A note is sent when the state differs from the one in the last
//! note.

use benchdog_domain::entry::Body;
use benchdog_domain::history::History;

/// Returns the note `now`, unless it equals the last note that begins with `begins`. Without such a note, the model
/// assumes the state `usual`.
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
