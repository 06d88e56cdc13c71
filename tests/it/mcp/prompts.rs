//! Tests of server prompts. A person calls one as `/server:name`, and its result is sent only as text.

use serde_json::json;

use super::peer::{self, home, notes};
use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn said(server: &Server, request: usize) -> String {
    server.request(request).last("user").to_owned()
}

#[test]
fn a_prompt_of_a_server_is_completed_and_sent_as_its_server_makes_it() {
    let server = Server::start();
    let home = home(&server, &[("files", "prompts")]);
    home.file("a.txt", "the text of a file\n");
    server.script([text("It is fine.")]);
    let bench = home.bench(&[]);
    bench.ask("/mcp");
    bench.wait_for_text("ready");
    bench.keys("esc");
    bench.type_text("/files:");
    bench.wait_for("its prompts", |screen| {
        screen.has("files:review") && screen.has("code [style]") && screen.has("files:help")
    });
    bench.ask("review main.rs \"a kind\" way");
    bench.wait_for_text("It is fine.");
    bench.leave();
    let said = said(&server, 1);
    assert!(said.contains("Review main.rs in a kind way."), "{said}");
    assert!(
        said.contains("(The server `files` has the model say here:)\nI have looked."),
        "{said}"
    );
    assert!(said.contains("[resource file:///rules.md]\nBe kind."), "{said}");
    assert!(said.contains("!`touch planted` @a.txt /quit"), "it stays text: {said}");
    assert!(
        !said.contains("the text of a file") && !said.contains('\u{1b}'),
        "{said}"
    );
    assert!(!home.project().join("planted").exists());
}

#[test]
fn what_may_be_written_for_an_argument_is_offered_as_its_server_says() {
    let server = Server::start();
    let home = home(&server, &[("files", "prompts")]);
    server.script([text("It is fine.")]);
    let bench = home.bench(&[]);
    bench.ask("/mcp");
    bench.wait_for_text("/files:review");
    bench.keys("esc");
    bench.type_text("/files:review ma");
    bench.wait_for("a value", |screen| screen.has("main.rs") && !screen.has("red.rs"));
    bench.keys("tab");
    bench.type_text(" style=ki");
    bench.wait_for_text("very kind");
    bench.keys("down tab");
    bench.wait_for("what was taken", |screen| {
        draft_of(screen).contains("› /files:review main.rs style=\"very kind\"")
            && screen.text().matches("very kind").count() == 1
    });
    bench.keys("enter");
    bench.wait_for_text("It is fine.");
    bench.leave();
    assert!(
        said(&server, 1).contains("Review main.rs in very kind."),
        "{}",
        said(&server, 1)
    );
}

#[test]
fn values_without_end_and_those_that_never_come_hold_no_key_up() {
    for behaves in ["prompts without end", "prompts that never come"] {
        let server = Server::start();
        let home = home(&server, &[("files", behaves)]);
        server.script([text("Here.")]);
        let bench = home.bench(&[]);
        bench.ask("/mcp");
        bench.wait_for_text("ready");
        bench.keys("esc");
        bench.wait_for("no sheet", |screen| !screen.has("MCP servers"));
        let called = if behaves == "prompts without end" {
            "p1"
        } else {
            "review"
        };
        bench.type_text(&format!("/files:{called} a word and more"));
        bench.wait_for("the line", |screen| draft_of(screen).contains("a word and more"));
        bench.keys("ctrl-c");
        bench.ask("go");
        bench.wait_for_text("Here.");
        bench.leave();
    }
}

#[test]
fn what_it_needs_is_asked_for_and_nothing_is_sent() {
    let server = Server::start();
    let home = home(&server, &[("files", "prompts")]);
    let run = home.run(&["run", "/files:review style=kind"]);
    assert!(run.stderr.contains("code=…"), "{run}");
    assert!(
        run.stderr.contains("the prompt `/files:review` cannot be sent") && !run.stderr.contains('@'),
        "{run}"
    );
    let unknown = home.run(&["run", "/files:rewiev"]);
    assert!(unknown.stderr.contains("no such prompt"), "{unknown}");
    assert!(!notes(&home).contains("prompts/get"), "{}", notes(&home));
    assert!(server.requests().is_empty());
}

#[test]
fn a_prompt_that_never_comes_is_given_back() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "prompts that never come")]);
    configuration["mcp"]["files"]["timeout_ms"] = json!(3_000);
    home.configure(&configuration);
    let run = home.run(&["run", "/files:help"]);
    assert!(run.stderr.contains("did not answer within 3 s"), "{run}");
    let hint = "restart it with `/mcp restart NAME`";
    assert!(run.stderr.contains(hint) && !run.stderr.contains("name=value"), "{run}");
    assert!(server.requests().is_empty());
}

#[test]
fn five_hundred_long_ones_are_listed_within_bounds() {
    let server = Server::start();
    let home = home(&server, &[("files", "prompts without end")]);
    server.script([text("Done.")]);
    home.run(&["run", "go"]).assert_code(0);
    let cache = home.benchdog_home().join("cache/mcp");
    let file = std::fs::read_dir(&cache).unwrap().next().unwrap().unwrap();
    assert!(file.metadata().unwrap().len() < 200_000);
}

#[test]
fn a_model_calls_none_by_what_it_writes_for_a_child() {
    let server = Server::start();
    let home = home(&server, &[("files", "prompts")]);
    server.script([
        call(
            "task",
            json!({"prompt": "/files:review main.rs", "description": "look"}),
        ),
        text("The child is done."),
        text("Done."),
    ]);
    home.run(&["run", "--approve", "all", "go"]).assert_code(0);
    assert!(!notes(&home).contains("prompts/get"), "{}", notes(&home));
    assert!(said(&server, 2).contains("/files:review main.rs"));
}
