//! Tests of tools adjusted by the configuration: descriptions, time and size limits, and disabled tools.

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn home_with(server: &Server, tools: &Value) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["tools"] = tools.clone();
    settings["permission"] = json!({"bash": "allow"});
    home.configure(&settings);
    home
}

fn declared(body: &Value, name: &str) -> Option<Value> {
    let tools = body["tools"].as_array().expect("tools");
    let tool = tools.iter().find(|tool| tool["function"]["name"] == name)?;
    Some(tool["function"].clone())
}

#[test]
fn the_model_is_told_of_a_tool_what_the_configuration_says_and_nothing_of_one_that_is_off() {
    let server = Server::start();
    let tools = json!({
        "grep": {"enabled": false},
        "bash": {"note": "bash.md", "timeout_ms": 300},
        "glob": {"description": "Find files."},
    });
    let home = home_with(&server, &tools);
    let prompts = home.benchdog_home().join("prompts");
    std::fs::create_dir_all(&prompts).expect("a folder");
    std::fs::write(prompts.join("bash.md"), "Use `just`.\n").expect("a text");
    server.script([call("grep", json!({"pattern": "x"})), text("No.")]);
    // A call of a disabled tool fails without an approval request, so it does not count as a denial.
    home.run(&["run", "go"]).assert_code(0);
    let body = server.request(1).body;
    assert!(declared(&body, "grep").is_none(), "{body}");
    let bash = declared(&body, "bash").expect("bash");
    let told = bash["description"].as_str().expect("a description");
    assert!(
        told.starts_with("Run a command line") && told.ends_with("\nUse `just`."),
        "{told}"
    );
    assert_eq!(
        bash["parameters"]["properties"]["timeout_ms"]["description"],
        "Default 300."
    );
    assert_eq!(declared(&body, "glob").expect("glob")["description"], "Find files.");
    // The model calls the disabled tool anyway. The refusal contains the configured rule.
    let answer = server.request(2).last("tool").to_owned();
    assert!(answer.contains("tools.grep.enabled"), "{answer}");
}

#[test]
fn a_command_ends_after_the_time_that_is_set_and_says_no_more_than_is_set() {
    let server = Server::start();
    let home = home_with(&server, &json!({"bash": {"timeout_ms": 300, "max_output_bytes": 4096}}));
    server.script([
        call("bash", json!({"command": "sleep 20"})),
        call("bash", json!({"command": "seq 1 5000"})),
        text("Done."),
    ]);
    home.run(&["run", "go"]).assert_code(0);
    let slow = server.request(2).last("tool").to_owned();
    assert!(slow.contains("the time limit of 300 ms"), "{slow}");
    let long = server.request(3).last("tool").to_owned();
    assert!(long.len() <= 4_500 && long.contains("5000"), "{}", long.len());
}

#[test]
fn what_a_folder_says_of_tools_counts_once_it_is_trusted_and_is_explained() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file(
        ".benchdog/config.jsonc",
        r#"{"tools": {"bash": {"description": "ours.txt"}}}"#,
    );
    home.file(".benchdog/prompts/ours.txt", "Runs what you say.");
    server.script([text("Untrusted."), text("Trusted.")]);
    home.run(&["run", "go"]);
    home.run(&["run", "--trust", "go"]);
    let of = |request| declared(&server.request(request).body, "bash").expect("bash")["description"].clone();
    assert_ne!(of(1), "Runs what you say.");
    assert_eq!(of(2), "Runs what you say.");
    let explained = home.run(&["config", "explain", "--trust", "tools.bash.description"]);
    assert!(
        explained.stdout.contains("Runs what you say.") && explained.stdout.contains("config.jsonc:1"),
        "{explained}"
    );
}
