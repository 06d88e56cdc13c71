//! Words of what is wrong with a stored session.

use super::{count, say};
use crate::base::id::SessionId;
use crate::domain::damage::{Checked, Flaw};

/// The line of one session.
pub(crate) fn session_checked(checked: &Checked) -> String {
    let id = checked.session.0.as_str();
    let read = usize::try_from(checked.read).unwrap_or(usize::MAX);
    if checked.flaws.is_empty() {
        return count("session-sound", read, &[("id", id)]);
    }
    let (read, written) = (checked.read.to_string(), checked.written.to_string());
    say(
        "session-damaged",
        &[("id", id), ("sound", &read), ("written", &written)],
    )
}

pub(crate) fn session_unchecked(id: &str, why: &str) -> String {
    say("session-unchecked", &[("id", id), ("why", why)])
}

/// What became of what could be read.
pub(crate) fn session_saved(id: &SessionId, entries: u64) -> String {
    let entries = usize::try_from(entries).unwrap_or(usize::MAX);
    count("session-saved", entries, &[("id", &id.0)])
}

pub(crate) fn flaw(flaw: &Flaw) -> String {
    match flaw {
        Flaw::Missing { from, upto } if from == upto => say("flaw-missing-one", &[("entry", &from.0.to_string())]),
        Flaw::Missing { from, upto } => {
            let (from, upto) = (from.0.to_string(), upto.0.to_string());
            say("flaw-missing", &[("from", &from), ("upto", &upto)])
        }
        Flaw::Orphaned { entry } => say("flaw-orphaned", &[("entry", &entry.0.to_string())]),
        Flaw::Body { blob } => say("flaw-body", &[("blob", &blob.0)]),
        Flaw::Description => say("flaw-description", &[]),
        Flaw::File { reason } => say("flaw-file", &[("reason", reason)]),
    }
}

/// Flaws that are not told.
pub(crate) fn more_flaws(more: usize) -> String {
    say("flaw-more", &[("count", &more.to_string())])
}
