//! What a project that is trusted changes in the workbench, and what it does not.

use serde_json::json;

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
    bench.wait_for_text("brings its own rules");
    bench.ask("/trust");
    bench.wait_for_text("count from now on");
    server.script([text("Sent with their key."), text("And again.")]);
    bench.keys("hello alt-g");
    bench.wait_for_text("Sent with their key.");
    bench.leave();
    let bench = home.bench(&[]);
    bench.wait_for_text("65.5k");
    bench.keys("again alt-g");
    bench.wait_for_text("And again.");
    bench.leave();
}

#[test]
fn trusting_a_folder_in_mid_session_sends_nothing_of_that_session_to_the_projects_server() {
    let (server, elsewhere) = (Server::start(), Server::start());
    let home = Home::with(&server);
    let theirs = json!({"provider": {"kit": {"base_url": elsewhere.base_url()}}});
    home.file(".benchdog/config.jsonc", &theirs.to_string());
    server.script([text("Mine."), text("Still mine.")]);
    let bench = home.bench(&[]);
    bench.wait_for_text("brings its own rules");
    bench.ask("hello");
    bench.wait_for_text("Mine.");
    bench.ask("/trust");
    bench.wait_for_text("from the next session on");
    bench.ask("and now?");
    bench.wait_for_text("Still mine.");
    assert_eq!(elsewhere.requests().len(), 0);
    // The next session is asked of the server that was trusted.
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
    bench.wait_for_text("brings its own rules");
    bench.ask("/trust");
    bench.wait_for_text("count from now on");
    bench.ask("make one");
    bench.wait_for_text("First.");
    assert!(home.path("one.txt").exists());
    bench.ask("/distrust");
    bench.wait_for_text("do not count");
    bench.ask("make two");
    bench.wait_for_text("two.txt");
    bench.keys("alt-a");
    bench.wait_for_text("deny");
    assert!(!home.path("two.txt").exists(), "it asks again");
    bench.keys("esc");
    bench.wait_for_text("Alt+A");
    bench.keys("ctrl-c");
    bench.wait_for_text("interrupted");
    bench.ask("/trust");
    bench.wait_for_text("from the next session on");
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
    bench.wait_for_text("brings no rules of its own");
    bench.leave();
}
