//! Notes that tell the model about a state, such as the scratch folder. A note is sent when the state differs from the
//! one in the last note.

use benchdog_domain::entry::Body;
use benchdog_domain::history::History;

/// Returns the note `now`, unless the last note that begins with `begins` has the same text. Without an earlier note,
/// compares `now` with `usual`, the note for the default state.
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
