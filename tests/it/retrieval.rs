//! Tests of `search_semantic`. It exists only if `retrieval` is configured, follows ignore rules, and never indexes a
//! secret.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn home_with(server: &Server, retrieval: &Value) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    if !retrieval.is_null() {
        settings["retrieval"] = retrieval.clone();
    }
    home.configure(&settings);
    home.file("src/retry.rs", "//! Waits.\n\npub fn nextDelay() -> u64 {\n    7\n}\n");
    home.file("src/draw.rs", "pub fn draw() {}\n");
    home.file(".gitignore", "target/\n")
        .file("target/built.rs", "fn next_delay() {}\n");
    home.file(".env", "NEXT_DELAY_TOKEN=swordfish\n");
    home
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(items) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = items.map(|item| item.expect("an item").path());
    let files = paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] });
    files.collect()
}

fn segments(home: &Home) -> Vec<PathBuf> {
    let mut files = files_below(&home.benchdog_home());
    files
        .retain(|path| path.extension().is_some_and(|end| end == "seg") && path.iter().any(|part| part == "retrieval"));
    files
}

fn told(server: &Server, home: &Home, query: &str) -> String {
    server.take_requests();
    server.script([call("search_semantic", json!({"query": query})), text("Found.")]);
    home.run(&["run", "go"]).assert_code(0);
    let messages = server.request(2).body["messages"].as_array().expect("messages").clone();
    messages.last().expect("a result")["content"]
        .as_str()
        .expect("a text")
        .to_owned()
}

#[test]
fn the_configured_tool_finds_and_a_request_without_it_stays_the_same() {
    let server = Server::start();
    let home = home_with(&server, &json!({"index": "lexical"}));
    let found = told(&server, &home, "where is the next delay computed");
    assert!(found.starts_with("src/retry.rs:1-5\n"), "{found}");
    assert!(found.contains("3: pub fn nextDelay() -> u64 {"), "{found}");
    assert!(!found.contains("target/") && !found.contains(".env"), "{found}");
    let with = server.request(1).body["tools"].as_array().expect("tools").clone();
    let last = with.last().expect("a tool");
    assert_eq!(last["function"]["name"], "search_semantic");
    for without in [Value::Null, json!({"index": "off"})] {
        let home = home_with(&server, &without);
        server.take_requests();
        server.script([text("Fine.")]);
        home.run(&["run", "go"]).assert_code(0);
        let tools = server.request(1).body["tools"].as_array().expect("tools").clone();
        assert_eq!(tools[..], with[..with.len() - 1]);
        assert!(segments(&home).is_empty());
    }
}

#[test]
fn secrets_and_ignored_files_are_not_in_the_index_and_a_damaged_one_is_built_again() {
    let server = Server::start();
    let home = home_with(&server, &json!({"index": "lexical"}));
    assert!(told(&server, &home, "swordfish built").starts_with("No file of the 3 indexed ones"));
    assert!(told(&server, &home, "delay").starts_with("src/retry.rs:1-5\n"));
    let index = segments(&home);
    assert_eq!(index.len(), 1);
    let bytes = fs::read(&index[0]).expect("a segment");
    let has = |word: &str| bytes.windows(word.len()).any(|window| window == word.as_bytes());
    assert!(has("nextdelay") && !has("swordfish") && !has("next_delay_token") && !has("built"));
    fs::write(&index[0], &bytes[..bytes.len() / 2]).expect("a damaged segment");
    assert!(told(&server, &home, "delay").starts_with("src/retry.rs:1-5\n"));
    home.file("src/retry.rs", "pub fn pause() {}\n");
    assert!(told(&server, &home, "pause").starts_with("src/retry.rs:1-1\n"));
}

#[test]
fn the_configured_map_is_in_the_first_prompt_alone_and_names_no_secret() {
    let server = Server::start();
    let home = home_with(&server, &json!({"map_tokens": 500}));
    home.file("src/main.rs", "fn main() { nextDelay(); draw(); }\n");
    home.file("secrets.json", "class Hidden {}\n")
        .file("uses.rs", "fn uses() { built(); Hidden; }\n");
    server.script([
        call("read", json!({"path": "src/main.rs"})),
        text("Fine."),
        text("Again."),
    ]);
    home.run(&["run", "go"]).assert_code(0);
    home.run(&["run", "--continue", "on"]).assert_code(0);
    server.assert_append_only();
    let first = server.request(1).body["messages"].to_string();
    assert!(
        first.contains("src/draw.rs: draw\\nsrc/retry.rs: nextDelay\\n"),
        "{first}"
    );
    assert!(!first.contains("Hidden") && !first.contains("built"), "{first}");
    let last = server.request(3).body["messages"].to_string();
    assert_eq!(last.matches("src/draw.rs: draw").count(), 1);
}
