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
