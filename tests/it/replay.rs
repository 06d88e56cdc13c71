//! Tests that a recording of a session's model traffic replays the run without a model.

use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn what_was_recorded_replays_without_a_network() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\ntwo\n");
    server.script([call("read", json!({"path": "notes.txt"})), text("Two lines.")]);
    let recording = home.outside().join("session.recording");
    let recording = recording.to_string_lossy();
    let recorded = home.run(&["run", "--record", &recording, "--output", "json", "how many lines?"]);
    recorded.assert_code(0);
    drop(server);

    let replayed = home.run(&["run", "--replay", &recording, "--output", "json", "how many lines?"]);
    replayed.assert_code(0);
    let (before, after) = (&recorded.json_lines()[0], &replayed.json_lines()[0]);
    for field in ["text", "outcome", "usage"] {
        assert_eq!(before[field], after[field], "`{field}`");
    }
    assert_ne!(before["session"], after["session"]);

    let compared = home.run(&["doctor", "compare-requests", &recording]);
    compared.assert_code(0);
    let lines = compared.json_lines();
    assert_eq!(
        (&lines[1]["after"], &lines[1]["first_difference"]),
        (&json!(1), &Value::Null)
    );
    assert_eq!(lines[1]["shared"], lines[0]["bytes"], "{compared}");
}

#[test]
fn a_recording_holds_no_key() {
    let server = Server::start();
    let home = Home::with(&server).env("BENCHDOG_API_KEY", "sk-very-secret");
    server.script([text("hello, sk-very-secret")]);
    let recording = home.outside().join("session.recording");
    home.run(&["run", "--record", &recording.to_string_lossy(), "hi"])
        .assert_code(0);
    assert_eq!(
        server.request(1).header("authorization"),
        Some("Bearer sk-very-secret"),
        "the key is really sent"
    );
    let text = std::fs::read_to_string(&recording).expect("a recording");
    assert!(
        text.contains("hello") && text.contains("[key]") && !text.contains("sk-very-secret"),
        "{text}"
    );
}

#[test]
fn past_its_end_a_recording_says_so_and_the_turn_is_done() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Only this.")]);
    let recording = home.outside().join("session.recording");
    let recording = recording.to_string_lossy();
    home.run(&["run", "--record", &recording, "hi"]).assert_code(0);
    home.run(&["run", "--replay", &recording, "hi"]).assert_code(0);
    let bench = home.bench(&["--replay", &recording]);
    bench.ask("hi");
    bench.wait_for_text("Only this.");
    bench.ask("and more?");
    bench.wait_for("the end of the recording", |screen| {
        screen.text().to_lowercase().contains("recording ends")
    });
    bench.leave();
}

#[test]
fn a_recording_that_is_none_is_refused_by_name() {
    let home = Home::bare();
    home.file("not-a-recording", "hello\n");
    let run = home.run(&["run", "--replay", "not-a-recording", "hi"]);
    run.assert_code(2);
    assert!(run.stderr.contains("not-a-recording"), "{run}");
}
