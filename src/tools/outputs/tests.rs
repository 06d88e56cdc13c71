use std::time::{Duration, SystemTime};

use serde_json::json;

use super::*;
use crate::bench::Bench;

struct Cache(tempfile::TempDir);

impl Cache {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn of(&self, session: &str) -> Outputs {
        Outputs::of(self.0.path(), &SessionId(session.to_owned()))
    }

    /// Writes a file with a time of this many minutes after the start.
    fn put(&self, name: &str, megabytes: u64, minute: u64) -> PathBuf {
        let path = folder(self.0.path()).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = File::create(&path).unwrap();
        file.set_len(megabytes << 20).unwrap();
        let first = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(Time::now().0).unwrap() - 86_400_000);
        file.set_modified(first + Duration::from_secs(60 * minute)).unwrap();
        path
    }

    fn names(&self, session: &str) -> Vec<String> {
        let items = fs::read_dir(folder(self.0.path()).join(session))
            .into_iter()
            .flatten()
            .flatten();
        let mut names: Vec<String> = items.map(|item| item.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn the_oldest_of_a_session_make_room_for_one_more() {
    let cache = Cache::new();
    // Order by age, not by name.
    for (number, minute) in [(1, 50), (2, 10), (3, 40), (4, 20), (5, 30)] {
        cache.put(&format!("a/bash-{number}.txt"), 64, minute);
    }
    cache.put("b/bash-0.txt", 64, 0);
    cache.of("a").begin().unwrap().remove();
    assert_eq!(cache.names("a"), ["bash-1.txt", "bash-3.txt", "bash-5.txt"]);
    assert_eq!(cache.names("b"), ["bash-0.txt"], "another session has room of its own");
}

#[test]
fn the_oldest_of_all_sessions_make_room_for_one_more() {
    let cache = Cache::new();
    for session in 0..16 {
        cache.put(&format!("{session}/bash-1.txt"), 64, session);
    }
    cache.of("new").begin().unwrap().remove();
    let left = |session: u64| !cache.names(&session.to_string()).is_empty();
    assert!(!left(0) && (1..16).all(left));
    assert!(
        !folder(cache.0.path()).join("0").exists(),
        "nor does its empty folder stay"
    );
}

#[test]
fn many_small_ones_are_too_many() {
    let cache = Cache::new();
    for number in 0..MOST_OF_SESSION.files + 20 {
        cache.put(&format!("a/bash-{number:04}.txt"), 0, number);
    }
    cache.of("a").begin().unwrap().remove();
    let names = cache.names("a");
    assert_eq!(
        (names.len() as u64, names[0].as_str()),
        (MOST_OF_SESSION.files - 1, "bash-0021.txt")
    );
}

#[test]
fn what_is_older_than_its_time_goes() {
    let cache = Cache::new();
    let old = cache.put("a/bash-1.txt", 1, 0);
    let file = OpenOptions::new().write(true).open(&old).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    cache.put("a/bash-2.txt", 1, 1);
    cache.of("b").begin().unwrap().remove();
    assert_eq!(cache.names("a"), ["bash-2.txt"]);
}

#[test]
fn the_days_of_the_configuration_count() {
    let cache = Cache::new();
    let put = |name: &str, days: u64| {
        let file = File::options().write(true).open(cache.put(name, 1, 0)).unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(Time::now().0).unwrap());
        file.set_modified(now - Duration::from_secs(days * 86_400)).unwrap();
    };
    put("a/bash-1.txt", 4);
    put("a/bash-2.txt", 2);
    cache.of("b").kept_for(3).begin().unwrap().remove();
    assert_eq!(cache.names("a"), ["bash-2.txt"]);
    put("a/bash-3.txt", 60);
    cache.of("b").kept_for(90).begin().unwrap().remove();
    assert_eq!(cache.names("a"), ["bash-2.txt", "bash-3.txt"]);
}

#[test]
fn whatever_else_lies_there_is_left_alone_and_no_link_is_followed() {
    let cache = Cache::new();
    let elsewhere = tempfile::tempdir().unwrap();
    for number in 0..6 {
        fs::File::create(elsewhere.path().join(format!("bash-{number}.txt")))
            .unwrap()
            .set_len(64 << 20)
            .unwrap();
    }
    let all = folder(cache.0.path());
    cache.put("a/notes.txt", 64, 0);
    cache.put("bash-1.txt", 64, 0);
    fs::create_dir(all.join("a/bash-2.txt")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), all.join("linked")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("bash-1.txt"), all.join("a/bash-3.txt")).unwrap();
    for session in ["a", "linked"] {
        if let Ok(begun) = cache.of(session).begin() {
            begun.remove();
        }
        cache.of(session).forget();
    }
    assert_eq!(cache.names("a"), ["bash-2.txt", "bash-3.txt", "notes.txt"]);
    assert!(all.join("bash-1.txt").exists());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 6);
}

#[test]
fn an_output_that_had_to_make_room_while_it_was_written_is_not_said_to_be_there() {
    let cache = Cache::new();
    let mut output = cache.of("a").begin().unwrap();
    output.write("some text").unwrap();
    cache.of("a").forget();
    assert_eq!(output.end().unwrap_err().kind(), io::ErrorKind::NotFound);
    // The result is the same if another file has the path.
    let output = cache.of("a").begin().unwrap();
    let path = output.path.clone();
    fs::remove_file(&path).unwrap();
    fs::write(&path, "of another").unwrap();
    assert!(output.end().is_err());
}

#[test]
fn a_file_for_which_the_disk_has_no_room_is_removed() {
    let cache = Cache::new();
    let path = cache.put("a/bash-1.txt", 0, 0);
    let mut output = Output {
        path: path.clone(),
        file: BufWriter::new(OpenOptions::new().write(true).open("/dev/full").unwrap()),
        most: MOST_OF_ONE,
        written: 0,
        room_until: BETWEEN_LOOKS,
    };
    output.write("a little that waits").unwrap();
    let error = output.end().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert!(!path.exists());
}

#[tokio::test]
async fn whoever_reads_one_that_is_gone_is_told_so_in_one_sentence() {
    let bench = Bench::new();
    let path = bench.cx.outputs.begin().unwrap().end().unwrap().0;
    bench.cx.outputs.forget();
    for (tool, arguments) in [
        ("read", json!({"path": path})),
        ("list", json!({"path": path})),
        ("grep", json!({"path": path, "pattern": "x"})),
    ] {
        let outcome = bench.call(tool, arguments).await;
        assert_eq!(outcome.code.as_deref(), Some("not_found"), "{tool}");
        assert!(
            outcome.output.contains("was removed: the oldest outputs are removed"),
            "{tool}: {}",
            outcome.output
        );
    }
    let other = path.with_file_name("other.txt");
    let outcome = bench.call("read", json!({"path": other})).await;
    assert!(outcome.output.contains("There is no file"), "{}", outcome.output);
}
