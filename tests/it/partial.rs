//! Tests of kills in the middle of an answer. The received text is recovered, and the session continues.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::PATIENCE;
use crate::support::home::Home;
use crate::support::process::look_until;
use crate::support::pty::Pty;
use crate::support::reply::{Gate, call, stream, text};
use crate::support::server::Server;

/// Returns words of an answer, each in a separate chunk.
fn words(from: usize, upto: usize) -> String {
    (from..=upto).map(|number| format!("w{number} ")).collect()
}

fn partials(home: &Home) -> Vec<PathBuf> {
    let folder = home.benchdog_home().join("data/sessions");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|end| end == "partial"))
        .collect()
}

/// Whether the stored pieces of the streaming answer contain `text`.
fn is_kept(home: &Home, text: &str) -> bool {
    let stored = partials(home)
        .into_iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    let answer = |file: String| -> String {
        let pieces = file.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        pieces
            .filter_map(|piece| piece["text"].as_str().map(str::to_owned))
            .collect()
    };
    stored.map(answer).any(|answer| answer.contains(text))
}

fn entries(home: &Home) -> Vec<Value> {
    let sessions = home
        .run(&["sessions", "list", "--format", "json"])
        .json_lines()
        .remove(0);
    let id = sessions[0]["id"].as_str().expect("a session").to_owned();
    let shown = home.run(&["sessions", "show", &id, "--format", "json"]);
    shown.assert_code(0);
    let whole = shown.json_lines().remove(0);
    whole["entries"].as_array().cloned().unwrap_or_default()
}

fn cut(home: &Home) -> Vec<Value> {
    let mut entries = entries(home);
    entries.retain(|entry| entry["kind"] == "assistant" && entry["error"] == "ended");
    entries
}

#[test]
fn every_piece_that_a_script_had_read_is_there_after_a_kill_but_for_the_last_moment() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([stream()
        .thinks("A thought.")
        .says(&words(1, 80))
        .holds(&gate)
        .says(&words(81, 107))
        .falls_silent()]);
    let run = home.start(&["run", "--output", "stream-json", "count"], None);
    run.wait_for_stdout("w80");
    let seen = Instant::now();
    assert!(look_until(PATIENCE, || is_kept(&home, "w80")), "nothing was kept");
    let late = seen.elapsed();
    assert!(late < Duration::from_millis(500), "it was kept after {late:?}");
    gate.open();
    run.wait_for_stdout("w107");
    run.signal(Signal::KILL);
    run.wait();

    let found = cut(&home);
    let said = found[0]["text"].as_str().expect("a text");
    assert!(said.starts_with(words(1, 80).trim_end()), "{said}");
    assert!(words(1, 107).starts_with(said), "{said}");
    assert_eq!(found[0]["reasoning"], "A thought.");
    // A recovered answer is a normal entry, and later messages follow it.
    server.script([text("Going on."), text("And on.")]);
    home.run(&["run", "-c", "go on"]).assert_code(0);
    assert!(partials(&home).is_empty(), "{:?}", partials(&home));
    home.run(&["run", "-c", "and on"]).assert_code(0);
    assert_eq!(cut(&home), found);
    assert!(server.request(2).says(words(1, 80).trim_end()));
    server.assert_append_only();
}

#[test]
fn the_workbench_shows_it_cut_short() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([stream().says("I had begun to say").falls_silent()]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    bench.wait_for_text("I had begun to say");
    assert!(look_until(PATIENCE, || is_kept(&home, "to say")), "nothing was kept");
    bench.signal(Signal::KILL);
    bench.wait_exit();
    for _ in 0..2 {
        // A read-only view removes nothing.
        let again = home.bench(&["-c"]);
        again.wait_for("the answer", |screen| {
            screen.has("I had begun to say") && screen.has("Benchdog was closed")
        });
        assert_eq!(cut(&home).len(), 1, "commands read it while the session is open");
        again.leave();
    }
    let again = home.bench(&["-c"]);
    server.script([text("Still here.")]);
    again.ask("are you there?");
    again.wait_for_text("Still here.");
    again.leave();
    assert!(server.request(2).says("I had begun to say"));
    server.assert_append_only();
    assert!(partials(&home).is_empty());
}

#[test]
fn an_answer_that_still_arrives_elsewhere_is_left_alone_and_what_ended_leaves_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([stream().says("Half of it").holds(&gate).says(" and the rest.").ends()]);
    let run = home.start(&["run", "talk"], None);
    assert!(look_until(PATIENCE, || is_kept(&home, "of it")), "nothing was kept");
    assert!(cut(&home).is_empty(), "somebody else has the session");
    assert!(is_kept(&home, "of it"));
    gate.open();
    run.wait().assert_code(0);
    assert!(partials(&home).is_empty());
    assert!(cut(&home).is_empty());
}

#[test]
fn a_change_that_waited_for_the_person_is_asked_about_again() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("b.txt", "one\n");
    let patch = "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-one\n+two\n--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+new\n";
    server.script([call("patch", json!({ "patch": patch }))]);
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.wait_for_review("c.txt");
    for _ in 0..2 {
        bench_is_killed(&bench);
        let again = home.bench(&["-c"]);
        again.wait_for_review("c.txt");
        assert_eq!(server.requests().len(), 1, "nothing was sent meanwhile");
        bench_is_killed(&again);
    }
    assert!(!home.path("c.txt").exists());

    server.script([text("Both are changed.")]);
    let again = home.bench(&["-c"]);
    again.accept("c.txt");
    again.wait_for_text("Both are changed.");
    assert_eq!(
        (home.read("b.txt"), home.read("c.txt")),
        ("two\n".to_owned(), "new\n".to_owned())
    );
    again.leave();
    server.assert_append_only();
}

#[test]
fn what_waited_is_told_as_not_run_where_nobody_can_answer() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([stream()
        .calls("ask", json!({"question": "Which?"}))
        .calls("read", json!({"path": "a"}))
        .ends()]);
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.wait_for_text("Which?");
    bench_is_killed(&bench);
    server.script([text("Gone on.")]);
    home.run(&["run", "-c", "and now"]).assert_code(0);
    let last = server.requests().pop().expect("a request");
    assert!(
        last.raw.contains("Benchdog ended before this call was run"),
        "{}",
        last.raw
    );
    last.assert_well_formed();
}

fn bench_is_killed(bench: &Pty) {
    bench.signal(Signal::KILL);
    bench.wait_exit();
}
