//! Messages about damage in stored sessions.

use super::{Word, message, word};
use benchdog_base::id::SessionId;
use benchdog_domain::damage::{Checked, Flaw};

pub fn session_checked(checked: &Checked) -> String {
    let id = checked.session.0.as_str();
    let read = usize::try_from(checked.read).unwrap_or(usize::MAX);
    if checked.flaws.is_empty() {
        return message::session_sound(read, id);
    }
    let (read, written) = (checked.read.to_string(), checked.written.to_string());
    message::session_damaged(id, &read, &written)
}

pub fn session_saved(id: &SessionId, entries: u64) -> String {
    let entries = usize::try_from(entries).unwrap_or(usize::MAX);
    message::session_saved(entries, &id.0)
}

pub fn flaw(flaw: &Flaw) -> String {
    match flaw {
        Flaw::Missing { from, upto } if from == upto => message::flaw_missing_one(&from.0.to_string()),
        Flaw::Missing { from, upto } => {
            let (from, upto) = (from.0.to_string(), upto.0.to_string());
            message::flaw_missing(&from, &upto)
        }
        Flaw::Orphaned { entry } => message::flaw_orphaned(&entry.0.to_string()),
        Flaw::Body { blob } => message::flaw_body(&blob.0),
        Flaw::Description => word(Word::FlawDescription).to_owned(),
        Flaw::File { reason } => message::flaw_file(reason),
    }
}

pub fn more_flaws(more: usize) -> String {
    message::flaw_more(&more.to_string())
}
