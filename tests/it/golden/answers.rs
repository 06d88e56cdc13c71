//! Scenarios with text answers: plain, with reasoning, empty, truncated, and with reports about the window.

use super::stage::Stage;
use crate::support::PATIENCE;
use crate::support::process::look_until;
use crate::support::reply::{Gate, Reply, call, stream, text};

const DONE: &str = "data: [DONE]\n\n";

fn ended_by(reply: Reply, reason: &str) -> Reply {
    let end = serde_json::json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
    reply.raw(&format!("data: {end}\n\n{DONE}"))
}

#[test]
fn plain_answer() {
    let mut stage = Stage::new("plain_answer");
    stage.script([text("Hello, this is the whole answer.\n\nIn two paragraphs.")]);
    stage.run(&["say hello"]).hold();
}

#[test]
fn reasoning_before_the_answer() {
    let mut stage = Stage::new("reasoning_before_the_answer");
    stage.script([stream().thinks("First ").thinks("I think.").says("Then I say.").ends()]);
    stage.run(&["think first"]).hold();
}

#[test]
fn reasoning_between_calls() {
    let mut stage = Stage::new("reasoning_between_calls");
    stage.file("a.txt", "one\n").script([
        stream()
            .thinks("I must look.")
            .says("Let me look.")
            .calls("read", serde_json::json!({"path": "a.txt"}))
            .ends(),
        stream().thinks("It is one line.").says("One line.").ends(),
    ]);
    stage.run(&["how many lines?"]).hold();
}

#[test]
fn wide_letters() {
    let mut stage = Stage::new("wide_letters");
    stage.file("筆記.txt", "第一行\n").script([
        call("read", serde_json::json!({"path": "筆記.txt"})),
        text("檔案裡只有一行：第一行。"),
    ]);
    stage.run(&["請讀筆記"]).hold();
}

#[test]
fn empty_reply_then_an_answer() {
    let mut stage = Stage::new("empty_reply_then_an_answer");
    stage.script([stream().ends(), text("Now I speak.")]);
    stage.run(&["say something"]).hold();
}

#[test]
fn empty_replies_to_the_end() {
    let mut stage = Stage::new("empty_replies_to_the_end");
    stage.script([
        stream().ends(),
        stream().thinks("only thought").ends(),
        stream().says(" \n").ends(),
    ]);
    stage.run(&["say something"]).hold();
}

#[test]
fn answer_cut_at_length() {
    let mut stage = Stage::new("answer_cut_at_length");
    stage.script([ended_by(stream().says("It was going to be long"), "length")]);
    stage.run(&["tell me all"]).hold();
}

#[test]
fn call_cut_at_length() {
    let mut stage = Stage::new("call_cut_at_length");
    let piece = r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_900","type":"function","function":{"name":"write","arguments":"{\"path\": \"a.txt\", \"content\": \"half"}}]}}]}"#;
    stage.script([
        ended_by(stream().says("I write.").raw(&format!("{piece}\n\n")), "length"),
        text("I gave up."),
    ]);
    stage.run(&["--approve", "all", "write it"]).hold();
}

#[test]
fn answer_that_nobody_counted() {
    let mut stage = Stage::new("answer_that_nobody_counted");
    stage.script([ended_by(stream().says("words of an answer"), "stop")]);
    stage.run(&["talk"]).hold();
}

#[test]
fn prompt_cut_by_the_server() {
    let mut stage = Stage::new("prompt_cut_by_the_server");
    stage.script([text("Yes.")]);
    let long = "a long question about one thing and another ".repeat(500);
    stage.run(&[&long]).hold();
}

#[test]
fn window_assumed() {
    let mut stage = Stage::with("window_assumed", |settings| settings["model"] = "kit/unlisted".into());
    let gate = Gate::new();
    stage.script([stream().holds(&gate).says("Yes.").ends()]);
    // Benchdog asks the server for its window in parallel to the turn, so the notice has no fixed position in a stream.
    // Check only stderr.
    let started = stage.start_plain(&["run", "hello"]);
    let asked = || !stage.server.other_paths().is_empty();
    assert!(look_until(PATIENCE, asked), "the server is asked for the window");
    gate.open();
    stage.end(started).hold();
}

#[test]
fn control_characters() {
    let mut stage = Stage::new("control_characters");
    stage.script([text("red \u{1b}[31m bell \u{7} tab\tend")]);
    stage.run(&["be loud"]).run_plain(&["run", "-c", "again"]).hold();
}
