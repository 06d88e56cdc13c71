//! Scenarios with the outputs `text` and `json`: stdout and stderr for turns of every kind.

use serde_json::json;

use super::stage::Stage;
use crate::support::reply::{Reply, call, calls, status, stream, text};

/// Runs the conversation with both outputs, each in a separate session.
#[track_caller]
fn both(stage: &mut Stage, arguments: &[&str], replies: impl Fn() -> Vec<Reply>) {
    for output in ["text", "json"] {
        let mut all = vec!["run", "--output", output];
        all.extend(arguments);
        stage.script(replies());
        stage.run_plain(&all);
    }
    stage.hold();
}

#[test]
fn output_of_an_answer() {
    let mut stage = Stage::new("output_of_an_answer");
    stage.file("a.txt", "one\ntwo\n");
    both(&mut stage, &["how many lines?"], || {
        vec![
            stream()
                .thinks("Hm.")
                .says("I look first.")
                .calls("read", json!({"path": "a.txt"}))
                .ends(),
            text("There are two lines.\n"),
        ]
    });
}

#[test]
fn output_of_changes_and_denials() {
    let mut stage = Stage::new("output_of_changes_and_denials");
    both(&mut stage, &["--approve", "edits", "make it"], || {
        vec![
            calls([
                ("bash", json!({"command": "rm x"})),
                ("read", json!({"path": "missing.txt"})),
            ]),
            call("write", json!({"path": "made.txt", "content": "made\n"})),
            text("Made it."),
        ]
    });
}

#[test]
fn output_of_a_denial_that_stands() {
    let mut stage = Stage::new("output_of_a_denial_that_stands");
    both(&mut stage, &["touch it"], || {
        vec![call("bash", json!({"command": "touch made.txt"})), text("I may not.")]
    });
}

#[test]
fn output_of_a_refusal() {
    let mut stage = Stage::new("output_of_a_refusal");
    both(&mut stage, &["hello"], || vec![status(401, "invalid api key")]);
}

#[test]
fn output_of_a_retry_and_a_cut() {
    let mut stage = Stage::new("output_of_a_retry_and_a_cut");
    both(&mut stage, &["hello"], || {
        vec![
            status(503, "loading").header("retry-after", "0.05"),
            stream().says("Half an answer").cut(),
        ]
    });
}

#[test]
fn output_of_a_limit() {
    let mut stage = Stage::new("output_of_a_limit");
    both(&mut stage, &["--max-steps", "1", "look"], || {
        vec![stream().says("I look.").calls("list", json!({})).ends()]
    });
}

#[test]
fn output_of_a_failing_check() {
    let mut stage = Stage::with("output_of_a_failing_check", |settings| {
        settings["validation"] = json!({"command": "seq 1 12; exit 1"});
    });
    both(&mut stage, &["--approve", "edits", "make it"], || {
        vec![
            call("write", json!({"path": "made.txt", "content": "x\n"})),
            text("Made."),
            text("It is fine."),
        ]
    });
}

#[test]
fn output_where_nothing_is_configured() {
    let mut stage = Stage::with("output_where_nothing_is_configured", |settings| *settings = json!({}));
    both(&mut stage, &["hello"], Vec::new);
}
