//! Recovery of prompts that were sent but not logged: `<id>.unsent`. Prompts beyond the size limit are in the history.

use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::beside;
use super::folder::Folder;
use benchdog_base::id::{EntryId, SessionId};
use benchdog_domain::entry::Body;
use benchdog_domain::history::History;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsent {
    pub session: SessionId,
    pub after: EntryId,
    /// As typed, next one first.
    pub prompts: Vec<String>,
}

pub(super) fn keep(folder: &Folder, unsent: &Unsent) -> io::Result<()> {
    if unsent.prompts.is_empty() {
        forget(folder, &unsent.session);
        return Ok(());
    }
    let bytes = serde_json::to_vec(unsent)?;
    beside::replace(
        &folder.unsent(&unsent.session),
        &folder.unsent_draft(&unsent.session),
        &bytes,
    )
}

pub(super) fn forget(folder: &Folder, id: &SessionId) {
    // The next read compares a remaining file with the log.
    let _ = fs::remove_file(folder.unsent(id));
    let _ = fs::remove_file(folder.unsent_draft(id));
}

pub(super) fn read(folder: &Folder, id: &SessionId, history: &History) -> Vec<String> {
    let Some(unsent) = read_file(folder, id).filter(|unsent| unsent.session == *id) else {
        return Vec::new();
    };
    let mut prompts = unsent.prompts;
    // A prompt may have been logged between the last write and the exit.
    let since = history.entries().iter().filter(|entry| entry.id > unsent.after);
    for logged in since.filter_map(|entry| typed(&entry.body)) {
        let same = |prompt: &String| *prompt == logged || prompt.strip_prefix("/steer ") == Some(&*logged);
        if let Some(place) = prompts.iter().position(same) {
            prompts.remove(place);
        }
    }
    prompts
}

fn typed(body: &Body) -> Option<String> {
    match body {
        Body::User { text, .. } => Some(text.clone()),
        Body::Shell { command, .. } => Some(format!("!{command}")),
        _ => None,
    }
}

fn read_file(folder: &Folder, id: &SessionId) -> Option<Unsent> {
    serde_json::from_slice(&beside::read(&folder.unsent(id))?).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use benchdog_base::clock::Time;
    use benchdog_base::id::TurnId;
    use benchdog_domain::entry::Entry;

    fn said(id: u32, text: &str) -> Arc<Entry> {
        Arc::new(Entry {
            id: EntryId(u64::from(id)),
            turn: TurnId(id),
            time: Time(0),
            body: Body::User {
                text: text.to_owned(),
                mentions: Vec::new(),
                notes: Vec::new(),
            },
        })
    }

    fn unsent(prompts: &[&str]) -> Unsent {
        Unsent {
            session: SessionId("one".to_owned()),
            after: EntryId(1),
            prompts: prompts.iter().map(|text| (*text).to_owned()).collect(),
        }
    }

    #[test]
    fn what_waits_is_found_again_but_for_what_the_log_has_by_now() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::prepare(data.path()).unwrap();
        let id = SessionId("one".to_owned());
        let begun = History::of(vec![said(1, "fix it")]);
        assert!(read(&folder, &id, &begun).is_empty());
        keep(&folder, &unsent(&["/steer stop", "fix it", "then test"])).unwrap();
        assert_eq!(read(&folder, &id, &begun), ["/steer stop", "fix it", "then test"]);
        let later = History::of(vec![said(1, "fix it"), said(2, "stop"), said(3, "fix it")]);
        assert_eq!(read(&folder, &id, &later), ["then test"]);
        keep(&folder, &unsent(&[])).unwrap();
        assert!(read(&folder, &id, &begun).is_empty());
    }

    #[test]
    fn a_file_of_another_session_or_of_another_kind_is_none() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::prepare(data.path()).unwrap();
        let other = SessionId("two".to_owned());
        keep(&folder, &unsent(&["mine"])).unwrap();
        fs::copy(folder.unsent(&unsent(&[]).session), folder.unsent(&other)).unwrap();
        assert!(read(&folder, &other, &History::default()).is_empty());
        fs::remove_file(folder.unsent(&other)).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.unsent(&other)).unwrap();
        assert!(read(&folder, &other, &History::default()).is_empty());
    }
}
