//! Scenarios with runs stopped by a signal: in the stream, in a command, in the check.

use rustix::process::Signal;
use serde_json::json;

use super::stage::Stage;
use crate::support::reply::{call, stream, text};

#[test]
fn stopped_in_the_stream() {
    let mut stage = Stage::new("stopped_in_the_stream");
    stage.script([
        stream().thinks("Well.").says("I am thinking about").falls_silent(),
        text("Going on."),
    ]);
    let started = stage.start(&["think"]);
    started.running.wait_for_stdout("about\"}");
    started.running.signal(Signal::INT);
    stage.end(started).run(&["-c", "and now?"]).hold();
}

#[test]
fn stopped_before_the_first_word() {
    let mut stage = Stage::new("stopped_before_the_first_word");
    stage.script([stream().falls_silent(), text("Going on.")]);
    let started = stage.start(&["think"]);
    stage.server.request(1);
    started.running.signal(Signal::TERM);
    stage.end(started).run(&["-c", "and now?"]).hold();
}

#[test]
fn stopped_in_a_command() {
    let mut stage = Stage::new("stopped_in_a_command");
    stage.script([
        stream()
            .says("I wait.")
            .calls("bash", json!({"command": "echo begun; sleep 61"}))
            .calls("write", json!({"path": "never.txt", "content": "x"}))
            .ends(),
        text("Going on."),
    ]);
    let started = stage.start(&["--approve", "all", "wait a while"]);
    started.running.wait_for_stdout("tool_output");
    started.running.signal(Signal::INT);
    stage.end(started).run(&["-c", "and now?"]).hold();
}

#[test]
fn stopped_in_the_check() {
    let mut stage = Stage::with("stopped_in_the_check", |settings| {
        settings["validation"] = json!({"command": "echo begun; sleep 62"});
    });
    stage.script([
        call("write", json!({"path": "made.txt", "content": "x\n"})),
        text("Made."),
        text("Going on."),
    ]);
    let started = stage.start(&["--approve", "edits", "make it"]);
    started.running.wait_for_stdout("tool_output");
    started.running.signal(Signal::INT);
    stage.end(started).run(&["-c", "and now?"]).hold();
}
