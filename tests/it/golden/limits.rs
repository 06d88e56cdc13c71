//! Scenarios with limits of a run: steps, tokens, cost, time, and the context window.

use serde_json::json;

use super::stage::Stage;
use crate::support::reply::{Reply, call, stream, text};
use crate::support::server::MODEL;

fn looks() -> impl Iterator<Item = Reply> {
    (0..5).map(|_| call("list", json!({})))
}

#[test]
fn out_of_steps() {
    let mut stage = Stage::new("out_of_steps");
    stage.script(looks());
    stage.run(&["--max-steps", "2", "look around"]).hold();
}

#[test]
fn out_of_tokens() {
    let mut stage = Stage::new("out_of_tokens");
    stage.script(looks());
    stage
        .run(&["--max-tokens", "2000", "look around"])
        .run(&["-c", "--max-tokens", "2000", "more"])
        .hold();
}

#[test]
fn out_of_money() {
    let mut stage = Stage::with("out_of_money", |settings| {
        settings["provider"]["kit"]["models"][MODEL]["price"] = json!({"input": 10, "output": 20});
    });
    stage.script(looks());
    stage.run(&["--max-cost", "0.02", "look around"]).hold();
}

#[test]
fn out_of_time_in_the_stream() {
    let mut stage = Stage::new("out_of_time_in_the_stream");
    stage.script([stream().says("thinking").falls_silent()]);
    stage.run(&["--timeout", "1", "think"]).hold();
}

#[test]
fn out_of_time_in_a_command() {
    let mut stage = Stage::new("out_of_time_in_a_command");
    stage.script([call("bash", json!({"command": "echo begun; sleep 67"}))]);
    stage.run(&["--approve", "all", "--timeout", "1", "wait"]).hold();
}

#[test]
fn over_the_window() {
    let mut stage = Stage::with("over_the_window", |settings| {
        settings["provider"]["kit"]["models"][MODEL] = json!({"context": 4096, "output": 512});
    });
    stage
        .file("long.txt", &"words of a long file, again and again\n".repeat(300))
        .script([call("read", json!({"path": "long.txt"})), text("Too much.")]);
    stage.run(&[&"a question that is too long for it ".repeat(500)]);
    stage.run(&["read it"]).hold();
}
