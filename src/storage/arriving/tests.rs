use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use benchdog_base::clock::Time;
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::session::LeaseHolder;

fn entry(id: u64, body: Body) -> Arc<Entry> {
    Arc::new(Entry {
        id: EntryId(id),
        turn: TurnId(1),
        time: Time(1),
        body,
    })
}

fn asked(id: u64) -> Arc<Entry> {
    let text = "go".to_owned();
    let (mentions, notes) = (Vec::new(), Vec::new());
    entry(id, Body::User { text, mentions, notes })
}

fn answered(id: u64) -> Arc<Entry> {
    entry(
        id,
        Body::Assistant {
            text: "All of it.".to_owned(),
            reasoning: String::new(),
            seals: Vec::new(),
            calls: Vec::new(),
            model: ModelRef::none(),
            usage: None,
            error: None,
        },
    )
}

fn session() -> SessionId {
    SessionId("0123".to_owned())
}

fn text(text: &str) -> Delta {
    Delta::Text(text.to_owned())
}

struct Disk {
    _home: TempDir,
    folder: Folder,
}

impl Disk {
    fn new() -> Self {
        let home = TempDir::new().unwrap();
        let folder = Folder::prepare(home.path()).unwrap();
        Self { _home: home, folder }
    }

    fn sidecar(&self) -> Sidecar<Arriving> {
        Sidecar::of(&self.folder, &session())
    }

    fn path(&self) -> PathBuf {
        self.sidecar().path().to_owned()
    }

    fn partial(&self) -> Partial {
        let arriving = Arriving {
            session: session(),
            turn: TurnId(1),
            after: EntryId(1),
            time: Time(7),
            model: ModelRef::none(),
        };
        Partial::new(&self.folder, arriving)
    }

    fn found(&self, log: Vec<Arc<Entry>>) -> Option<Arc<Entry>> {
        read(&self.sidecar())?.into_entry(&History::of(log))
    }

    fn found_text(&self) -> Option<String> {
        let found = self.found(vec![asked(1)])?;
        match &found.body {
            Body::Assistant { text, .. } => Some(text.clone()),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_was_appended_is_the_next_entry_of_the_log() {
    let disk = Disk::new();
    let mut partial = disk.partial();
    let thought = Delta::Reasoning("Hm\n".to_owned());
    partial.append(&[thought, text("One \u{1b}[31m")]).unwrap();
    partial.append(&[text("two")]).unwrap();
    assert_eq!(fs::metadata(disk.path()).unwrap().permissions().mode() & 0o777, 0o600);
    let found = disk.found(vec![asked(1)]).unwrap();
    assert_eq!((found.id, found.turn, found.time), (EntryId(2), TurnId(1), Time(7)));
    let Body::Assistant {
        text, reasoning, error, ..
    } = &found.body
    else {
        panic!("{found:?}")
    };
    assert_eq!((text.as_str(), reasoning.as_str()), ("One \u{1b}[31mtwo", "Hm\n"));
    assert_eq!(*error, Some(Cut::Ended));
    // The file of the next answer replaces this file.
    disk.partial().append(&[Delta::Text("Three".to_owned())]).unwrap();
    assert_eq!(disk.found_text().as_deref(), Some("Three"));
}

#[test]
fn an_answer_that_is_in_the_log_or_whose_turn_is_over_is_not_found_again() {
    let disk = Disk::new();
    disk.partial().append(&[text("All of")]).unwrap();
    let end = Body::TurnEnded {
        outcome: TurnOutcome::Interrupted,
        steps: 1,
        usage: benchdog_domain::budget::Usage::default(),
    };
    assert_eq!(disk.found(vec![asked(1), answered(2)]), None);
    assert_eq!(disk.found(vec![asked(1), entry(2, end)]), None);
    assert_eq!(disk.found(Vec::new()), None, "the log never came so far");
    // An answer logged before the request does not belong to it.
    let mut arriving = disk.partial();
    arriving.arriving.after = EntryId(2);
    arriving.append(&[text("More")]).unwrap();
    assert!(disk.found(vec![asked(1), answered(2)]).is_some());
}

#[test]
fn it_goes_with_the_entry_that_ends_the_answer_and_with_no_other() {
    let disk = Disk::new();
    disk.partial().append(&[text("All of")]).unwrap();
    settle(&disk.folder, &session(), &[asked(1)]);
    assert!(disk.path().exists());
    settle(&disk.folder, &session(), &[asked(1), answered(2)]);
    assert!(!disk.path().exists());
    // Text appended after the removal of the file is lost.
    let mut partial = disk.partial();
    partial.append(&[text("Half")]).unwrap();
    disk.sidecar().remove();
    partial.append(&[text(" and more")]).unwrap();
    assert!(!disk.path().exists());
}

#[test]
fn a_file_that_is_cut_anywhere_gives_what_was_whole_before() {
    let disk = Disk::new();
    let mut partial = disk.partial();
    partial.append(&[text("Größe ")]).unwrap();
    let first = fs::metadata(disk.path()).unwrap().len();
    partial.append(&[text("漢字 \u{1f415}")]).unwrap();
    let whole = fs::read(disk.path()).unwrap();
    for length in 0..whole.len() {
        fs::write(disk.path(), &whole[..length]).unwrap();
        let expected = (length as u64 >= first).then(|| "Größe ".to_owned());
        assert_eq!(disk.found_text(), expected, "cut at {length}");
        // An unwritten block reads as zeros.
        let zeroed = [&whole[..length], &vec![0; whole.len() - length]].concat();
        fs::write(disk.path(), zeroed).unwrap();
        assert_eq!(disk.found_text(), expected, "zeros from {length}");
    }
    fs::write(disk.path(), whole).unwrap();
    assert_eq!(disk.found_text().as_deref(), Some("Größe 漢字 \u{1f415}"));
}

#[test]
fn a_file_of_another_session_or_of_another_kind_is_nobodys_answer_and_stays_as_it_is() {
    let disk = Disk::new();
    let mut other = disk.partial();
    other.arriving.session = SessionId("4567".to_owned());
    other.append(&[text("Another's")]).unwrap();
    assert_eq!(disk.found_text(), None);
    fs::write(disk.path(), b"not ours\n".repeat(1000)).unwrap();
    assert_eq!(disk.found_text(), None);
    let mut linked = disk.partial();
    linked.sidecar = Sidecar::of(&disk.folder, &SessionId("elsewhere".to_owned()));
    let elsewhere = linked.sidecar.path().to_owned();
    linked.append(&[text("Linked")]).unwrap();
    let before = fs::read(&elsewhere).unwrap();
    fs::remove_file(disk.path()).unwrap();
    symlink(&elsewhere, disk.path()).unwrap();
    assert_eq!(disk.found_text(), None);
    disk.partial().append(&[text("Mine")]).unwrap();
    assert_eq!(disk.found_text().as_deref(), Some("Mine"));
    assert_eq!(fs::read(&elsewhere).unwrap(), before);
    // A FIFO without a writer does not block.
    fs::remove_file(disk.path()).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        disk.path(),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    assert_eq!(disk.found_text(), None);
}

#[test]
fn no_more_is_written_than_one_answer_can_be() {
    let disk = Disk::new();
    let mut partial = disk.partial();
    let much = "x".repeat(12 << 20);
    for _ in 0..4 {
        partial.append(&[text(&much)]).unwrap();
    }
    let length = fs::metadata(disk.path()).unwrap().len();
    assert!(length > MOST / 2 && length <= MOST, "{length}");
}

#[test]
fn readers_see_the_answer_of_an_earlier_holder_and_not_the_one_that_streams() {
    let disk = Disk::new();
    disk.partial().append(&[text("All of")]).unwrap();
    let lock = disk.folder.lock(&session());
    let found = |started: i64| {
        let holder = LeaseHolder {
            pid: 1,
            host: String::new(),
            tty: None,
            started: Time(started),
            detached: false,
        };
        let taken = lease::Lease::take(&lock, &holder).unwrap();
        let found = look(&disk.folder, &session(), &[asked(1)]);
        drop(taken);
        found.is_some()
    };
    // The answer began at time 7.
    assert!(!found(6), "the holder receives it");
    assert!(found(8), "the holder has opened the session after a crash");
    assert!(
        look(&disk.folder, &session(), &[asked(1)]).is_some(),
        "nobody has the session"
    );
}
