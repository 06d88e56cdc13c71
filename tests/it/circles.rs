//! Tests of a model without progress, which repeats the same call or gets only denials. The workbench asks the person,
//! and a run ends.

use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{Reply, call, text};
use crate::support::server::Server;

fn reads_again(server: &Server) {
    server.model(|_| Some(again()));
}

fn again() -> Reply {
    call("read", json!({"path": "notes.txt"}))
}

/// Focuses the question and waits until Enter is enabled.
#[track_caller]
fn enter_question(bench: &Pty) {
    bench.keys("alt-a");
    wait_until_enter_counts(bench);
}

#[track_caller]
fn wait_until_enter_counts(bench: &Pty) {
    bench.wait_for("Enter to light up", |screen| {
        let key = screen
            .find("Enter answer")
            .and_then(|(row, column)| screen.cell(row, column));
        key.is_some_and(|cell| cell.bold() && !cell.dim())
    });
}

fn outcome(lines: &[Value]) -> &Value {
    &lines.last().expect("a line")["outcome"]
}

#[test]
fn a_run_that_goes_in_circles_ends_with_7_after_the_model_was_told() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\n");
    reads_again(&server);
    let run = home.run(&["run", "--output", "stream-json", "read the notes"]);
    run.assert_code(7);
    assert_eq!(outcome(&run.json_lines()), "loop", "{run}");
    assert_eq!(server.requests().len(), 3, "{run}");
    assert!(!server.request(2).says("the same result"));
    assert!(
        server.request(3).says("the same result 2 times"),
        "the second result says so"
    );
    let notices = run.events("notice");
    let said = notices.iter().find(|line| line["code"] == "loop").expect("a notice");
    assert!(
        said["text"]
            .as_str()
            .is_some_and(|text| text.contains("read notes.txt")),
        "{run}"
    );
    server.assert_append_only();
}

#[test]
fn a_run_whose_calls_are_denied_three_times_in_a_row_ends_with_3() {
    let server = Server::start();
    let home = Home::with(&server);
    let mut file = 0;
    server.model(move |_| {
        file += 1;
        Some(call("write", json!({"path": format!("{file}.txt"), "content": "x"})))
    });
    let run = home.run(&["run", "--output", "stream-json", "write a file"]);
    run.assert_code(3);
    assert_eq!(outcome(&run.json_lines()), "denied", "{run}");
    assert_eq!(server.requests().len(), 3, "{run}");
    assert!(server.request(2).says("Do not repeat it unchanged"));
    server.assert_append_only();
}

#[test]
fn at_the_bench_a_loop_waits_for_a_person_who_may_let_it_go_on() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\n");
    server.script([again(), again(), again(), text("I give up.")]);
    let bench = home.bench(&[]);
    bench.ask("read the notes");
    bench.wait_for_review("3 times with the same result");
    enter_question(&bench);
    bench.keys("enter");
    bench.wait_for_text("I give up.");
    server.assert_append_only();
    bench.leave();
}

#[test]
fn at_the_bench_a_loop_ends_where_the_person_says_so() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\n");
    reads_again(&server);
    let bench = home.bench(&[]);
    bench.ask("read the notes");
    bench.wait_for_review("3 times with the same result");
    enter_question(&bench);
    bench.keys("down");
    bench.wait_for_text("› 2 ( ) stop");
    wait_until_enter_counts(&bench);
    bench.keys("enter");
    bench.wait_for_text("kept giving the same result");
    assert_eq!(server.requests().len(), 3);
    bench.leave();
}
