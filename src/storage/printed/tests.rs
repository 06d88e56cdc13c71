use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, TurnId};
use benchdog_domain::entry::Body;
use benchdog_domain::summary::Summary;

fn file(folder: &Folder, session: &SessionId) -> Sidecar<AllPrinted> {
    Sidecar::of(folder, session)
}

fn keep(folder: &Folder, session: &SessionId, calls: Vec<Printed>) {
    let session = session.clone();
    super::keep(folder, &AllPrinted { session, calls }).unwrap();
}

fn read(folder: &Folder, session: &SessionId) -> Vec<Printed> {
    file(folder, session)
        .read()
        .map_or_else(Vec::new, |printed| printed.calls)
}

#[test]
fn what_a_command_printed_that_still_runs_stays_when_another_ends() {
    let data = tempfile::tempdir().unwrap();
    let folder = Folder::prepare(data.path()).unwrap();
    let session = SessionId("one".to_owned());
    let of = |call: &str| Printed {
        call: CallId(call.to_owned()),
        text: "lines\n".to_owned(),
    };
    keep(&folder, &session, vec![of("make"), of("check")]);
    let ends = |call: &str| {
        let body = Body::Validation {
            call: CallId(call.to_owned()),
            command: String::new(),
            passed: true,
            summary: Summary::Empty,
            output: String::new(),
            round: 1,
            feedback: false,
            unfinished: None,
        };
        let (id, turn, time) = (EntryId(1), TurnId(1), Time(0));
        vec![Arc::new(Entry { id, turn, time, body })]
    };
    settle(&folder, &session, &ends("read")).unwrap();
    settle(&folder, &session, &ends("check")).unwrap();
    assert_eq!(read(&folder, &session), [of("make")]);
    settle(&folder, &session, &ends("make")).unwrap();
    assert!(!file(&folder, &session).exists());
}

#[test]
fn it_is_found_again_by_its_session_alone_and_goes_when_nothing_runs() {
    let data = tempfile::tempdir().unwrap();
    let folder = Folder::prepare(data.path()).unwrap();
    let (one, two) = (SessionId("one".to_owned()), SessionId("two".to_owned()));
    let printed = |text: &str| {
        vec![Printed {
            call: CallId("c".to_owned()),
            text: text.to_owned(),
        }]
    };
    keep(&folder, &one, printed("first"));
    keep(&folder, &one, printed("second"));
    assert_eq!(read(&folder, &one), printed("second"));
    let mode = fs::metadata(file(&folder, &one).path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    fs::copy(file(&folder, &one).path(), file(&folder, &two).path()).unwrap();
    assert!(read(&folder, &two).is_empty(), "another's");
    fs::remove_file(file(&folder, &two).path()).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", file(&folder, &two).path()).unwrap();
    assert!(read(&folder, &two).is_empty());
    keep(&folder, &one, Vec::new());
    assert!(read(&folder, &one).is_empty() && !file(&folder, &one).exists());
}
