//! Scenarios with command lines: allowed, pending, denied, dangerous, not understood, and their output.

use serde_json::json;

use super::stage::Stage;
use crate::support::reply::{call, calls, text};

#[test]
fn command_allowed_by_rule() {
    let mut stage = Stage::with("command_allowed_by_rule", |settings| {
        settings["permission"] = json!({"bash": {"echo *": "allow"}});
    });
    stage.script([
        call("bash", json!({"command": "echo allowed", "reason": "To see it."})),
        text("It ran."),
    ]);
    stage.run(&["run it"]).hold();
}

#[test]
fn command_that_only_looks() {
    let mut stage = Stage::new("command_that_only_looks");
    stage
        .file("a.txt", "one\n")
        .script([call("bash", json!({"command": "ls a.txt"})), text("It is there.")]);
    stage.run(&["look"]).hold();
}

#[test]
fn command_denied_without_a_person() {
    let mut stage = Stage::new("command_denied_without_a_person");
    stage.script([call("bash", json!({"command": "touch made.txt"})), text("I may not.")]);
    stage.run(&["touch it"]).hold();
}

#[test]
fn command_denied_by_rule() {
    let mut stage = Stage::with("command_denied_by_rule", |settings| {
        settings["permission"] = json!({"bash": {"touch *": "deny"}, "edit": "deny"});
    });
    stage.script([
        call("bash", json!({"command": "touch made.txt"})),
        call("write", json!({"path": "made.txt", "content": "x"})),
        text("The rules say no."),
    ]);
    stage.run(&["--approve", "all", "touch it"]).hold();
}

#[test]
fn command_dangerous_and_not_understood() {
    let mut stage = Stage::new("command_dangerous_and_not_understood");
    stage.file("a.txt", "one\n").script([
        call("bash", json!({"command": "rm a.txt"})),
        call("bash", json!({"command": "echo x > a.txt"})),
        call("bash", json!({"command": "cat <<"})),
        text("None of them ran."),
    ]);
    stage.run(&["--approve", "all", "try hard"]).hold();
}

#[test]
fn three_denials() {
    let mut stage = Stage::new("three_denials");
    stage.script([
        call("bash", json!({"command": "touch made.txt"})),
        call("bash", json!({"command": "touch made.txt"})),
        calls([
            ("bash", json!({"command": "touch made.txt"})),
            ("write", json!({"path": "made.txt", "content": ""})),
        ]),
        text("I have tried."),
    ]);
    stage.run(&["touch it"]).hold();
}

#[test]
fn denied_and_then_another_way() {
    let mut stage = Stage::new("denied_and_then_another_way");
    stage.script([
        call("bash", json!({"command": "rm nothing"})),
        call("write", json!({"path": "made.txt", "content": "x\n"})),
        text("Done another way."),
    ]);
    stage.run(&["--approve", "edits", "do it"]).hold();
}

#[test]
fn command_output_in_pieces() {
    let mut stage = Stage::new("command_output_in_pieces");
    let command = "echo first; sleep 0.1; echo second >&2; sleep 0.1; printf third";
    stage.script([call("bash", json!({"command": command})), text("Three.")]);
    stage.run(&["--approve", "all", "count"]).hold();
}

#[test]
fn command_that_fails() {
    let mut stage = Stage::new("command_that_fails");
    stage.script([
        call("bash", json!({"command": "echo before; exit 3"})),
        call("bash", json!({"command": "true"})),
        // `--approve all` does not cover a kill, because it affects other processes.
        call("bash", json!({"command": "kill -9 $$"})),
        text("Some of it failed."),
    ]);
    stage.run(&["--approve", "all", "fail"]).hold();
}

#[test]
fn command_out_of_time() {
    let mut stage = Stage::new("command_out_of_time");
    stage.script([
        call("bash", json!({"command": "echo begun; sleep 66", "timeout_ms": 400})),
        text("Too long."),
    ]);
    stage.run(&["--approve", "all", "wait"]).hold();
}

#[test]
fn command_elsewhere_and_in_the_background() {
    let mut stage = Stage::new("command_elsewhere_and_in_the_background");
    stage.file("sub/a.txt", "one\n").script([
        call("bash", json!({"command": "cat a.txt; pwd", "workdir": "sub"})),
        call("bash", json!({"command": "sleep 1", "background": true})),
        call("bash", json!({"command": "ls", "workdir": "missing"})),
        text("Seen."),
    ]);
    stage.run(&["--approve", "all", "look there"]).hold();
}

#[test]
fn command_with_long_output() {
    let mut stage = Stage::new("command_with_long_output");
    stage.script([call("bash", json!({"command": "seq 1 12000"})), text("Many.")]);
    stage
        .run_plain(&["run", "--output", "json", "--approve", "all", "count far"])
        .hold();
}

#[test]
fn command_with_odd_bytes() {
    let mut stage = Stage::new("command_with_odd_bytes");
    stage.script([
        call(
            "bash",
            json!({"command": "printf 'a\\rb\\033[31mred\\033[0m\\377\\n數字\\n'"}),
        ),
        text("Odd."),
    ]);
    stage.run(&["--approve", "all", "be odd"]).hold();
}
