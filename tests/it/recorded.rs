//! Tests that forced calls recorded from a real server replay identically.
//!
//! The recording was made with `run --record FILE --max-steps 3` and the server of `real/vllm.rs`.

use std::path::PathBuf;

use serde_json::json;

use crate::support::home::Home;
use crate::support::server::Server;

#[test]
fn three_calls_of_vllm_run_and_what_it_had_kept_is_counted() {
    let server = Server::start();
    let home = Home::with(&server);
    let lines = (1..=200).map(|number| format!("line {number} of the notes\n"));
    home.file("notes.txt", &lines.collect::<String>());
    let recording = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings/vllm_calls.jsonl");
    let recording = recording.to_string_lossy();
    let arguments = [
        "run",
        "--replay",
        &recording,
        "--output",
        "stream-json",
        "--max-steps",
        "3",
    ];
    let run = home.run(&[&arguments[..], &["What is in the notes?"]].concat());
    let calls = run.events("tool_finished");
    assert_eq!(calls.len(), 3, "{run}");
    for call in &calls {
        assert_eq!(
            (&call["tool"], &call["status"]),
            (&json!("read"), &json!("ok")),
            "{run}"
        );
        let output = call["output"].as_str().unwrap_or_default();
        assert!(output.contains(" of the notes"), "{run}");
    }
    let usage = &run.events("turn_finished")[0]["usage"];
    assert_eq!(
        (&usage["prompt"], &usage["cached"]),
        (&json!(5_305), &json!(3_200)),
        "{run}"
    );
    assert!(server.requests().is_empty(), "{run}");
}
