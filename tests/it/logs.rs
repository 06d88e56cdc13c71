//! Tests of log files: bounded, private, optional, and never required.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn folder(home: &Home) -> PathBuf {
    home.benchdog_home().join("logs")
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let Ok(items) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = items
        .map(|item| {
            let path = item.expect("a log file").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a log is text"))
        })
        .collect();
    files.sort_by(|a, b| (b.0.len(), &b.0).cmp(&(a.0.len(), &a.0)));
    files
}

pub fn log(home: &Home) -> String {
    files(&folder(home)).into_iter().map(|(_, text)| text).collect()
}

fn mode(path: &Path) -> u32 {
    let found = std::fs::metadata(path).expect("it is there");
    found.permissions().mode() & 0o777
}

#[test]
fn nobody_else_may_read_it() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Done.")]);
    home.run(&["run", "hello"]).assert_code(0);
    assert!(log(&home).contains("turn ended"), "it is written by default");
    assert_eq!(mode(&folder(&home)), 0o700);
    assert_eq!(mode(&folder(&home).join("benchdog.log")), 0o600);
}

#[test]
fn files_are_bounded_in_size_and_number() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["logs"] = json!({"level": "debug", "max_bytes": 4096, "files": 3});
    home.configure(&settings);
    home.file("notes.txt", "one\n");
    server.script((0..30).map(|_| call("read", json!({"path": "notes.txt", "limit": 1}))));
    server.when(|request| request.last("user").contains("again"), text("Done."));
    home.run(&["run", "read on"]);
    for _ in 0..4 {
        home.run(&["run", "again"]).assert_code(0);
    }
    let files = files(&folder(&home));
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["benchdog.2.log", "benchdog.1.log", "benchdog.log"]);
    for (name, text) in &files {
        assert!(
            text.len() <= 4096 && text.ends_with('\n'),
            "{name}: {} bytes",
            text.len()
        );
    }
    let whole: String = files.into_iter().map(|(_, text)| text).collect();
    assert!(
        whole.len() > 6_000 && whole.ends_with("benchdog_traces: ended\n"),
        "{whole}"
    );
    let times: Vec<&str> = whole.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(times.is_sorted(), "the newest lines are kept, in their order");
}

#[test]
fn off_writes_no_file_and_makes_no_folder() {
    let server = Server::start();
    for (variable, flag) in [("off", None), ("debug", Some("off"))] {
        let home = Home::with(&server).env("BENCHDOG_LOG", variable);
        server.script([text("Done.")]);
        let mut line = vec!["run", "hello"];
        line.extend(flag.iter().flat_map(|level| ["--log-level", level]));
        home.run(&line).assert_code(0);
        assert!(!folder(&home).exists(), "{variable} {flag:?}");
    }
    // Read-only commands create no log file, either.
    let home = Home::bare();
    home.run(&["config", "show"]).assert_code(0);
    home.run(&["policy", "explain", "ls"]).assert_code(0);
    assert!(!folder(&home).exists());
}

#[test]
fn a_bad_filter_is_an_error_that_names_its_place() {
    let server = Server::start();
    let home = Home::with(&server);
    for (home, line, place) in [
        (
            &home,
            &["run", "--log-level", "loud", "hello"][..],
            "--log-level: must be `off`",
        ),
        (
            &home,
            &["run", "--log-level", "h2=debug", "hello"],
            "--log-level: names `h2`",
        ),
        (
            &home,
            &["--log-level", "info,", "config", "check"],
            "--log-level: must be",
        ),
        (
            &home,
            &["--log-level", "debug", "sessions", "list"],
            "`--log-level` has no effect here",
        ),
        (
            &Home::with(&server).env("BENCHDOG_LOG", "provider:debug"),
            &["run", "hello"],
            "BENCHDOG_LOG: must be `off`",
        ),
    ] {
        let run = home.run(line);
        run.assert_code(2);
        assert!(
            format!("{}{}", run.stdout, run.stderr).contains(place),
            "{line:?}\n{run}"
        );
    }
    assert!(server.requests().is_empty());
}

#[test]
fn every_part_that_a_filter_may_name_is_a_room_that_logs() {
    let home = Home::bare();
    let run = home.run(&["config", "explain", "logs.level", "--log-level", "nobody=debug"]);
    let (_, listed) = run.stderr.split_once("what does is ").expect("the list");
    let rooms: Vec<&str> = listed
        .split('`')
        .filter(|word| word.chars().all(char::is_alphanumeric))
        .collect();
    assert!(rooms.len() >= 6, "{run}");
    let src = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    for room in rooms.iter().filter(|room| !room.is_empty()) {
        assert!(src.join(room).is_dir(), "{room}\n{run}");
    }
}

#[test]
fn a_log_that_cannot_be_written_is_said_once_and_breaks_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    std::fs::write(folder(&home), "in the way").expect("a file where the folder should be");
    server.script([text("Done all the same.")]);
    let run = home.run(&["run", "hello"]);
    run.assert_code(0);
    assert!(run.stdout.contains("Done all the same."), "{run}");
    assert_eq!(run.stderr.matches("could not be written").count(), 1, "{run}");
    assert!(run.stderr.contains(&folder(&home).display().to_string()), "{run}");
}

#[test]
fn a_disk_that_is_full_for_the_log_breaks_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    std::fs::create_dir(folder(&home)).expect("a folder");
    std::os::unix::fs::symlink("/dev/full", folder(&home).join("benchdog.log")).expect("a link");
    server.script([text("Done all the same.")]);
    let run = home.run(&["run", "hello"]);
    run.assert_code(0);
    assert_eq!(run.stderr.matches("could not be written").count(), 1, "{run}");
    assert!(
        std::fs::read_link(folder(&home).join("benchdog.log")).is_ok(),
        "left alone"
    );
}
