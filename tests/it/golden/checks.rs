//! Scenarios with the check after changes: none, passing, failing and fixed, always failing, not allowed, disabled.

use serde_json::{Value, json};

use super::stage::Stage;
use crate::support::reply::{Reply, call, text};

fn write(content: &str) -> Reply {
    call("write", json!({"path": "made.txt", "content": content}))
}

fn checked_by(command: &'static str) -> impl FnOnce(&mut Value) {
    move |settings| settings["validation"] = json!({"command": command})
}

#[test]
fn check_not_recognised() {
    let mut stage = Stage::new("check_not_recognised");
    stage.script([write("x\n"), text("Made.")]);
    stage.run(&["--approve", "edits", "make it"]).hold();
}

#[test]
fn check_passing() {
    let mut stage = Stage::with("check_passing", checked_by("echo looked; grep -q x made.txt"));
    stage.script([write("x\n"), text("Made.")]);
    stage.run(&["--approve", "edits", "make it"]).hold();
}

#[test]
fn check_recognised_and_approved() {
    let mut stage = Stage::new("check_recognised_and_approved");
    stage
        .file("check.sh", "grep x made.txt\n")
        .script([write("x\n"), text("Made.")]);
    stage.run(&["--approve", "edits", "make it"]).hold();
}

#[test]
fn check_denied() {
    let mut stage = Stage::with("check_denied", |settings| {
        settings["permission"] = json!({"edit": "allow"})
    });
    stage
        .file("check.sh", "grep x made.txt\n")
        .script([write("x\n"), text("Made.")]);
    stage.run(&["make it"]).hold();
}

#[test]
fn check_denied_by_rule() {
    let mut stage = Stage::with("check_denied_by_rule", |settings| {
        settings["permission"] = json!({"bash": {"sh *": "deny"}});
    });
    stage
        .file("check.sh", "grep x made.txt\n")
        .script([write("x\n"), text("Made.")]);
    stage.run(&["--approve", "edits", "make it"]).hold();
}

#[test]
fn check_failing_and_then_mended() {
    let mut stage = Stage::with(
        "check_failing_and_then_mended",
        checked_by("grep -q fixed made.txt || { echo 'not fixed'; exit 1; }"),
    );
    stage.script([write("wrong\n"), text("Made."), write("fixed\n"), text("Mended.")]);
    stage.run(&["--approve", "edits", "make it"]).hold();
}

#[test]
fn check_failing_to_the_end() {
    let mut stage = Stage::with("check_failing_to_the_end", checked_by("echo the check is red; exit 1"));
    stage.script([
        write("a\n"),
        text("Made."),
        write("b\n"),
        text("Made again."),
        write("c\n"),
        text("And again."),
        text("Never asked."),
    ]);
    stage.run(&["--approve", "edits", "make it"]).hold();
}

#[test]
fn check_failing_and_left_so() {
    let mut stage = Stage::with("check_failing_and_left_so", checked_by("echo the check is red; exit 1"));
    stage.script([write("a\n"), text("Made."), text("It is fine as it is.")]);
    stage.run(&["--approve", "edits", "make it"]).hold();
}

#[test]
fn check_switched_off() {
    let mut stage = Stage::with("check_switched_off", |settings| {
        settings["validation"] = json!({"auto": false, "command": "false"});
    });
    stage.script([write("a\n"), text("Made.")]);
    stage.run(&["--approve", "edits", "make it"]).hold();
}
