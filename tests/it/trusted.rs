//! Tests of the effects of a trusted project in the workbench, and of its limits.

use serde_json::json;

use crate::support::bench::waits;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn keys_of_a_trusted_project_work_in_the_workbench_at_once_and_at_the_next_start() {
    let server = Server::start();
    let home = Home::with(&server);
    let theirs = json!({"ui": {"keys": {"prompt.send": ["alt-g"]}}});
    home.file(".benchdog/config.jsonc", &theirs.to_string());
    let bench = home.bench(&[]);
    bench.wait_for_text("has its own rules");
    bench.ask("/trust");
    bench.wait_for_text("rules apply from now on");
    server.script([text("Sent with their key."), text("And again.")]);
    bench.keys("hello alt-g");
    bench.wait_for_text("Sent with their key.");
    bench.leave();
    let bench = home.bench(&[]);
    bench.wait_for_text("Alt+G  send");
    bench.keys("again alt-g");
    bench.wait_for_text("And again.");
    bench.leave();
}

#[test]
fn a_trusted_project_moves_no_key_that_answers_a_request() {
    let home = Home::bare();
    for id in [
        "approval.once",
        "approval.deny_now",
        "confirm.grant",
        "reason.send",
        "question.send",
    ] {
        let keys = json!({"ui": {"keys": {id: ["ctrl-y"]}}}).to_string();
        home.file(".benchdog/config.jsonc", &keys);
        let run = home.run(&["config", "check", "--trust"]);
        run.assert_code(2);
        let said = format!("a project cannot set `ui.keys.{id}`, because it would change which keys answer requests");
        assert!(
            run.stdout.contains(&said) && run.stdout.contains("config.jsonc:1"),
            "{run}"
        );
    }
    // The person's own value for the same key does not make the project's value valid.
    home.file(
        ".benchdog/config.jsonc",
        r#"{"ui": {"keys": {"approval.once": ["ctrl-y"]}}}"#,
    );
    home.file("mine.jsonc", r#"{"ui": {"keys": {"approval.once": ["u"]}}}"#);
    let mine = ["config", "check", "--trust", "--config", "mine.jsonc"];
    home.run(&mine).assert_code(2);
    // The key is valid in the person's own file.
    home.file(".benchdog/config.jsonc", "{}");
    home.run(&mine).assert_code(0);
    home.configure_text(r#"{"ui": {"keys": {"approval.once": ["ctrl-y"]}}}"#);
    home.run(&["config", "check"]).assert_code(0);
}

#[test]
fn trusting_a_folder_in_mid_session_sends_nothing_of_that_session_to_the_projects_server() {
    let (server, elsewhere) = (Server::start(), Server::start());
    let home = Home::with(&server);
    let theirs = json!({"provider": {"kit": {"base_url": elsewhere.base_url()}}});
    home.file(".benchdog/config.jsonc", &theirs.to_string());
    server.script([text("Mine."), text("Still mine.")]);
    let bench = home.bench(&[]);
    bench.wait_for_text("has its own rules");
    bench.ask("hello");
    bench.wait_for_text("Mine.");
    bench.ask("/trust");
    bench.wait_for_text("apply from the next session");
    bench.ask("and now?");
    bench.wait_for_text("Still mine.");
    assert_eq!(elsewhere.requests().len(), 0);
    // The next session uses the trusted server.
    elsewhere.script([text("Theirs.")]);
    bench.ask("/new");
    bench.ask("hello you");
    bench.wait_for_text("Theirs.");
    assert!(!elsewhere.request(1).says("hello\""), "nothing of the session before");
    bench.leave();
}

#[test]
fn distrust_takes_back_at_once_what_the_folder_allowed_and_trust_brings_it_again() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file(
        ".benchdog/config.jsonc",
        &json!({"permission": {"edit": "allow"}}).to_string(),
    );
    let write = |name: &str| call("write", json!({"path": name, "content": "x\n"}));
    server.script([write("one.txt"), text("First."), write("two.txt")]);
    let bench = home.bench(&[]);
    bench.wait_for_text("has its own rules");
    bench.ask("/trust");
    bench.wait_for_text("rules apply from now on");
    bench.ask("make one");
    bench.wait_for_text("First.");
    assert!(home.path("one.txt").exists());
    bench.ask("/distrust");
    bench.wait_for_text("rules are off");
    bench.ask("make two");
    // The call is shown in the conversation before its request is open.
    bench.wait_for("a request", waits);
    bench.keys("alt-a");
    bench.wait_for_text(" REVIEW ");
    assert!(!home.path("two.txt").exists(), "it asks again");
    bench.keys("esc");
    bench.wait_for_text(" PROMPT ");
    bench.keys("ctrl-c");
    bench.wait_for_text("interrupted");
    bench.ask("/trust");
    bench.wait_for_text("apply from the next session");
    server.script([write("three.txt"), text("Third.")]);
    bench.ask("/new");
    bench.ask("make three");
    bench.wait_for_text("Third.");
    assert!(home.path("three.txt").exists());
    bench.leave();
}

#[test]
fn trust_in_a_folder_that_brings_nothing_is_said_to_have_nothing_to_trust() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    bench.ask("/trust");
    bench.wait_for_text("has no rules of its own");
    bench.leave();
}

#[test]
fn a_folder_with_a_program_that_is_not_known_is_asked_about_at_each_start() {
    for (command, asks_again) in [
        (json!(["./guard.sh"]), false),
        (json!(["sh", "-c", "\"$PWD\"/guard.sh"]), true),
    ] {
        let server = Server::start();
        let home = Home::with(&server);
        let hooks = json!({"hooks": {"before_tool": [{"name": "guard", "command": command}]}});
        home.file(".benchdog/config.jsonc", &hooks.to_string());
        home.file("guard.sh", "#!/bin/sh\n");
        let card = |screen: &crate::support::screen::Screen<'_>| screen.has("has its own rules");
        let bench = home.bench(&[]);
        bench.wait_for("the card", card);
        if asks_again {
            bench.wait_for_text("asks for trust in this folder at each start");
        }
        bench.ask("/trust");
        bench.wait_for("the card to go", |screen| !card(screen));
        bench.leave();

        server.script([text("Here.")]);
        let run = home.run(&["run", "go"]);
        assert_eq!(
            run.stderr.contains("asks for trust in this folder at each start"),
            asks_again,
            "{run}"
        );
        assert_eq!(run.stderr.contains("is not trusted"), asks_again, "{run}");
        assert!(!asks_again || run.stderr.contains("guard"), "{run}");
    }
}

#[test]
fn the_whole_repository_is_trusted_until_a_folder_brings_something_else() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("AGENTS.md", "Rule of the top.")
        .file("a/AGENTS.md", "Rule of a.")
        .file("b/notes.txt", "one\n")
        .repository();
    let folder = |name: &str| home.path(name).display().to_string();
    let card = |screen: &crate::support::screen::Screen<'_>| screen.has("has its own rules");
    let bench = home.bench(&["-C", &folder("a")]);
    bench.wait_for_text("/trust repository");
    bench.ask("/trust repository");
    bench.wait_for("the card to go", |screen| !card(screen));
    bench.leave();
    server.script([text("Well."), text("Well."), text("Well.")]);
    home.run(&["-C", &folder("b"), "run", "hello"]).assert_code(0);
    assert!(
        server.request(1).says("Rule of the top."),
        "another folder is not asked about"
    );
    home.file("b/AGENTS.md", "Rule of b.");
    let run = home.run(&["-C", &folder("b"), "run", "hello"]);
    assert!(
        !server.request(2).says("Rule of") && run.stderr.contains("--trust"),
        "{run}"
    );
    // A refusal in one folder ends the trust in all folders.
    let bench = home.bench(&["-C", &folder("a")]);
    bench.ask("/distrust");
    bench.wait_for_text("rules are off");
    bench.leave();
    std::fs::remove_file(home.path("b/AGENTS.md")).expect("a file");
    home.run(&["-C", &folder("b"), "run", "hello"]).assert_code(0);
    assert!(!server.request(3).says("Rule of"));
}
