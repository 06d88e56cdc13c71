//! Tests of `doctor`. Each problem has a line with its cause and a remedy.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::{Reply, call, status, stream, text};
use crate::support::server::{CONTEXT, MODEL, Server};
use crate::support::tls::certificates;

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
    server.script(well());
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
        "cache",
        "tokenizer",
        "speed",
    ] {
        assert_check(&run, name, "ok", &[]);
    }
    let requests = server.requests();
    assert!(requests[0].body["max_tokens"].as_u64().is_some_and(|most| most <= 16));
    assert_eq!(requests[1].body["tools"][0]["function"]["name"], "probe");
    assert!(
        requests
            .iter()
            .all(|request| request.body["max_tokens"].as_u64() < Some(100))
    );
    let begins = |number: usize| requests[number].raw.split("Count from").next().map(str::to_owned);
    assert_eq!(begins(2), begins(3), "both begin alike");
    assert_check(&run, "tokenizer", "ok", &["1,000 tokens reported with the answer"]);
    let told: Value = serde_json::from_str(run.stdout.trim()).expect("one object");
    assert!(told["ok"] == true && told["confinement"]["level"] == "auto", "{run}");
    server.script([text("ready"), text("I will not."), text("Nor that.")]);
    server.script([text("one two"), text("three four")]);
    let lines = home.run(&["doctor"]);
    lines.assert_code(0);
    assert!(lines.stdout.contains("warn  text_call: "), "{lines}");
    assert!(lines.stdout.contains("ok    tcp: 127.0.0.1:"), "{lines}");
    assert!(
        lines.stdout.contains("warn  call: ") && lines.stdout.contains("--tool-call-parser"),
        "{lines}"
    );
}

fn well() -> [Reply; 4] {
    let word = || call("probe", json!({"word": "ready"}));
    [text("ready"), word(), text("one two three"), text("four five six")]
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
    server.script([status(401, "who are you")]);
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

fn shown(file: &str, network: Value) -> Finished {
    let server = Server::secure(file);
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["network"] = network;
    home.configure(&settings);
    server.script(well());
    home.run(&["doctor", "--json"])
}

#[test]
fn each_thing_that_is_wrong_with_a_certificate_has_its_own_sentence() {
    let trusted = json!({"ca_file": certificates("root.pem")});
    let run = shown("good.pem", trusted.clone());
    run.assert_code(0);
    let chain = "`models.bench.house` ← `Bench House Root`";
    assert_check(&run, "tls", "ok", &[chain, "valid until 2125-06-16"]);
    assert_check(&run, "call", "ok", &[]);

    let unknown = shown("good.pem", json!({}));
    unknown.assert_code(1);
    let missing = [
        "does not send the certificate of `Bench House Root`",
        "`network.ca_file`",
    ];
    assert_check(&unknown, "tls", "fail", &missing);
    assert!(
        !unknown.stdout.contains("\"models\""),
        "nothing is asked of it\n{unknown}"
    );
    let last = [
        "Save the last certificate the server sends, `Bench House Root`",
        "openssl s_client",
    ];
    assert_check(&shown("whole.pem", json!({})), "tls", "fail", &last);

    let expired = shown("expired.pem", trusted.clone());
    assert_check(
        &expired,
        "tls",
        "fail",
        &["`models.bench.house` expired on 2021-01-01", "Renew the certificate"],
    );
    let other = shown("other.pem", trusted);
    assert_check(
        &other,
        "tls",
        "fail",
        &["is valid for `other.bench.house`, not for `127.0.0.1`"],
    );
}

#[test]
fn a_server_without_tls_is_not_taken_for_one_with_a_bad_certificate() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&config(&server.base_url().replace("http:", "https:")));
    let run = home.run(&["doctor", "--json"]);
    run.assert_code(1);
    assert_check(
        &run,
        "tls",
        "fail",
        &["does not use TLS", "Change `https://` to `http://`"],
    );
}

#[test]
fn a_host_that_is_held_off_is_not_asked() {
    let home = Home::bare();
    let mut settings = config("http://models.invalid:8000/v1");
    settings["network"] = json!({"offline": true});
    home.configure(&settings);
    let run = home.run(&["doctor", "--json"]);
    run.assert_code(1);
    assert_check(
        &run,
        "endpoint",
        "fail",
        &["`network.offline` is on", "`network.allowed_hosts`"],
    );
    assert!(!run.stdout.contains("\"dns\""), "{run}");
}

#[test]
fn a_model_that_only_writes_its_calls_is_told_how_to_be_used() {
    let server = Server::start();
    let home = Home::with(&server);
    let written = "<tool_call>\n{\"name\": \"probe\", \"arguments\": {\"word\": \"ready\"}}\n</tool_call>";
    server.script([text("ready"), status(400, "tools are not supported"), text(written)]);
    server.script([text("one two"), text("three four")]);
    let run = home.run(&["doctor", "--json"]);
    assert_check(&run, "call", "fail", &["--tool-call-parser"]);
    assert_check(
        &run,
        "text_call",
        "warn",
        &[
            "calls tools when they are described as text",
            "`tools` of `kit-model` to `text`",
        ],
    );
    assert!(
        server.requests()[2].body.get("tools").is_none(),
        "it is taught, not told"
    );

    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"][MODEL]["tools"] = json!("text");
    home.configure(&settings);
    server.script([text("ready"), text(written), text("one two"), text("three four")]);
    let run = home.run(&["doctor", "--json"]);
    run.assert_code(0);
    assert_check(&run, "text_call", "ok", &[]);
    assert!(!run.stdout.contains("\"call\""), "{run}");
}

#[test]
fn what_the_server_counts_and_keeps_is_told() {
    let server = Server::start();
    let home = Home::with(&server);
    server.page(
        "/v1/models",
        json!({"data": [{"id": MODEL, "owned_by": "vllm", "max_model_len": CONTEXT}]}),
    );
    server.page("/v1/chat/completions/input_tokens", json!({"input_tokens": 321}));
    server.script([text("ready"), call("probe", json!({"word": "ready"}))]);
    server.script([text("one two"), stream().says("three four").keeps(0).ends()]);
    let run = home.run(&["doctor", "--json"]);
    assert_check(&run, "tokenizer", "ok", &["321 tokens by the server"]);
    assert_check(
        &run,
        "cache",
        "warn",
        &[
            "none of 1,000 tokens came from the cache, although the request began like the last one",
            "--enable-prefix-caching",
        ],
    );
    server.script([text("ready"), call("probe", json!({"word": "ready"}))]);
    server.script([text("one two"), stream().says("three four").keeps(960).ends()]);
    let run = home.run(&["doctor", "--json"]);
    assert_check(&run, "cache", "ok", &["960 of 1,000 tokens"]);
}
