//! Tests of hooks: programs called at points of a turn, and their abilities.

mod failing;
mod folder;
mod points;
mod status_line;

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// Writes an executable script next to the configuration.
pub fn script(home: &Home, name: &str, body: &str) {
    let file = home.benchdog_home().join(name);
    std::fs::write(&file, format!("#!/bin/sh\n{body}\n")).expect("a script");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("a script that can be run");
}

fn home_with(server: &Server, hooks: &Value, permission: &Value) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["hooks"] = hooks.clone();
    settings["permission"] = permission.clone();
    home.configure(&settings);
    home
}

fn guard(event: &str, more: Value) -> Value {
    let mut hook = json!({"name": "guard", "command": ["./guard"]});
    if let (Value::Object(hook), Value::Object(more)) = (&mut hook, more) {
        hook.extend(more);
    }
    json!({ event: [hook] })
}

fn bash(command: &str) -> crate::support::reply::Reply {
    call("bash", json!({"command": command}))
}

#[test]
fn a_hook_denies_a_call_and_its_reason_goes_to_the_model_and_to_the_person() {
    let server = Server::start();
    let home = home_with(
        &server,
        &guard("before_tool", json!({"match": "bash"})),
        &json!({"bash": "allow", "edit": "allow"}),
    );
    script(
        &home,
        "guard",
        "cat > \"$PWD/asked.json\"; echo 'not on a Friday'; exit 2",
    );
    server.script([
        bash("touch made.txt"),
        call("write", json!({"path": "a.txt", "content": "x"})),
        text("Well."),
    ]);
    let run = home.run(&["run", "go"]);
    assert!(!home.path("made.txt").exists());
    let told = server.request(2).last("tool").to_owned();
    assert!(
        told.contains("The hook `guard` of the user refused this call: not on a Friday"),
        "{told}"
    );
    assert!(
        run.stderr
            .contains("Hook `guard` (before_tool) refused: not on a Friday"),
        "{run}"
    );
    assert!(home.path("a.txt").exists(), "it is about bash only: {run}");
    let asked: Value = serde_json::from_str(&home.read("asked.json")).expect("JSON on its input");
    assert_eq!(
        (
            &asked["version"],
            &asked["hook_event_name"],
            &asked["tool_name"],
            &asked["tool_input"]["command"]
        ),
        (
            &json!(1),
            &json!("before_tool"),
            &json!("bash"),
            &json!("touch made.txt")
        )
    );
    assert!(asked["session_id"].is_string() && asked["tool_call_id"].is_string() && asked["cwd"].is_string());
    server.assert_append_only();
}

#[test]
fn what_a_hook_rewrites_is_judged_anew_and_its_allow_allows_nothing() {
    let server = Server::start();
    let rules = json!({"bash": {"*": "ask", "echo *": "allow"}});
    let home = home_with(&server, &guard("before_tool", json!({})), &rules);
    let answer = |command: &str| {
        let answer = json!({"decision": "allow", "hook_specific_output": {"tool_input": {"command": command}}});
        script(&home, "guard", &format!("echo '{answer}'"));
    };
    answer("touch made.txt");
    server.script([bash("echo fine"), text("No.")]);
    home.run(&["run", "go"]).assert_code(3);
    assert!(
        !home.path("made.txt").exists(),
        "what asks is asked about, and nobody is here"
    );

    answer("rm -rf ~");
    server.script([bash("echo fine"), text("No.")]);
    home.run(&["run", "--approve", "all", "go"]).assert_code(3);

    answer("echo rewritten");
    server.script([bash("echo fine"), text("Yes.")]);
    let run = home.run(&["run", "go"]);
    run.assert_code(0);
    let told = server.requests().last().expect("a request").last("tool").to_owned();
    assert!(
        told.contains("rewritten") && told.contains("changed the arguments"),
        "{told}"
    );
    assert!(
        run.stderr
            .contains("changed the arguments: {\"command\":\"echo rewritten\"}"),
        "{run}"
    );
}

#[test]
fn a_rewrite_to_something_dangerous_is_shown_to_the_person_as_it_would_run() {
    let server = Server::start();
    let home = home_with(
        &server,
        &guard("before_tool", json!({})),
        &json!({"bash": "allow", "edit": "allow"}),
    );
    let answer = json!({"hook_specific_output": {"tool_input": {"command": "rm -rf build"}}});
    script(&home, "guard", &format!("echo '{answer}'"));
    home.file("build/a.txt", "x");
    server.script([bash("echo fine"), text("Left alone.")]);
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.refuse("rm -rf build");
    bench.wait_for_text("Left alone.");
    assert!(home.path("build/a.txt").exists());
    bench.leave();
}

#[test]
fn a_rewrite_to_a_place_outside_is_refused_as_ever() {
    let server = Server::start();
    let home = home_with(
        &server,
        &guard("before_tool", json!({"match": "edit"})),
        &json!({"bash": "allow", "edit": "allow"}),
    );
    let outside = home.outside().join("out.txt");
    let answer = json!({"hook_specific_output": {"tool_input": {"path": outside, "content": "x"}}});
    script(&home, "guard", &format!("echo '{answer}'"));
    server.script([call("write", json!({"path": "a.txt", "content": "x"})), text("No.")]);
    home.run(&["run", "go"]);
    assert!(!outside.exists() && !home.path("a.txt").exists());
    let told = server.request(2).last("tool").to_owned();
    assert!(told.contains("outside"), "{told}");
}
