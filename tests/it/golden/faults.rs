//! Scenarios with endpoint failures: error responses, retries, broken streams.

use serde_json::json;

use super::stage::Stage;
use crate::support::reply::{Reply, status, stream, text};

/// Returns a server error with a short fixed retry time instead of a random one.
fn busy(code: u16) -> Reply {
    status(code, "oops").header("retry-after", "0.05")
}

#[test]
fn wrong_key() {
    let mut stage = Stage::new("wrong_key");
    stage.script([status(401, "invalid api key")]);
    stage.run(&["hello"]).hold();
}

#[test]
fn unknown_model() {
    let mut stage = Stage::new("unknown_model");
    stage.script([status(404, "the model does not exist")]);
    stage.run(&["hello"]).hold();
}

#[test]
fn failing_twice_and_then_fine() {
    let mut stage = Stage::new("failing_twice_and_then_fine");
    stage.script([busy(500), busy(429), text("fine")]);
    stage.run(&["hello"]).hold();
}

#[test]
fn failing_to_the_end() {
    let mut stage = Stage::new("failing_to_the_end");
    stage.script((0..6).map(|_| busy(500)));
    stage.run(&["hello"]).hold();
}

#[test]
fn window_overflow_told_by_the_server() {
    let mut stage = Stage::new("window_overflow_told_by_the_server");
    let words = "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.";
    stage.script([status(400, words)]);
    stage.run(&["hello"]).hold();
}

#[test]
fn stream_cut_in_the_middle() {
    let mut stage = Stage::new("stream_cut_in_the_middle");
    stage.script([stream().thinks("Hm.").says("Half an answer").cut(), text("Whole.")]);
    stage.run(&["hello"]).run(&["-c", "go on"]).hold();
}

#[test]
fn call_in_a_stream_that_was_cut() {
    let mut stage = Stage::new("call_in_a_stream_that_was_cut");
    let half = || {
        stream()
            .calls("write", json!({"path": "made.txt", "content": "x"}))
            .cut()
    };
    stage.script([
        stream()
            .says("I write.")
            .calls("write", json!({"path": "made.txt", "content": "x"}))
            .cut(),
        half(),
    ]);
    stage.run(&["--approve", "all", "hello"]).hold();
}

#[test]
fn garbage_in_the_stream() {
    let mut stage = Stage::new("garbage_in_the_stream");
    let garbage = "data: {\"choices\": [{\"delta\"\n\n<html>oops</html>\n\n";
    stage.script([stream().says("Half").raw(garbage)]);
    stage.run(&["hello"]).hold();
}

#[test]
fn error_inside_the_stream() {
    let mut stage = Stage::new("error_inside_the_stream");
    let error = "data: {\"error\": {\"message\": \"out of memory on device 0\"}}\n\n";
    stage.script([stream().says("Half").raw(error)]);
    stage.run(&["hello"]).hold();
}

#[test]
fn failure_after_work_was_done() {
    let mut stage = Stage::new("failure_after_work_was_done");
    stage.script([
        stream()
            .says("First.")
            .calls("write", json!({"path": "made.txt", "content": "x\n"}))
            .ends(),
        status(401, "the key ran out"),
        text("Where was I?"),
    ]);
    stage
        .run(&["--approve", "edits", "make it"])
        .run(&["-c", "go on"])
        .hold();
}
