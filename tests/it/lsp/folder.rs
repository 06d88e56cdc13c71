//! Tests of a server's process: sandbox, end with the session, and trust of a project.

use std::time::Duration;

use serde_json::json;

use super::{SERVER, edit, home, lsp, notes};
use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn a_server_ends_with_the_session() {
    let server = Server::start();
    let home = home(&server, "hung");
    home.file("a.txt", "one\n");
    server.script([call("read", json!({"path": "a.txt"})), text("Read it.")]);
    let bench = home.bench(&[]);
    bench.ask("read it");
    bench.wait_for_text("Read it.");
    home.wait_for_process("server.py");
    bench.leave();
    home.assert_gone("server.py", Duration::from_secs(5));
}

#[test]
fn a_server_writes_only_where_the_configuration_says() {
    let server = Server::start();
    let home = home(&server, "honest");
    let script = SERVER.replace(
        "if behaves == \"absent\":",
        "try:\n    open(\"written\", \"w\")\nexcept OSError as error:\n    note(\"not written\")\nif behaves == \"absent\":",
    );
    home.file("server.py", &script).file("a.txt", "one\n");
    server.script([call("edit", edit("a.txt", "one", "two")), text("done")]);
    home.run(&["run", "--approve", "all", "edit it"]).assert_code(0);
    assert!(
        notes(&home).starts_with("not written\ninitialize\n"),
        "{}",
        notes(&home)
    );
    assert!(!home.path("written").exists());
}

#[test]
fn a_server_of_a_project_starts_only_under_trust() {
    let server = Server::start();
    let home = Home::bare();
    let mut user = config(&server.base_url());
    user["todo"] = json!({"auto": false});
    home.configure(&user);
    home.file("server.py", SERVER).file("a.txt", "one\n");
    let mut own = lsp(&home, "honest");
    // A project cannot make a folder writable, so this server keeps no notes.
    own["fake"]["command"] = json!(["python3", "server.py", "honest"]);
    own["fake"].as_object_mut().expect("settings").remove("writable");
    home.file(".benchdog/config.jsonc", &json!({"lsp": own}).to_string());
    let script = || {
        [
            call("read", json!({"path": "a.txt"})),
            call("edit", edit("a.txt", "one", "one\nERROR brought")),
            text("done"),
        ]
    };
    server.script(script());
    home.run(&["run", "--approve", "all", "edit it"]).assert_code(0);
    assert_eq!(super::result(&server, 3), "updated `a.txt` +1 -0.\n");
    home.file("a.txt", "one\n");
    server.script(script());
    let run = home.run(&["run", "--trust", "--approve", "all", "edit it"]);
    let told = super::result(&server, 6);
    assert!(told.contains("a.txt:2:1: error: brought [fake]"), "{told}\n{run}");
}

#[test]
fn without_a_sandbox_a_server_starts_only_in_a_trusted_folder() {
    let server = Server::start();
    let home = Home::bare();
    home.file("server.py", SERVER).file("a.txt", "one\n");
    std::fs::create_dir_all(home.path("notes")).expect("a folder for notes");
    let mut whole = config(&server.base_url());
    whole["lsp"] = lsp(&home, "honest");
    whole["sandbox"] = json!({"level": "off"});
    home.configure(&whole);
    let script = || [call("diagnostics", json!({"path": "a.txt"})), text("done")];
    server.script(script());
    let run = home.run(&["run", "--output", "stream-json", "look"]);
    assert_eq!(notes(&home), "", "{run}");
    let notices = run.events("notice");
    let told: Vec<_> = notices
        .iter()
        .filter(|notice| notice["code"] == "language_server")
        .collect();
    assert_eq!(told.len(), 1, "{run}");
    let words = told[0]["text"].as_str().unwrap_or_default();
    assert!(
        words.contains("this folder is not trusted. Trust the folder"),
        "{words}"
    );
    server.script(script());
    let run = home.run(&["run", "--trust", "look"]);
    assert!(notes(&home).starts_with("initialize\n"), "{run}");
}

#[test]
fn a_secret_file_that_is_edited_is_not_sent() {
    let server = Server::start();
    let home = home(&server, "honest");
    home.file("token.txt", "one\n").file("a.txt", "one\n");
    server.script([
        call("edit", edit("a.txt", "one", "two")),
        call("edit", edit("token.txt", "one", "two")),
        text("done"),
    ]);
    let bench = home.bench(&[]);
    bench.ask("edit it");
    bench.accept("a.txt");
    bench.accept("token.txt");
    bench.wait_for_text("done");
    bench.leave();
    assert_eq!(home.read("token.txt"), "two\n");
    assert!(notes(&home).contains(" a.txt\n"), "{}", notes(&home));
    assert!(!notes(&home).contains("token.txt"), "{}", notes(&home));
}

#[test]
fn a_project_grants_no_folder() {
    let home = Home::bare();
    let own = json!({"lsp": {"pyright": {"writable": ["target"]}}});
    home.file(".benchdog/config.jsonc", &own.to_string());
    let run = home.run(&["config", "check", "--trust"]);
    assert!(
        format!("{run}").contains("a project cannot set `lsp.pyright.writable`"),
        "{run}"
    );
}
