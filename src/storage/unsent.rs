//! Recovery of prompts that were sent but not logged: `<id>.unsent`. Prompts beyond the size limit are in the history.

use serde::{Deserialize, Serialize};

use super::sidecar::{Content, Sidecar};
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

impl Content for Unsent {
    const EXTENSION: &'static str = "unsent";

    fn session(&self) -> &SessionId {
        &self.session
    }

    fn is_empty(&self) -> bool {
        self.prompts.is_empty()
    }
}

pub(super) fn read(sidecar: &Sidecar<Unsent>, history: &History) -> Vec<String> {
    let Some(unsent) = sidecar.read() else {
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::super::folder::Folder;
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
        let file = Sidecar::of(&folder, &SessionId("one".to_owned()));
        let begun = History::of(vec![said(1, "fix it")]);
        assert!(read(&file, &begun).is_empty());
        file.write(&unsent(&["/steer stop", "fix it", "then test"])).unwrap();
        assert_eq!(read(&file, &begun), ["/steer stop", "fix it", "then test"]);
        let later = History::of(vec![said(1, "fix it"), said(2, "stop"), said(3, "fix it")]);
        assert_eq!(read(&file, &later), ["then test"]);
        file.write(&unsent(&[])).unwrap();
        assert!(read(&file, &begun).is_empty());
    }

    #[test]
    fn a_file_of_another_session_or_of_another_kind_is_none() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::prepare(data.path()).unwrap();
        let mine = Sidecar::of(&folder, &SessionId("one".to_owned()));
        let other = Sidecar::of(&folder, &SessionId("two".to_owned()));
        mine.write(&unsent(&["mine"])).unwrap();
        fs::copy(mine.path(), other.path()).unwrap();
        assert!(read(&other, &History::default()).is_empty());
        fs::remove_file(other.path()).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", other.path()).unwrap();
        assert!(read(&other, &History::default()).is_empty());
    }
}
