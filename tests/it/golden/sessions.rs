//! Scenarios with resumed sessions, folders with rules, and recordings.

use rustix::process::Signal;
use serde_json::json;

use super::stage::Stage;
use crate::support::PATIENCE;
use crate::support::process::look_until;
use crate::support::reply::{call, stream, text};

const RULE: &str = "Always answer in rhyme.\n";

#[test]
fn taken_up_with_its_list_and_its_window() {
    let mut stage = Stage::new("taken_up_with_its_list_and_its_window");
    let items = json!([{"text": "look", "status": "completed"}, {"text": "tell", "status": "in_progress"}]);
    stage.file("a.txt", "one\n").script([
        call("todowrite", json!({"items": items})),
        call("read", json!({"path": "a.txt"})),
        text("One line so far."),
        call(
            "edit",
            json!({"path": "a.txt", "edits": [{"old": "one", "new": "two"}]}),
        ),
        call("todowrite", json!({"set": {"id": 2, "status": "completed"}})),
        text("All told."),
    ]);
    stage
        .run(&["look and tell"])
        .run(&["-c", "--approve", "edits", "go on"])
        .hold();
}

#[test]
fn killed_in_a_command_and_taken_up() {
    let mut stage = Stage::new("killed_in_a_command_and_taken_up");
    stage.file("a.txt", "one\n").script([
        stream()
            .says("First I read.")
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
        stream()
            .says("Then I wait.")
            .calls("bash", json!({"command": "echo begun; sleep 63"}))
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
        text("Still here."),
    ]);
    let started = stage.start(&["--approve", "all", "wait for it"]);
    started.running.wait_for_stdout("tool_output");
    started.running.signal(Signal::KILL);
    stage.end(started).run(&["-c", "are you there?"]).hold();
}

#[test]
fn killed_in_the_stream_and_taken_up() {
    let mut stage = Stage::new("killed_in_the_stream_and_taken_up");
    const SAID: &str = "I was going to";
    stage.script([stream().says(SAID).falls_silent(), text("Still here.")]);
    let started = stage.start(&["talk"]);
    started.running.wait_for_stdout("to\"}");
    // Text is printed before it is on disk.
    let sessions = stage.home.benchdog_home().join("data/sessions");
    let is_saved = || {
        let mut files = std::fs::read_dir(&sessions).expect("the sessions").flatten();
        files.any(|file| {
            let bytes = std::fs::read(file.path()).unwrap_or_default();
            let mut parts = bytes.windows(SAID.len());
            parts.any(|bytes| bytes == SAID.as_bytes())
        })
    };
    assert!(look_until(PATIENCE, is_saved), "the text is saved");
    started.running.signal(Signal::KILL);
    stage.end(started).run(&["-c", "are you there?"]).hold();
}

#[test]
fn nothing_to_take_up() {
    let mut stage = Stage::new("nothing_to_take_up");
    stage.run(&["-c", "hello"]).run(&["-r", "nobody", "hello"]).hold();
}

#[test]
fn folder_that_is_not_trusted() {
    let mut stage = Stage::new("folder_that_is_not_trusted");
    let settings = json!({"permission": {"edit": "allow"}});
    stage
        .file("AGENTS.md", RULE)
        .file(".benchdog/config.jsonc", &settings.to_string())
        .script([
            call("write", json!({"path": "made.txt", "content": "x\n"})),
            text("Plain."),
        ]);
    stage.run(&["hello"]).hold();
}

#[test]
fn folder_that_is_trusted() {
    let mut stage = Stage::new("folder_that_is_trusted");
    let settings = json!({"permission": {"edit": "allow"}, "validation": {"command": "echo checked"}});
    stage
        .file("AGENTS.md", RULE)
        .file(".benchdog/config.jsonc", &settings.to_string())
        .script([
            call("write", json!({"path": "made.txt", "content": "x\n"})),
            text("In rhyme."),
        ]);
    stage.run(&["--trust", "hello"]);
    let system = stage.server.request(1).messages()[0].to_string();
    assert!(system.contains(RULE.trim()), "{system}");
    stage.hold();
}

#[test]
fn recording_replayed() {
    let mut stage = Stage::new("recording_replayed");
    let recording = stage.home.outside().join("session.recording");
    let recording = recording.to_string_lossy();
    stage.file("a.txt", "one\ntwo\n").script([
        stream()
            .thinks("Hm.")
            .says("I look.")
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
        text("Two lines."),
    ]);
    stage.run(&["--record", &recording, "how many lines?"]);
    stage.run(&["--replay", &recording, "how many lines?"]);
    stage
        .run(&["--replay", &recording, "--max-steps", "1", "how many lines?"])
        .hold();
}

#[test]
fn recording_that_ends_too_soon() {
    let mut stage = Stage::new("recording_that_ends_too_soon");
    let recording = stage.home.outside().join("session.recording");
    let recording = recording.to_string_lossy();
    stage.script([call("list", json!({}))]);
    stage.run(&["--record", &recording, "--max-steps", "1", "look"]);
    stage.run(&["--replay", &recording, "look"]).hold();
}
