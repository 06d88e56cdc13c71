//! Tests of settings of a server and its tools, and of single tools that a person disables and enables.

use serde_json::{Value, json};

use super::peer::{self, notes};
use super::{declared, result};
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn home(server: &Server, further: &[(&str, Value)]) -> Home {
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, server, &[("files", "plain")]);
    configuration["permission"] = json!({"files__*": "allow"});
    for (key, value) in further {
        match key.split_once('.') {
            Some((table, key)) => configuration[table][key] = value.clone(),
            None => configuration["mcp"]["files"][key] = value.clone(),
        }
    }
    home.configure(&configuration);
    home
}

#[test]
fn a_tool_that_is_off_is_neither_sent_nor_found_nor_called_and_one_that_there_is_not_is_said_once() {
    let server = Server::start();
    let off = [
        ("disabled_tools", json!(["fails", "nosuch"])),
        ("tools.files__data", json!({"enabled": false})),
        (
            "tools.files__wait",
            json!({"description": "Waits for a dog.", "timeout_ms": 700}),
        ),
        ("tools.files__gone", json!({"enabled": false})),
    ];
    let home = home(&server, &off);
    server.script([
        call("files__fails", json!({})),
        call("mcp_find", json!({"query": "files__fails files__data"})),
        call("mcp_call", json!({"tool": "files__data", "arguments": {}})),
        call("files__wait", json!({})),
        text("ok"),
    ]);
    let run = home.run(&["run", "--output", "stream-json", "go"]);
    run.assert_code(0);
    let names = declared(&server, 1);
    let is_declared = |name: &str| names.iter().any(|known| known == name);
    assert!(is_declared("files__echo"), "{names:?}");
    assert!(!is_declared("files__fails") && !is_declared("files__data"), "{names:?}");
    let body = server.request(1).body["tools"].to_string();
    assert!(body.contains("Waits for a dog."), "{body}");
    for request in [2, 4] {
        let told = result(&server, request);
        assert!(told.starts_with("unknown_tool"), "{told}");
    }
    let found = result(&server, 3);
    assert!(
        !found.contains("files__fails:") && !found.contains("files__data:"),
        "{found}"
    );
    let waited = result(&server, 5);
    assert!(waited.contains("did not answer within"), "in its own time: {waited}");
    assert!(!notes(&home).contains("\"fails\""), "{}", notes(&home));
    let told = run.events("notice");
    let missing: Vec<&Value> = told
        .iter()
        .filter(|notice| notice["code"] == "server_tools_missing")
        .collect();
    assert_eq!(missing.len(), 1, "{run}");
    let said = missing[0]["text"].as_str().unwrap_or_default();
    assert!(said.contains("nosuch, files__gone"), "{said}");
    let check = home.run(&["mcp", "check"]);
    assert!(
        check.stdout.contains("files__fails  off · a tool of the peer"),
        "{check}"
    );
    assert!(check.stdout.contains("not offered: nosuch, files__gone."), "{check}");
}

#[test]
fn a_server_starts_in_its_own_folder_and_says_so_where_that_is_not_there() {
    let server = Server::start();
    let home = home(&server, &[("cwd", json!("inner"))]);
    let check = home.run(&["mcp", "check"]);
    check.assert_code(1);
    assert!(check.stdout.contains("the server's folder `"), "{check}");
    home.file("inner/x", "");
    server.script([call("files__environment", json!({})), text("ok")]);
    home.run(&["run", "go"]).assert_code(0);
    let told = result(&server, 2);
    let inner = home.path("inner").canonicalize().expect("a folder");
    assert!(told.contains(&format!("PWD={}\n", inner.display())), "{told}");
}

#[test]
fn a_server_has_a_time_of_its_own_to_start_in() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("mute", "silent")]);
    configuration["mcp"]["mute"]["start_timeout_ms"] = json!(1_000);
    home.configure(&configuration);
    let check = home.run(&["mcp", "check"]);
    assert!(check.stdout.contains("the server did not answer within 1 s"), "{check}");
}

#[test]
fn a_person_switches_one_tool_off_and_on_and_what_was_sent_stays() {
    let server = Server::start();
    let home = home(&server, &[]);
    server.script([
        text("one"),
        call("files__echo", json!({"text": "unheard"})),
        text("two"),
        call("files__echo", json!({"text": "heard"})),
        text("All is said."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("say one");
    bench.wait_for_text("one");
    let switch = |is: &str| {
        bench.keys("/ m c p enter");
        bench.wait_for_text("Tools: ");
        bench.keys("t e c h o");
        bench.wait_for("the one that was typed", |screen| screen.has("1 of 12"));
        bench.keys("enter");
        bench.wait_for("what became of it", |screen| {
            screen.has("off · a tool") == (is == "off")
        });
        bench.keys("esc");
        bench.wait_for("the prompt again", |screen| !screen.has("Enter toggle"));
    };
    switch("off");
    bench.ask("say two");
    bench.wait_for_text("two");
    let told = result(&server, 3);
    assert!(told.contains("/mcp off files__echo"), "{told}");
    switch("on");
    bench.ask("say three");
    bench.wait_for_text("All is said.");
    bench.leave();
    assert_eq!(result(&server, 5), "heard!");
    assert_eq!(declared(&server, 1), declared(&server, 5));
    server.assert_append_only();
}

#[test]
fn a_server_that_is_switched_off_asks_nobody_for_leave_and_nobody_to_fill_anything_in() {
    let server = Server::start();
    let home = Home::bare().window(160, 45);
    home.configure(&peer::configuration(&home, &server, &[("files", "plain")]));
    let bench = home.bench(&[]);
    let order = |order: &str, shows: &'static str| {
        bench.ask(&format!("/mcp {order} files"));
        bench.wait_for_text(shows);
        bench.keys("esc");
        bench.wait_for("no sheet", |screen| !screen.has(shows));
    };
    server.script([call("files__echo", json!({"text": "unheard"})), text("First.")]);
    bench.ask("say it");
    bench.wait_for_review("files__echo");
    order("off", "files  off");
    bench.wait_for_text("First.");
    let told = result(&server, 2);
    assert!(told.contains("`/mcp off files` switches it off"), "{told}");
    assert!(!notes(&home).contains("unheard"), "{}", notes(&home));
    order("on", "files  ready");
    server.script([call("files__form", json!({"text": "dog"})), text("Second.")]);
    bench.ask("ask me");
    bench.accept("files__form");
    bench.wait_for_text("Which dog?");
    order("off", "files  off");
    bench.wait_for_text("Second.");
    bench.wait_for("no question", |screen| !screen.has("Which dog?"));
    bench.leave();
    assert_eq!(result(&server, 4), "{\"action\":\"decline\"}");
}

#[test]
fn a_server_that_was_switched_off_while_its_call_runs_gets_nothing_filled_in_and_a_row_says_so() {
    let server = Server::start();
    let home = home(&server, &[]).window(160, 45);
    server.script([call("files__form", json!({"text": "late dog"})), text("Done.")]);
    let bench = home.bench(&[]);
    bench.ask("ask me later");
    bench.wait_for_text("late dog");
    bench.ask("/mcp off files");
    bench.wait_for_text("files  off");
    bench.keys("esc");
    bench.wait_for_text("is switched off, so its question got no answer");
    bench.wait_for_text("Done.");
    bench.leave();
    assert_eq!(result(&server, 2), "{\"action\":\"decline\"}");
}
