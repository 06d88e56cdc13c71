//! Messages about damage in stored sessions.

use super::{count, say};
use benchdog_base::id::SessionId;
use benchdog_domain::damage::{Checked, Flaw};

pub fn session_checked(checked: &Checked) -> String {
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

pub fn session_unchecked(id: &str, why: &str) -> String {
    say("session-unchecked", &[("id", id), ("why", why)])
}

pub fn session_saved(id: &SessionId, entries: u64) -> String {
    let entries = usize::try_from(entries).unwrap_or(usize::MAX);
    count("session-saved", entries, &[("id", &id.0)])
}

pub fn flaw(flaw: &Flaw) -> String {
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

pub fn more_flaws(more: usize) -> String {
    say("flaw-more", &[("count", &more.to_string())])
}
