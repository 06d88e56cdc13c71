//! Tests of read-only homes, missing homes, and size-limited files. One sentence states the remedy.

use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::text;
use crate::support::server::{MODEL, Server};
use crate::support::small_disk::SmallDisk;

/// Checks that there is one error with its remedy.
#[track_caller]
fn assert_one_sentence(run: &Finished, code: i32, error: &str, helps: &str) {
    run.assert_code(code);
    let errors = run
        .stderr
        .lines()
        .filter(|line| line.starts_with("benchdog: ") || line.starts_with("error: "));
    assert_eq!(errors.count(), 1, "{run}");
    assert!(run.stderr.contains(error) && run.stderr.contains(helps), "{run}");
}

#[test]
fn a_home_that_cannot_be_written_can_still_be_looked_at() {
    let server = Server::start();
    let mut home = Home::with(&server);
    let Some(disk) = SmallDisk::at(&mut home, "benchdog/data", "size=3m") else {
        return;
    };
    server.script([text("First.")]);
    home.run(&["run", "one"]).assert_code(0);
    disk.forbid_writing();
    for line in [&["run", "two"][..], &["run", "-c", "two"]] {
        assert_one_sentence(&home.run(line), 1, "Read-only file system", "`BENCHDOG_HOME`");
    }
    let listed = home.run(&["sessions", "list"]);
    listed.assert_code(0);
    let id = listed.stdout.split(' ').next().unwrap_or_default();
    assert!(home.run(&["sessions", "show", id]).stdout.contains("First."));
    home.run(&["sessions", "check"]).assert_code(0);
    let bench = home.bench(&["-c"]);
    bench.wait_for_text("First.");
    bench.wait_for_text("Read-only file system");
    bench.leave();
}

#[test]
fn a_home_in_which_nothing_can_be_made_is_one_error() {
    let server = Server::start();
    let mut home = Home::with(&server);
    let file = home.benchdog_home().join("config.jsonc");
    let settings = std::fs::read_to_string(file).expect("a configuration");
    let Some(disk) = SmallDisk::at(&mut home, "benchdog", "size=3m") else {
        return;
    };
    std::fs::write(disk.path("config.jsonc"), settings).expect("a configuration");
    disk.forbid_writing();
    assert_one_sentence(
        &home.run(&["run", "hello"]),
        1,
        "Read-only file system",
        "`BENCHDOG_HOME`",
    );
    home.run(&["config", "show"]).assert_code(0);
}

#[test]
fn the_data_of_another_user_is_one_error() {
    let server = Server::start();
    let Some(home) = Home::with(&server).of_nobody() else {
        return;
    };
    // The folder belongs to root, who runs this test.
    std::fs::create_dir(home.benchdog_home().join("data")).expect("a folder");
    for line in [&["run", "hello"][..], &["sessions", "list"]] {
        assert_one_sentence(&home.run(line), 1, "Operation not permitted", "`BENCHDOG_HOME`");
    }
}

#[test]
fn a_home_that_is_no_folder_is_one_error() {
    let server = Server::start();
    let home = Home::bare()
        .env("BENCHDOG_HOME", "")
        .env("HOME", "/dev/null/home")
        .env("BENCHDOG_BASE_URL", &server.base_url())
        .env("BENCHDOG_MODEL", MODEL);
    assert_one_sentence(&home.run(&["run", "hello"]), 1, "Not a directory", "`BENCHDOG_HOME`");
    home.run(&["docs", "limits"]).assert_code(0);
}

#[test]
fn without_any_home_it_is_said_which_variable_names_one() {
    let Some(home) = Home::bare().env("BENCHDOG_HOME", "").env("HOME", "").of_a_stranger() else {
        return;
    };
    assert_one_sentence(&home.run(&["run", "hello"]), 2, "No home folder", "`BENCHDOG_HOME`");
    home.run(&["docs", "limits"]).assert_code(0);
}

#[test]
fn a_file_that_may_not_grow_fails_one_write_and_kills_nothing() {
    let home = Home::bare();
    let run = home.run_into_small_file(2, &["docs", "config"]);
    assert_one_sentence(&run, 1, "File too large", "`ulimit -f`");
}

#[test]
fn whatever_is_written_for_a_person_says_where_room_is_needed_and_keeps_what_was_there() {
    let server = Server::start();
    let mut home = Home::with(&server);
    home.run_with_input(&["auth", "set", "kit"], "first-key\n")
        .assert_code(0);
    let keys = home.benchdog_home().join("data/credentials.json");
    let before = std::fs::read(&keys).expect("stored keys");
    let Some(disk) = SmallDisk::at(&mut home, "benchdog/data", "size=64k") else {
        return;
    };
    std::fs::copy(&keys, disk.path("credentials.json")).expect("stored keys");
    disk.fill(0);
    let run = home.run_with_input(&["auth", "set", "kit"], "k".repeat(5_000) + "\n");
    assert_one_sentence(&run, 1, "No space left", "Free disk space");
    assert_eq!(
        std::fs::read(disk.path("credentials.json")).expect("stored keys"),
        before
    );
    let record = disk.path("record").display().to_string();
    let run = home.run(&["run", "--record", &record, "hello"]);
    assert_one_sentence(&run, 2, "No space left", "disk with free space");
}
