//! Tests of telemetry. A configured collector gets spans without content, and a missing collector causes no delay.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::logs::log;
use crate::support::home::{Home, config};
use crate::support::reply::{call, stream};
use crate::support::server::Server;

fn configured(server: &Server, endpoint: &str) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["telemetry"] = json!({ "endpoint": endpoint });
    home.configure(&settings);
    home.file("geheim.txt", "inhaltwort\n");
    server.script([
        call("read", json!({"path": "geheim.txt"})),
        stream().says("schlusswort").counts(321).ends(),
    ]);
    home
}

fn attribute<'s>(span: &'s Value, key: &str) -> Option<&'s Value> {
    let mut all = span["attributes"].as_array()?.iter();
    Some(&all.find(|attribute| attribute["key"] == key)?["value"])
}

/// Checks the form of a span. Returns the name of its operation.
fn operation(span: &Value) -> String {
    let digits = |key: &str, length: usize| {
        let id = span[key].as_str().unwrap_or_default();
        assert!(
            id.len() == length && id.chars().all(|digit| digit.is_ascii_hexdigit()),
            "{span}"
        );
    };
    digits("traceId", 32);
    digits("spanId", 16);
    let time = |key: &str| -> u64 { span[key].as_str().expect("a time").parse().expect("a time") };
    assert!(time("startTimeUnixNano") <= time("endTimeUnixNano"), "{span}");
    let operation = attribute(span, "gen_ai.operation.name").expect("an operation")["stringValue"].as_str();
    operation.expect("a text").to_owned()
}

#[test]
fn a_collector_gets_the_spans_of_a_turn_without_content() {
    let (server, collector) = (Server::start(), Server::start());
    collector.page("/v1/traces", json!({}));
    let home = configured(&server, collector.base_url().trim_end_matches("/v1"));
    home.run(&["run", "fragewort"]).assert_code(0);
    let body = collector.asked_at("/v1/traces");
    for content in [
        "fragewort",
        "geheim",
        "inhaltwort",
        "schlusswort",
        &home.project().display().to_string(),
    ] {
        assert!(!body.contains(content), "{content}: {body}");
    }
    let sent: Value = serde_json::from_str(&body).expect("JSON");
    let spans = sent["resourceSpans"][0]["scopeSpans"][0]["spans"]
        .as_array()
        .expect("spans");
    let operations: Vec<String> = spans.iter().map(operation).collect();
    assert_eq!(operations, ["chat", "execute_tool", "chat", "invoke_agent"], "{body}");
    let [_, tool, chat, turn] = &spans[..] else {
        panic!("{body}")
    };
    assert_eq!(tool["name"], "execute_tool read");
    assert_eq!(
        attribute(tool, "gen_ai.tool.name"),
        Some(&json!({"stringValue": "read"}))
    );
    assert_eq!((&chat["kind"], &turn["kind"]), (&json!(3), &json!(1)));
    assert_eq!(
        attribute(chat, "gen_ai.usage.input_tokens"),
        Some(&json!({"intValue": "321"}))
    );
    assert_eq!(turn.get("parentSpanId"), None);
    for span in &spans[..3] {
        assert_eq!(
            (&span["parentSpanId"], &span["traceId"]),
            (&turn["spanId"], &turn["traceId"])
        );
    }
    assert_eq!(collector.requests().len(), 0);
}

#[test]
fn a_collector_that_is_gone_costs_one_line_of_the_log_and_no_time() {
    let server = Server::start();
    let home = configured(&server, "http://127.0.0.1:9");
    let began = Instant::now();
    home.run(&["run", "first"]).assert_code(0);
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    let log = log(&home);
    assert_eq!(log.matches("telemetry cannot be sent").count(), 1, "{log}");
}

#[test]
fn a_project_cannot_name_a_collector() {
    let (server, collector) = (Server::start(), Server::start());
    collector.page("/v1/traces", json!({}));
    let home = Home::with(&server);
    let project = json!({"telemetry": {"endpoint": collector.base_url()}});
    home.file(".benchdog/config.jsonc", &project.to_string());
    let run = home.run(&["run", "--trust", "hello"]);
    assert!(format!("{run}").contains("a project cannot set `telemetry"), "{run}");
    assert_eq!(collector.other_paths(), Vec::<String>::new());
}
