//! Tests `kill -9` at random moments: no acknowledged data is lost, and no lock remains.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::*;
use benchdog_base::environment::Environment;

const HOME: &str = "BENCHDOG_STORAGE_TEST_HOME";
const WORD: &str = "BENCHDOG_STORAGE_TEST_WORD";

/// Runs one test of this test binary as a separate process.
pub(super) fn child(test: &str, home: &Path, word: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(HOME, home)
        .env(WORD, word)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the child's parameters, or `None` in the normal test run.
pub(super) fn orders() -> Option<(PathBuf, String)> {
    let environment = Environment::of_process();
    let home = environment.get(HOME)?;
    Some((PathBuf::from(home), environment.get(WORD)?.to_owned()))
}

/// Not a test: appends until it is killed, and prints acknowledged entries.
#[test]
fn child_appends() {
    let Some((home, id)) = orders() else { return };
    let id = SessionId(id);
    run(async {
        let storage = Storage::start(&home).unwrap();
        let mut next = if file_exists(&home, &id) {
            let (_, log) = opened(storage.open(&id, holder()).await.unwrap());
            log.last().unwrap().id.0 + 1
        } else {
            let mut meta = session("/work");
            meta.id = id.clone();
            storage.create(meta, holder()).await.unwrap();
            1
        };
        loop {
            let body: Arc<[u8]> = next.to_le_bytes().repeat(2_000).into();
            let blobs = vec![(BlobId::of(&body), body)];
            storage
                .append(
                    &id,
                    vec![said(next, &"text ".repeat(50)), said(next + 1, "result")],
                    blobs,
                )
                .await
                .unwrap();
            println!("acknowledged {}", next + 1);
            next += 2;
        }
    });
}

fn file_exists(home: &Path, id: &SessionId) -> bool {
    home.join("sessions").join(format!("{id}.redb")).exists()
}

/// Kills the child after `lines` acknowledgements and a delay of `moment`. Returns the last acknowledged number.
fn killed_after(home: &Path, id: &SessionId, lines: usize, moment: Duration) -> u64 {
    let mut child = child("tests::crash::child_appends", home, &id.0);
    let mut said = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let mut last = 0;
    let mut note = |line: String| {
        if let Some((_, number)) = line.rsplit_once("acknowledged ") {
            last = number.parse().unwrap();
            true
        } else {
            false
        }
    };
    let mut seen = 0;
    while seen < lines {
        match said.next() {
            Some(line) => seen += usize::from(note(line)),
            None => panic!("the child ended by itself: {:?}", child.wait()),
        }
    }
    std::thread::sleep(moment);
    child.kill().unwrap();
    child.wait().unwrap();
    // Also read the acknowledgements still in the pipe. Ignore a truncated line.
    said.for_each(|line| {
        note(line);
    });
    last
}

fn survives(rounds: u64, pick: impl Fn(u64) -> (usize, Duration)) {
    let home = TempDir::new().unwrap();
    let id = SessionId::fresh();
    let mut acknowledged = 0;
    for round in 0..rounds {
        let (lines, moment) = pick(round);
        acknowledged = killed_after(home.path(), &id, lines, moment).max(acknowledged);
        if acknowledged == 0 && !file_exists(home.path(), &id) {
            continue;
        }
        run(async {
            let storage = Storage::start(home.path()).unwrap();
            let listed = storage.newest_in("/work", None).await.unwrap().unwrap();
            assert_eq!(listed.id, id);
            let (meta, log) = opened(storage.open(&id, holder()).await.unwrap());
            let last = log.last().unwrap().id.0;
            assert!(
                last >= acknowledged,
                "round {round}: {acknowledged} was durable, {last} is there"
            );
            // A commit is complete or absent, and no entry is missing.
            assert_eq!(last % 2, 0, "half a commit");
            assert!(log.iter().map(|entry| entry.id.0).eq(1..=last));
            assert_eq!(meta.entries, last);
            assert_eq!(listed, meta, "the list shows what the crash left");
            for odd in [1, last / 4 * 2 + 1, last - 1] {
                let body = odd.to_le_bytes().repeat(2_000);
                let found = storage.blob(&id, &BlobId::of(&body)).await.unwrap();
                assert_eq!(found, Some(body));
            }
            acknowledged = last;
        });
    }
    assert!(acknowledged > 0, "nothing was ever written");
}

#[test]
fn a_process_killed_between_and_inside_commits_loses_nothing_acknowledged() {
    survives(25, |round| {
        let spread = (round * 7_919) % 23;
        (
            1 + usize::try_from(spread).unwrap(),
            Duration::from_micros(spread * 397),
        )
    });
}

#[test]
fn a_process_killed_while_its_session_is_being_created_leaves_a_session_or_nothing() {
    for round in 0..12 {
        let home = TempDir::new().unwrap();
        let id = SessionId::fresh();
        killed_after(home.path(), &id, 0, Duration::from_millis(4 + round * 2));
        run(async {
            let storage = Storage::start(home.path()).unwrap();
            let listed = storage.list().await.unwrap();
            assert_eq!(storage.take_notices(), Vec::new());
            assert_eq!(listed.len(), usize::from(file_exists(home.path(), &id)));
            if let Some(meta) = listed.first() {
                let (_, log) = opened(storage.open(&meta.id, holder()).await.unwrap());
                assert!(log.len() >= 2);
            }
        });
    }
}

#[test]
fn two_processes_never_have_one_session() {
    let home = TempDir::new().unwrap();
    let id = SessionId::fresh();
    let mut child = child("tests::crash::child_appends", home.path(), &id.0);
    let mut said = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    said.find(|line| line.contains("acknowledged")).unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        match storage.open(&id, holder()).await.unwrap() {
            Opening::Held(holder) => assert_eq!(holder.pid, child.id()),
            other => panic!("two writers: {other:?}"),
        }
        child.kill().unwrap();
        child.wait().unwrap();
        opened(storage.open(&id, holder()).await.unwrap());
    });
}
