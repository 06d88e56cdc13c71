//! Tests that passwords and keys of URLs, headers, proxies and variables are never shown. Each contains a marker, and
//! all output is searched for it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{Reply, status};
use crate::support::server::Server;

const PLANTED: &str = "hunter2";
/// Base64 of the user name and password in the base URL and in the proxy's address, as in an `Authorization` header.
const BASIC: [&str; 2] = [
    "am9lOmh1bnRlcjItb2YtdGhlLWFkZHJlc3M",
    "am9lOmh1bnRlcjItb2YtdGhlLXByb3h5",
];

const COMMANDS: &[&[&str]] = &[
    &["run", "hi"],
    &["run", "--output", "json", "hi"],
    &["run", "--output", "stream-json", "--log-level", "trace", "hi"],
    &["run", "--record", "kept.jsonl", "hi"],
    &["doctor"],
    &["doctor", "--json"],
    &["models"],
    &["models", "--json"],
    &["config", "show"],
    &["config", "explain", "provider"],
    &["config", "explain", "network"],
    &["config", "check"],
    &["auth", "list"],
    &["sessions", "list"],
];

fn repeats() -> Reply {
    let secrets =
        "hunter2-of-the-address hunter2-of-the-query hunter2-of-the-header hunter2-of-the-key hunter2-of-the-proxy";
    status(401, &format!("what is {secrets} {} {}?", BASIC[0], BASIC[1]))
}

#[track_caller]
fn assert_unseen(what: &str, text: &str) {
    for secret in [PLANTED, BASIC[0], BASIC[1]] {
        let line = text.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{what}");
    }
}

/// Checks that no file below the folder contains a secret, except the configuration.
fn assert_unwritten(folder: &Path) {
    for entry in fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
    {
        if entry.is_dir() {
            assert_unwritten(&entry);
        } else if !entry.ends_with("config.jsonc") {
            let bytes = fs::read(&entry).expect("a file");
            assert_unseen(&entry.display().to_string(), &String::from_utf8_lossy(&bytes));
        }
    }
}

#[track_caller]
fn assert_nothing_shows(home: &Home, commands: &[&[&str]]) {
    for command in commands {
        let run = home.run(command);
        assert_unseen(&command.join(" "), &format!("{}{}", run.stdout, run.stderr));
    }
    assert_unwritten(home.outside());
}

fn planted(server: &Server) -> Value {
    let base_url = server
        .base_url()
        .replace("http://", "http://joe:hunter2-of-the-address@");
    let mut settings = config(&format!("{base_url}?token=hunter2-of-the-query"));
    settings["provider"]["kit"]["headers"] = json!({"X-Api-Key": "hunter2-of-the-header"});
    settings["network"] = json!({"proxy": "http://joe:hunter2-of-the-proxy@127.0.0.1:9"});
    settings["logs"] = json!({"level": "trace"});
    settings
}

#[test]
fn what_is_planted_in_an_address_a_header_a_proxy_and_a_variable_is_in_no_output_and_in_no_file() {
    let server = Server::start();
    let home = Home::bare().env("BENCHDOG_API_KEY", "hunter2-of-the-key");
    home.configure(&planted(&server));
    server.model(|_| Some(repeats()));
    assert_nothing_shows(&home, COMMANDS);
    let sent = server.requests();
    let authorization = sent[0].header("authorization").unwrap_or_default();
    assert!(
        authorization.contains(BASIC[0]) || authorization.contains("hunter2-of-the-key"),
        "it is in use: {authorization}"
    );
    assert_eq!(sent[0].header("x-api-key"), Some("hunter2-of-the-header"));
}

#[test]
fn what_is_planted_in_a_setting_that_cannot_work_is_not_shown_either() {
    let commands = &[COMMANDS[0], COMMANDS[1], COMMANDS[4], COMMANDS[8], COMMANDS[11]];
    for base_url in [
        "joe:hunter2-of-the-address@models.house/v1",
        "http://joe:hunter2-of-the-address@models.house:99999/v1",
        "http://joe:hunter2-of-the-address@/v1",
    ] {
        let home = Home::bare();
        home.configure(&config(base_url));
        assert_nothing_shows(&home, commands);
        let named = Home::bare();
        assert_nothing_shows(
            &named,
            &[
                &["run", "--base-url", base_url, "hi"],
                &["run", "--ollama-host", base_url, "hi"],
            ],
        );
    }
    let home = Home::bare();
    let mut settings = config("http://models.invalid/v1");
    settings["network"] = json!({"proxy": "http://joe:hunter2-of-the-proxy@127.0.0.1:port"});
    settings["provider"]["kit"]["headers"] = json!({"Authorization": "Bearer hunter2\n-of-the-header"});
    home.configure(&settings);
    assert_nothing_shows(&home, commands);
}

#[test]
fn a_proxy_that_does_not_answer_is_named_without_its_password() {
    let home = Home::bare();
    let mut settings = config("http://models.invalid/v1");
    settings["network"] = json!({"proxy": "http://joe:hunter2-of-the-proxy@127.0.0.1:9"});
    home.configure(&settings);
    let run = home.run(&["run", "hi"]);
    run.assert_code(5);
    assert!(run.stderr.contains("through the proxy `http://127.0.0.1:9`"), "{run}");
    assert_nothing_shows(&home, COMMANDS);
}

#[test]
fn the_workbench_shows_an_address_without_its_password() {
    let server = Server::start();
    let home = Home::bare().env("BENCHDOG_API_KEY", "hunter2-of-the-key");
    home.configure(&planted(&server));
    server.model(|_| Some(repeats()));
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for_text("401");
    bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
    bench.keys("ctrl-u");
    bench.ask("/status");
    bench.wait_for_text("this session");
    assert_unseen("/status", &bench.look(|screen| screen.text()));
    bench.keys("esc");
    bench.wait_for("the dialog to close", |screen| !screen.has("this session"));
    bench.leave();
    assert_unwritten(home.outside());
}
