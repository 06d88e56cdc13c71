//! Tests of MCP servers. Their tools are called, approved, shown and logged like others. The turn continues whatever a
//! server does.

mod alone;
mod called;
mod commands;
mod faults;
mod folder;
mod forms;
mod hostile;
mod http;
mod oauth;
mod odd;
mod offers;
mod owners;
pub mod peer;
mod pictures;
mod place;
mod prompts;
mod resources;
mod started;
mod strangers;
mod switched;
mod unasked;
mod unread;
mod unsaid;
mod waits;
mod web;
pub mod wider;

use serde_json::{Value, json};

use self::peer::{home, notes};
use crate::support::bench::letters_count;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn declared(server: &Server, request: usize) -> Vec<String> {
    let body = server.request(request).body;
    let tools = body["tools"].as_array().cloned().unwrap_or_default();
    tools
        .iter()
        .filter_map(|tool| Some(tool["function"]["name"].as_str()?.to_owned()))
        .collect()
}

fn result(server: &Server, request: usize) -> String {
    server.request(request).last("tool").to_owned()
}

#[test]
fn a_tool_of_a_server_is_declared_behind_the_others_and_called() {
    let server = Server::start();
    let home = home(&server, &[("files", "plain"), ("more", "plain")]);
    server.script([call("files__echo", json!({"text": "hello"})), text("It said hello.")]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "say hello"]);
    run.assert_code(0);
    assert_eq!(result(&server, 2), "hello!", "without what steers a terminal");
    let names = declared(&server, 1);
    let at = |name: &str| {
        names
            .iter()
            .position(|other| other == name)
            .unwrap_or_else(|| panic!("{name}: {names:?}"))
    };
    assert!(
        at("bash") < at("mcp_find") && at("mcp_call") < at("files__echo"),
        "{names:?}"
    );
    assert!(
        at("files__echo") < at("files__wait") && at("files__dies") < at("more__echo"),
        "{names:?}"
    );
    assert_eq!(names, declared(&server, 2), "what was declared stays");
    server.assert_append_only();
    let finished = &run.events("tool_finished")[0];
    assert_eq!(
        (&finished["tool"], &finished["status"]),
        (&json!("files__echo"), &json!("ok")),
        "{run}"
    );
    let said = run
        .events("notice")
        .iter()
        .any(|notice| notice["code"] == "servers_declared");
    assert!(said, "what they cost is said: {run}");
}

#[test]
fn nobody_is_there_to_allow_it_and_so_nothing_is_called() {
    let server = Server::start();
    let home = home(&server, &[("files", "plain")]);
    server.script([call("files__echo", json!({"text": "hello"})), text("ok")]);
    home.run(&["run", "say hello"]).assert_code(3);
    assert!(!notes(&home).contains("tools/call"), "{}", notes(&home));
}

#[test]
fn rules_name_tools_of_servers_by_patterns_and_the_nearer_name_wins() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "plain")]);
    configuration["permission"] = json!({"files__*": "allow", "files__fails": "deny"});
    home.configure(&configuration);
    server.script([
        call("files__echo", json!({"text": "hello"})),
        call("files__fails", json!({})),
        text("ok"),
    ]);
    let run = home.run(&["run", "--output", "stream-json", "say hello"]);
    assert_eq!(result(&server, 2), "hello!", "{run}");
    let finished = run.events("tool_finished");
    let is_denied = |one: &Value| one["tool"] == "files__fails" && one["status"] == "denied";
    assert!(finished.iter().any(is_denied), "{run}");
    assert!(!notes(&home).contains("fails\""), "{}", notes(&home));
}

#[test]
fn a_plan_calls_no_tool_of_a_server_that_no_rule_names() {
    let server = Server::start();
    let home = home(&server, &[("files", "plain")]);
    server.script([call("files__echo", json!({"text": "hello"})), text("ok")]);
    let run = home.run(&["run", "-a", "plan", "--approve", "all", "say hello"]);
    assert!(!notes(&home).contains("tools/call"), "{run}");
    assert!(result(&server, 2).contains("changes nothing"), "{}", result(&server, 2));
}

#[test]
fn a_person_sees_server_tool_and_arguments_and_always_covers_the_tool() {
    let server = Server::start();
    let home = home(&server, &[("files", "plain")]);
    server.script([
        call("files__echo", json!({"text": "one"})),
        call("files__echo", json!({"text": "two"})),
        text("Said twice."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("say it");
    bench.wait_for_review("files__echo");
    bench.wait_for("what it is called with", |screen| {
        screen.has("server  files") && screen.has("text    one")
    });
    bench.enter_review();
    bench.wait_for("the letters", letters_count);
    bench.keys("a");
    bench.wait_for("the scopes", |screen| {
        screen.has("files__echo") && screen.has("files__*")
    });
    bench.wait_for("keys that are enabled", letters_count);
    bench.keys("y");
    bench.wait_for_text("Said twice.");
    bench.leave();
    assert_eq!(result(&server, 3), "two!");
}

#[test]
fn results_of_every_kind_are_read() {
    let server = Server::start();
    let home = home(&server, &[("files", "plain")]);
    server.script([
        call("files__data", json!({})),
        call("files__picture", json!({})),
        call("files__fails", json!({})),
        text("ok"),
    ]);
    home.run(&["run", "--approve", "all", "go"]).assert_code(0);
    assert_eq!(result(&server, 2), "[resource a.txt: file:///a.txt]\n{\"answer\":42}");
    assert_eq!(result(&server, 3), "[an image, PNG, 70 bytes; it cannot be shown here]");
    assert_eq!(result(&server, 4), "tool_failed: it is locked");
}

#[test]
fn a_server_gets_its_own_variables_and_no_secret_of_ours() {
    let server = Server::start();
    let home = Home::bare()
        .env("MY_API_KEY", "k3y-of-mine-4711")
        .env("HARMLESS", "seen");
    let mut configuration = peer::configuration(&home, &server, &[("files", "plain")]);
    configuration["mcp"]["files"]["environment"]["GIVEN"] = json!("${HARMLESS}-and-more");
    home.configure(&configuration);
    server.script([call("files__environment", json!({})), text("ok")]);
    home.run(&["run", "--approve", "all", "go"]).assert_code(0);
    let told = result(&server, 2);
    assert!(
        told.contains("GIVEN=seen-and-more") && told.contains("HARMLESS=seen"),
        "{told}"
    );
    assert!(!told.contains("k3y-of-mine"), "{told}");
}

#[test]
fn what_a_server_offers_is_remembered_so_that_the_next_first_request_waits_for_nobody() {
    let server = Server::start();
    let home = home(&server, &[("files", "plain")]);
    server.script([text("one")]);
    let first = home.run(&["run", "--output", "stream-json", "go"]);
    let waited = |run: &crate::support::process::Finished| {
        run.events("notice")
            .iter()
            .any(|notice| notice["code"] == "servers_awaited")
    };
    assert!(waited(&first), "{first}");
    // From here on, the server never answers. The declared tools stay the same.
    let cache = home.benchdog_home().join("cache/mcp");
    assert_eq!(std::fs::read_dir(&cache).unwrap().count(), 1);
    let mut configuration = peer::configuration(&home, &server, &[("files", "plain")]);
    configuration["mcp"]["files"]["environment"]["PEER_BEHAVES"] = json!("silent");
    home.configure(&configuration);
    server.script([text("two")]);
    let second = home.run(&["run", "--output", "stream-json", "go"]);
    assert!(!waited(&second), "{second}");
    assert_eq!(declared(&server, 1), declared(&server, 2));
}

#[test]
fn a_call_that_is_stopped_is_cancelled_at_the_server() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "plain")]);
    configuration["permission"] = json!({"files__*": "allow"});
    home.configure(&configuration);
    server.script([call("files__wait", json!({}))]);
    let bench = home.bench(&[]);
    bench.ask("wait");
    let came = |part: &'static str| {
        crate::support::process::look_until(crate::support::PATIENCE, || notes(&home).contains(part))
    };
    assert!(came("tools/call"), "{}", notes(&home));
    bench.keys("esc");
    assert!(came("notifications/cancelled"), "{}", notes(&home));
    bench.leave();
}

#[test]
fn progress_is_shown_and_has_a_call_waited_for_longer() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "plain")]);
    configuration["permission"] = json!({"files__*": "allow"});
    configuration["mcp"]["files"]["timeout_ms"] = json!(1_500);
    home.configure(&configuration);
    server.script([
        call("files__work", json!({})),
        call("files__wait", json!({})),
        text("ok"),
    ]);
    let run = home.run(&["run", "--output", "stream-json", "go"]);
    assert_eq!(result(&server, 2), "worked", "{run}");
    let shown: Vec<Value> = run.events("tool_output");
    assert!(shown.iter().any(|one| one["text"] == "1/3 step"), "{run}");
    assert!(
        result(&server, 3).starts_with("timeout: The server `files` may have done all or part of this"),
        "{}",
        result(&server, 3)
    );
}

#[test]
fn nothing_of_a_server_is_left_when_the_program_ends_or_is_killed() {
    for killed in [false, true] {
        let server = Server::start();
        let home = home(&server, &[("files", "leaves a child")]);
        server.script([text("Here.")]);
        let bench = home.bench(&[]);
        bench.ask("go");
        bench.wait_for_text("Here.");
        home.wait_for_process("sleep 61.0451");
        if killed {
            bench.signal(rustix::process::Signal::KILL);
        } else {
            bench.leave();
        }
        home.assert_gone("sleep 61.0451", std::time::Duration::from_secs(10));
        home.assert_gone("mcp::peer::speaks", std::time::Duration::from_secs(10));
    }
}
