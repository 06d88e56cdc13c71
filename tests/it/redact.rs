//! Tests that secrets found by tools reach neither the model nor the log, and that no redaction mark replaces a secret
//! in a file.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{Reply, call, text};
use crate::support::server::Server;

const OWN_KEY: &str = "house-key-of-the-endpoint-0815";

/// Returns keys in two published formats. They are assembled here, because the source must not contain a whole key.
fn planted() -> [String; 2] {
    [format!("AKIA{}", "Q7".repeat(8)), format!("ghp_{}", "a1B2".repeat(9))]
}

fn secretive(server: &Server) -> Home {
    let home = Home::bare().env("KIT_API_KEY", OWN_KEY);
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api_key_env"] = json!(["KIT_API_KEY"]);
    home.configure(&settings);
    let [aws, github] = planted();
    home.file(
        "notes.txt",
        &format!("region = eu\naws = {aws}\ngithub = {github}\nown = {OWN_KEY}\n"),
    );
    home
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of ours").flatten();
    entries
        .flat_map(|entry| match entry.path() {
            folder if folder.is_dir() => files_below(&folder),
            file => vec![file],
        })
        .collect()
}

fn calls() -> Vec<Reply> {
    let [aws, _] = planted();
    let (begin, end) = aws.split_at(9);
    vec![
        call("read", json!({"path": "notes.txt"})),
        call("grep", json!({"pattern": "=", "path": "notes.txt"})),
        call("bash", json!({"command": "cat notes.txt"})),
        // Print one key in two writes, with a pause between them.
        call(
            "bash",
            json!({"command": format!("printf %s {begin:?}; sleep 0.2; printf '%s\\n' {end:?}")}),
        ),
        // The refusal quotes the most similar lines.
        call(
            "edit",
            json!({"path": "notes.txt", "edits": [{"old": "region = eu\naws = what", "new": "x"}]}),
        ),
        text("done"),
    ]
}

#[test]
fn planted_keys_are_in_no_request_no_log_and_no_line() {
    let server = Server::start();
    let home = secretive(&server);
    server.script(calls());
    let run = home.run(&[
        "run",
        "--output",
        "stream-json",
        "--approve",
        "all",
        "--log-level",
        "trace",
        "look",
    ]);
    run.assert_code(0);
    let [aws, github] = planted();
    let requests = server.requests();
    assert_eq!(requests.len(), 6, "{run}");
    assert!(
        requests
            .iter()
            .all(|request| !request.says(&github) && !request.says(OWN_KEY))
    );
    assert!(requests[3].says("[benchdog:redacted:aws-key]") && requests[3].says("region = eu"));
    assert!(requests[3].says("[benchdog:redacted:configured-key]"));
    // The model itself wrote the two halves. The whole key occurs nowhere.
    assert!(requests.iter().all(|request| !request.says(&aws)));
    let shown = home.run(&["sessions", "show", "--format", "jsonl"]);
    for text in [&run.stdout, &run.stderr, &shown.stdout] {
        for key in [&*aws, &*github, OWN_KEY] {
            assert!(!text.contains(key), "{text}");
        }
    }
    assert_eq!(run.events("tool_finished").len(), 5);
    for file in files_below(&home.benchdog_home()) {
        let bytes = std::fs::read(&file).expect("a file of ours");
        for key in [&*aws, &*github, OWN_KEY] {
            let found = bytes.windows(key.len()).any(|part| part == key.as_bytes());
            assert!(!found, "{} holds a key", file.display());
        }
    }
}

#[test]
fn a_mark_is_not_written_over_the_secret_that_it_stands_for() {
    let server = Server::start();
    let home = secretive(&server);
    let before = home.read("notes.txt");
    let mark = "aws = [benchdog:redacted:aws-key]";
    server.script([
        call("read", json!({"path": "notes.txt"})),
        call(
            "write",
            json!({"path": "notes.txt", "content": format!("region = us\n{mark}\n")}),
        ),
        call(
            "edit",
            json!({"path": "notes.txt", "edits": [{"old": "region = eu", "new": mark}]}),
        ),
        call("write", json!({"path": "new.txt", "content": mark})),
        call(
            "edit",
            json!({"path": "notes.txt", "edits": [{"old": "region = eu", "new": "region = us"}]}),
        ),
        text("done"),
    ]);
    let run = home.run(&["run", "--output", "stream-json", "--approve", "all", "change it"]);
    let ends = run.events("tool_finished");
    for end in &ends[1..4] {
        assert_eq!(
            (&end["status"], &end["summary"]),
            (&json!("error"), &json!("redacted text")),
            "{run}"
        );
    }
    assert_eq!(ends[4]["status"], "ok", "{run}");
    assert_eq!(home.read("notes.txt"), before.replace("eu", "us"));
    assert!(!home.path("new.txt").exists());
}
