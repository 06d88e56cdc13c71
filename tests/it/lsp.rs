//! Tests of language servers. The result of an edit contains their diagnostics, and no server delays a turn by more
//! than two seconds.

mod asked;
mod faults;
mod folder;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{Reply, call, text};
use crate::support::server::Server;

const SERVER: &str = include_str!("../data/lsp/server.py");

fn lsp(home: &Home, behaves: &str) -> Value {
    let notes = home.path("notes");
    json!({"fake": {
        "command": ["python3", "server.py", behaves, notes.join("all").to_string_lossy()],
        "files": ["*.txt"],
        "writable": [notes.to_string_lossy()],
    }})
}

/// Creates a project with the server. The server may write its notes.
fn home(server: &Server, behaves: &str) -> Home {
    let home = Home::bare();
    home.file("server.py", SERVER);
    std::fs::create_dir_all(home.path("notes")).expect("a folder for notes");
    let mut whole = config(&server.base_url());
    whole["lsp"] = lsp(&home, behaves);
    whole["todo"] = json!({"auto": false});
    home.configure(&whole);
    home
}

/// Returns the methods that the server received, one per line.
fn notes(home: &Home) -> String {
    std::fs::read_to_string(home.path("notes/all")).unwrap_or_default()
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "edits": [{"old": old, "new": new}]})
}

fn result(server: &Server, request: usize) -> String {
    server.request(request).last("tool").to_owned()
}

/// Returns a command that waits until the server has noted `noted` `times` times, and then half a second for Benchdog.
fn wait(noted: &str, times: usize) -> Reply {
    let command = format!(
        "for i in $(seq 100); do [ $(grep -c '^{noted}' notes/all) -ge {times} ] && break; sleep 0.1; done; sleep 0.5"
    );
    call("bash", json!({"command": command}))
}

fn edited(behaves: &str, before: &str, old: &str, new: &str) -> String {
    let server = Server::start();
    let home = home(&server, behaves);
    home.file("a.txt", before);
    server.script([
        call("read", json!({"path": "a.txt"})),
        wait("text", 1),
        call("edit", edit("a.txt", old, new)),
        text("done"),
    ]);
    let run = home.run(&["run", "--approve", "all", "edit it"]);
    run.assert_code(0);
    server.assert_append_only();
    result(&server, 4)
}

#[test]
fn an_error_that_an_edit_brings_is_in_its_result() {
    for behaves in ["honest", "pull", "unversioned", "cached"] {
        let told = edited(behaves, "one\nERROR old\n", "one", "zero\nERROR brought");
        assert_eq!(
            told,
            "updated `a.txt` +2 -1.\n\nNew diagnostics after this edit (fake):\na.txt:2:1: error: brought [fake]\n\
             1 error not shown: also there before the edit.\n",
            "{behaves}"
        );
    }
}

#[test]
fn a_server_that_says_nothing_of_clean_files_is_not_late() {
    let server = Server::start();
    let home = home(&server, "unversioned");
    home.file("a.txt", "one\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        wait("text", 1),
        call("edit", edit("a.txt", "one", "two")),
        call("edit", edit("a.txt", "two", "three")),
        call("edit", edit("a.txt", "three", "ERROR brought")),
        text("done"),
    ]);
    home.run(&["run", "--approve", "all", "edit it"]).assert_code(0);
    assert_eq!(result(&server, 4), "updated `a.txt` +1 -1.\n");
    assert_eq!(result(&server, 5), "updated `a.txt` +1 -1.\n");
    assert!(result(&server, 6).contains("error: brought"), "{}", result(&server, 6));
}

#[test]
fn an_edit_without_a_new_error_says_nothing_of_old_ones_and_warnings() {
    let told = edited("honest", "one\nERROR old\n", "one", "zero\nWARN new\n");
    assert_eq!(told, "updated `a.txt` +3 -1.\n");
}

#[test]
fn without_a_server_requests_are_the_same_as_ever() {
    let server = Server::start();
    let (with, without) = (home(&server, "honest"), Home::with(&server));
    server.script([text("one"), text("two")]);
    with.run(&["run", "hello"]).assert_code(0);
    without.run(&["run", "hello"]).assert_code(0);
    let names = |request: usize| -> Vec<String> {
        let tools = server.request(request).body["tools"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let name = |tool: &Value| Some(tool["function"]["name"].as_str()?.to_owned());
        tools.iter().filter_map(name).collect()
    };
    let mut own = names(2);
    own.extend(["diagnostics", "definition", "references"].map(str::to_owned));
    assert_eq!(names(1), own);
    assert_eq!(notes(&with), "", "nothing starts without a file");
}

#[test]
fn a_new_error_is_a_finding_for_scripts_and_people() {
    let server = Server::start();
    let home = home(&server, "honest");
    home.file("a.txt", "one\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("edit", edit("a.txt", "one", "ERROR brought")),
        text("done"),
    ]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "edit it"]);
    let findings = run.events("findings");
    let found = findings.first().expect("findings");
    let wanted = json!([{"path": "a.txt", "line": 1, "severity": "error", "title": "brought [fake]"}]);
    assert_eq!(found["findings"], wanted, "{run}");
}
