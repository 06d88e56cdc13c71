//! `doctor`: each thing that can be wrong has a line that says so and what helps.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::{call, status, text};
use crate::support::server::{CONTEXT, MODEL, Server};

/// The check of this name.
#[track_caller]
fn check(run: &Finished, name: &str) -> Value {
    let told: Value = serde_json::from_str(run.stdout.trim()).expect("one object");
    let checks = told["checks"].as_array().expect("checks");
    let found = checks.iter().find(|check| check["check"] == name);
    found.cloned().unwrap_or_else(|| panic!("no check {name}\n{run}"))
}

#[track_caller]
fn assert_check(run: &Finished, name: &str, state: &str, words: &[&str]) {
    let check = check(run, name);
    assert_eq!(check["state"], state, "{name}: {check}");
    for word in words {
        assert!(
            check.to_string().contains(word),
            "{name} does not say {word:?}: {check}"
        );
    }
}

#[test]
fn a_server_that_works_is_well_from_its_name_to_a_call() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("ready"), call("probe", json!({"word": "ready"}))]);
    let run = home.run(&["doctor", "--json"]);
    run.assert_code(0);
    for name in [
        "config",
        "endpoint",
        "proxy",
        "dns",
        "tcp",
        "models",
        "model",
        "window",
        "streaming",
        "call",
    ] {
        assert_check(&run, name, "ok", &[]);
    }
    let requests = server.requests();
    assert!(requests[0].body["max_tokens"].as_u64().is_some_and(|most| most <= 16));
    assert_eq!(requests[1].body["tools"][0]["function"]["name"], "probe");
    let told: Value = serde_json::from_str(run.stdout.trim()).expect("one object");
    assert!(told["ok"] == true && told["confinement"]["level"] == "auto", "{run}");
    server.script([text("ready"), text("I will not.")]);
    let lines = home.run(&["doctor"]);
    lines.assert_code(0);
    assert!(lines.stdout.contains("ok    tcp: 127.0.0.1:"), "{lines}");
    assert!(
        lines.stdout.contains("warn  call: ") && lines.stdout.contains("--tool-call-parser"),
        "{lines}"
    );
}

#[test]
fn what_fails_ends_the_search_there_and_says_what_helps() {
    let home = Home::bare();
    home.configure(&config("http://127.0.0.1:9/v1"));
    let run = home.run(&["doctor", "--json"]);
    run.assert_code(1);
    assert_check(&run, "tcp", "fail", &["127.0.0.1:9", "Start the server"]);
    assert!(!run.stdout.contains("\"streaming\""), "{run}");
    home.configure(&config("http://name.invalid:9/v1"));
    assert_check(&home.run(&["doctor", "--json"]), "dns", "fail", &["name.invalid"]);

    let server = Server::start();
    let mut settings = config(&server.base_url());
    settings["model"] = json!("kit/another");
    settings["provider"]["kit"]["models"] = json!({"another": {"context": CONTEXT * 2}});
    home.configure(&settings);
    server.script([status(401, "who are you"), status(401, "who are you")]);
    let run = home.run(&["doctor", "--json"]);
    run.assert_code(1);
    assert_check(&run, "model", "fail", &[MODEL]);
    assert_check(&run, "streaming", "fail", &["401", "benchdog auth set kit"]);
    settings["model"] = json!(format!("kit/{MODEL}"));
    settings["provider"]["kit"]["models"] = json!({MODEL: {"context": CONTEXT * 2}});
    home.configure(&settings);
    server.script([text("ready"), call("probe", json!({"word": "ready"}))]);
    assert_check(
        &home.run(&["doctor", "--json"]),
        "window",
        "fail",
        &[&format!("Set `context` of `{MODEL}`")],
    );
}

#[test]
fn without_a_provider_or_with_a_broken_configuration_the_rest_is_looked_at_all_the_same() {
    let home = Home::bare();
    let run = home.run(&["doctor", "--json"]);
    run.assert_code(0);
    assert_check(&run, "endpoint", "warn", &["no provider is configured"]);
    assert_check(&run, "storage", "ok", &[]);
    home.configure_text("{\n  \"modell\": 1\n}\n");
    let run = home.run(&["doctor", "--json"]);
    run.assert_code(1);
    assert_check(&run, "config", "fail", &["config.jsonc:2", "benchdog config check"]);
    assert_check(&run, "git", "ok", &[]);
}

#[test]
fn storage_that_others_may_read_and_a_plain_terminal_are_warned_about() {
    let server = Server::start();
    let home = Home::with(&server)
        .env("LANG", "C")
        .env("LC_ALL", "C")
        .env("TERM", "dumb");
    server.script([text("hello")]);
    home.run(&["run", "hi"]).assert_code(0);
    let data = home.benchdog_home().join("data");
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    server.script([text("ready"), call("probe", json!({"word": "ready"}))]);
    let run = home.run(&["doctor", "--json"]);
    run.assert_code(0);
    assert_check(&run, "permissions", "warn", &["chmod -R go="]);
    assert_check(&run, "terminal", "warn", &["TERM"]);
    assert_check(&run, "locale", "warn", &["C.UTF-8"]);
}
