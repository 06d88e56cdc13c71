//! Recovery of output from running commands: `<id>.printed`, deleted when results are logged. After a crash, results include the output.

use std::sync::Arc;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::beside;
use super::folder::Folder;
use benchdog_base::disk;
use benchdog_base::id::{CallId, SessionId};
use benchdog_domain::entry::Entry;

/// Maximum size per call.
pub const MOST: usize = 30_000;
/// Free space to leave on the disk.
const BETWEEN: u64 = 1 << 20;

/// Output of one call without its middle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    pub call: CallId,
    pub text: String,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    session: SessionId,
    calls: Vec<Printed>,
}

pub(super) fn keep(folder: &Folder, session: &SessionId, calls: Vec<Printed>) -> io::Result<()> {
    let path = folder.printed(session);
    let has_room = |bytes: u64| path.parent().is_none_or(|sessions| disk::has_room(sessions, bytes));
    if calls.is_empty() {
        forget(folder, session);
        return Ok(());
    }
    if !has_room(BETWEEN) {
        return Ok(());
    }
    let kept = Kept {
        session: session.clone(),
        calls,
    };
    beside::replace(&path, &folder.printed_draft(session), &serde_json::to_vec(&kept)?)
}

pub(super) fn forget(folder: &Folder, session: &SessionId) {
    // A remaining file belongs to finished calls and is ignored.
    let _ = fs::remove_file(folder.printed(session));
    let _ = fs::remove_file(folder.printed_draft(session));
}

pub(super) fn settle(folder: &Folder, session: &SessionId, entries: &[Arc<Entry>]) -> io::Result<()> {
    let ended: Vec<&CallId> = entries.iter().filter_map(|entry| entry.body.ends()).collect();
    let mut printed = if ended.is_empty() {
        Vec::new()
    } else {
        read(folder, session)
    };
    if printed.is_empty() {
        return Ok(());
    }
    printed.retain(|printed| !ended.contains(&&printed.call));
    keep(folder, session, printed)
}

pub(super) fn read(folder: &Folder, session: &SessionId) -> Vec<Printed> {
    let kept = beside::read(&folder.printed(session));
    let kept = kept.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    kept.filter(|kept| kept.session == *session)
        .map(|kept| kept.calls)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use benchdog_base::clock::Time;
    use benchdog_base::id::{EntryId, TurnId};
    use benchdog_domain::entry::Body;
    use benchdog_domain::summary::Summary;

    #[test]
    fn what_a_command_printed_that_still_runs_stays_when_another_ends() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::prepare(data.path()).unwrap();
        let session = SessionId("one".to_owned());
        let of = |call: &str| Printed {
            call: CallId(call.to_owned()),
            text: "lines\n".to_owned(),
        };
        keep(&folder, &session, vec![of("make"), of("check")]).unwrap();
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
        assert!(!folder.printed(&session).exists());
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
        keep(&folder, &one, printed("first")).unwrap();
        keep(&folder, &one, printed("second")).unwrap();
        assert_eq!(read(&folder, &one), printed("second"));
        let mode = fs::metadata(folder.printed(&one)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        fs::copy(folder.printed(&one), folder.printed(&two)).unwrap();
        assert!(read(&folder, &two).is_empty(), "another's");
        fs::remove_file(folder.printed(&two)).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.printed(&two)).unwrap();
        assert!(read(&folder, &two).is_empty());
        keep(&folder, &one, Vec::new()).unwrap();
        assert!(read(&folder, &one).is_empty() && !folder.printed(&one).exists());
    }
}
