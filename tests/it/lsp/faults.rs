//! Tests of servers that hang, crash, flood or answer for another version.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{edit, edited, home, notes, result, wait};
use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn three_edits(behaves: &str) -> (Vec<String>, Finished, Duration) {
    let server = Server::start();
    let home = home(&server, behaves);
    home.file("a.txt", "one\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        wait("initialize", 1),
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
    (results, run, took)
}

#[test]
fn a_silent_server_costs_a_turn_two_seconds_and_not_more() {
    for behaves in ["hung", "deaf", "flood", "old"] {
        let (results, run, took) = three_edits(behaves);
        let late = "\n\nfake did not answer within 2 s; `diagnostics` shows its results later.\n";
        let told = |result: &str, text: &str| result.starts_with(&format!("updated `a.txt` +1 -1.{text}"));
        assert!(told(&results[0], late), "{behaves}: {}", results[0]);
        for later in &results[1..] {
            assert!(told(later, "\n") && !later.contains("fake"), "{behaves}: {later}");
        }
        let times = |event: &str| -> Vec<jiff::Timestamp> {
            let of_edits = run.events(event).into_iter().filter(|line| line["tool"] == "edit");
            let time = |line: serde_json::Value| line["time"].as_str()?.parse().ok();
            of_edits.map(|line| time(line).expect("a time")).collect()
        };
        let began_and_ended = times("tool_started").into_iter().zip(times("tool_finished"));
        let edits: Vec<i64> = began_and_ended
            .map(|(began, ended)| ended.duration_since(began).as_millis() as i64)
            .collect();
        assert!((1_900..4_000).contains(&edits[0]), "{behaves}: {edits:?}");
        assert!(edits[1] < 1_900 && edits[2] < 1_900, "{behaves}: {edits:?}");
        assert!(took < Duration::from_secs(40), "{behaves}: {took:?}");
    }
}

#[test]
fn a_server_that_crashes_twice_is_given_up_with_one_notice() {
    let server = Server::start();
    let home = home(&server, "crash");
    home.file("a.txt", "one\n").file("b.txt", "one\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        wait("text", 1),
        call("edit", edit("a.txt", "one", "two")),
        wait("text", 2),
        call("read", json!({"path": "b.txt"})),
        wait("text", 3),
        call("edit", edit("b.txt", "one", "two")),
        wait("text", 4),
        call("edit", edit("a.txt", "two", "three")),
        text("done"),
    ]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "edit it"]);
    run.assert_code(0);
    let last = result(&server, 10);
    assert!(
        last.starts_with("updated `a.txt` +1 -1.") && !last.contains("fake"),
        "{last}"
    );
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
        "updated `a.txt` +2 -1.\n\nNew diagnostics after this edit (fake):\na.txt:2:1: error: brought [fake]\n\
         other.txt:2:1: error: of_brought [fake]\n1 error not shown: also there before the edit.\n"
    );
}

#[test]
fn an_error_in_a_file_that_the_server_never_named_before_is_told_with_the_edit() {
    let told = edited("spread", "one\n", "one", "ERROR brought");
    assert_eq!(
        told,
        "updated `a.txt` +1 -1.\n\nNew diagnostics after this edit (fake):\na.txt:1:1: error: brought [fake]\n\
         other.txt:1:1: error: brought [fake]\n"
    );
}

#[test]
fn an_error_in_another_file_that_comes_late_is_told_with_the_next_edit_and_once() {
    let server = Server::start();
    let home = home(&server, "spread_late");
    home.file("a.txt", "one\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        wait("text", 1),
        call("edit", edit("a.txt", "one", "ERROR brought")),
        wait("spread", 1),
        call("edit", edit("a.txt", "ERROR brought", "ERROR brought\nmore")),
        wait("spread", 2),
        call("edit", edit("a.txt", "more", "enough")),
        text("done"),
    ]);
    home.run(&["run", "--approve", "all", "edit it"]).assert_code(0);
    let edits = [4, 6, 8].map(|request| result(&server, request));
    assert!(edits[0].contains("a.txt:1:1: error: brought [fake]"), "{}", edits[0]);
    assert!(!edits[0].contains("other.txt"), "{}", edits[0]);
    assert!(
        edits[1].contains("other.txt:1:1: error: brought [fake]"),
        "{}",
        edits[1]
    );
    assert!(!edits[1].contains("\na.txt"), "{}", edits[1]);
    assert!(!edits[2].contains("error"), "{}", edits[2]);
}
