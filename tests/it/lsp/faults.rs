//! Servers that hang, crash, flood or answer for another version.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{edit, edited, home, notes, result};
use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// Runs three edits. Returns their results, and the run.
fn three_edits(behaves: &str) -> (Home, Vec<String>, Finished, Duration) {
    let server = Server::start();
    let home = home(&server, behaves);
    home.file("a.txt", "one\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        // The server has time to look at the file, so that an edit is a change for it.
        call("bash", json!({"command": "sleep 1"})),
        call("edit", edit("a.txt", "one", "two ERROR first")),
        call("edit", edit("a.txt", "two", "three")),
        call("edit", edit("a.txt", "three", "four")),
        text("done"),
    ]);
    let began = Instant::now();
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "edit it"]);
    let took = began.elapsed();
    run.assert_code(0);
    let results = (4..=6).map(|request| result(&server, request)).collect();
    (home, results, run, took)
}

#[test]
fn a_silent_server_costs_a_turn_two_seconds_and_not_more() {
    for behaves in ["hung", "deaf", "flood", "old"] {
        let (_, results, _, took) = three_edits(behaves);
        let late = "\n\nfake did not answer within 2 s; ask `diagnostics` later.\n";
        assert_eq!(results[0], format!("updated `a.txt` +1 -1.{late}"), "{behaves}");
        assert_eq!(results[1], "updated `a.txt` +1 -1.\n", "{behaves}");
        assert_eq!(results[2], "updated `a.txt` +1 -1.\n", "{behaves}");
        // Three waits would be six seconds.
        let range = Duration::from_millis(2_900)..Duration::from_millis(6_500);
        assert!(range.contains(&took), "{behaves}: {took:?}");
    }
}

#[test]
fn a_server_that_crashes_twice_is_given_up_with_one_notice() {
    let (home, results, run, _) = three_edits("crash");
    let ended = "updated `a.txt` +1 -1.\n\nfake ended before it answered.\n";
    assert_eq!((results[0].as_str(), results[2].as_str()), (ended, ended));
    let notices = run.events("notice");
    let told: Vec<_> = notices
        .iter()
        .filter(|notice| notice["code"] == "language_server")
        .collect();
    assert_eq!(told.len(), 1, "{run}");
    let words = told[0]["text"].as_str().unwrap_or_default();
    assert!(words.contains("it fell over") && words.contains("2 times"), "{words}");
    assert_eq!(notes(&home).matches("initialize\n").count(), 2, "{}", notes(&home));
}

#[test]
fn a_server_that_is_not_there_is_told_once_and_the_edit_is_made() {
    let server = Server::start();
    let home = Home::bare();
    home.file("a.txt", "one\n");
    let mut whole = crate::support::home::config(&server.base_url());
    whole["lsp"] = json!({"fake": {"command": ["no-such-server"], "files": ["*.txt"]}});
    home.configure(&whole);
    server.script([
        call("edit", edit("a.txt", "one", "two")),
        call("edit", edit("a.txt", "two", "three")),
        text("done"),
    ]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "edit it"]);
    run.assert_code(0);
    assert_eq!(home.read("a.txt"), "three\n");
    let notices = run.events("notice");
    let told = notices.iter().filter(|notice| notice["code"] == "language_server");
    assert_eq!(told.count(), 1, "{run}");
}

#[test]
fn many_errors_are_told_in_part() {
    let errors: String = (0..30).map(|number| format!("ERROR e{number}\n")).collect();
    let told = edited("honest", "one\n", "one\n", &errors);
    assert_eq!(told.matches(": error: ").count(), 20, "{told}");
    assert!(
        told.contains("\n10 more are not shown; `diagnostics` shows them.\n"),
        "{told}"
    );
}

#[test]
fn an_error_in_another_file_is_told_only_if_it_is_new() {
    let told = edited("beside", "one\nERROR here\n", "one", "zero\nERROR brought");
    assert_eq!(
        told,
        "updated `a.txt` +2 -1.\n\nNew after this change, by fake:\na.txt:2:1: error: brought [fake]\n\
         other.txt:2:1: error: of_brought [fake]\n1 error that was there before not shown.\n"
    );
}
