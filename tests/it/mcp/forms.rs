//! Tests of forms that a server sends during its call. A person answers them or not, and they never contain a secret.

use std::time::Duration;

use serde_json::json;

use super::peer::{self, notes};
use super::result;
use crate::support::bench::{draft_of, enter_counts};
use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn allowing(server: &Server) -> Home {
    home_of(server, "plain")
}

fn home_of(server: &Server, behaves: &str) -> Home {
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, server, &[("files", behaves)]);
    configuration["permission"] = json!({"files__*": "allow"});
    configuration["mcp"]["files"]["timeout_ms"] = json!(3_000);
    home.configure(&configuration);
    home
}

fn asked(server: &Server, home: &Home, which: &str) -> Pty {
    server.script([call("files__form", json!({"text": which})), text("Noted.")]);
    let bench = home.bench(&[]);
    bench.ask("go");
    bench
}

/// Answers the current page after it shows `shows`.
fn enter(bench: &Pty, shows: &'static str, what: &'static str) {
    bench.wait_for("Enter that counts", move |screen| {
        screen.has(shows) && enter_counts(screen, what)
    });
    bench.keys("enter");
}

/// Continues to the page of the age.
fn names_it(bench: &Pty) {
    enter(bench, "› 1 ( ) Fill in the form", "next");
    bench.wait_for_text("Name *");
    bench.type_text("Rex");
    enter(bench, "› Rex", "next");
    bench.wait_for_text("Expected: a whole number · 0 to 30");
}

#[test]
fn a_form_is_filled_in_by_the_person_who_takes_longer_than_a_call_may() {
    let server = Server::start();
    let home = allowing(&server);
    let bench = asked(&server, &home, "dog");
    bench.wait_for_text("The MCP server `files` asks: Which dog?");
    bench.wait_for_text("Your answers are sent to the MCP server");
    bench.keys("alt-a");
    names_it(&bench);
    bench.type_text("31");
    enter(&bench, "› 31", "next");
    bench.wait_for_text("Not valid. Expected: 0 to 30");
    bench.wait_for_text("› 31");
    bench.keys("backspace backspace");
    bench.type_text("7");
    enter(&bench, "› 7", "next");
    bench.wait_for_text("› 1 ( ) skip this field");
    bench.keys("down down");
    enter(&bench, "› 3 ( ) Large", "next");
    enter(&bench, "Rex", "send");
    bench.wait_for_text("Noted.");
    bench.wait_for_text("Your answers were sent to the MCP server");
    bench.leave();
    let told = result(&server, 2);
    assert!(
        told.contains("\"action\":\"accept\"") && told.contains("\"name\":\"Rex\""),
        "{told}"
    );
    assert!(told.contains("\"age\":7") && told.contains("\"size\":\"l\""), "{told}");
}

#[test]
fn what_a_server_suggests_is_what_enter_gives_and_what_it_does_not_need_is_left_out() {
    let server = Server::start();
    let home = allowing(&server);
    let bench = asked(&server, &home, "suggested");
    bench.wait_for_text("Which dog?");
    bench.keys("alt-a");
    enter(&bench, "› 1 ( ) Fill in the form", "next");
    for shown in ["› Rex", "› 30", "› 3 ( ) yes", "› 3 ( ) l", "› 1 ( ) skip this field"] {
        enter(&bench, shown, "next");
    }
    enter(&bench, "skipped", "send");
    bench.wait_for_text("Noted.");
    bench.leave();
    let content = r#""content":{"age":30,"good":true,"name":"Rex","size":"l"}"#;
    let told: serde_json::Value = serde_json::from_str(&result(&server, 2)).unwrap();
    let wanted: serde_json::Value = serde_json::from_str(&format!("{{\"action\":\"accept\",{content}}}")).unwrap();
    assert_eq!(told, wanted);
}

#[test]
fn who_declines_tells_nothing_and_the_turn_goes_on() {
    let server = Server::start();
    let home = allowing(&server);
    let bench = asked(&server, &home, "nothing");
    bench.wait_for_text("Shall the dog go?");
    bench.keys("alt-a");
    bench.wait_for("Enter that counts", |screen| enter_counts(screen, "answer"));
    bench.keys("down");
    enter(&bench, "› 2 ( ) Decline", "answer");
    bench.wait_for_text("Noted.");
    bench.wait_for_text("You declined the question of the MCP server");
    bench.leave();
    assert_eq!(result(&server, 2), "{\"action\":\"decline\"}");
}

#[test]
fn what_is_asked_goes_with_its_call() {
    let server = Server::start();
    let home = allowing(&server);
    let bench = asked(&server, &home, "dog");
    bench.wait_for_text("Which dog?");
    bench.keys("esc");
    bench.wait_for("no question", |screen| !screen.has("Which dog?"));
    bench.leave();
    assert!(!notes(&home).contains("\"action\":\"accept\""), "{}", notes(&home));
}

#[test]
fn answers_in_a_form_that_its_server_withdraws_are_shown_and_later_keys_are_in_the_prompt() {
    let server = Server::start();
    let home = home_of(&server, "withdraws");
    let bench = asked(&server, &home, "dog");
    bench.wait_for_text("Which dog?");
    bench.keys("alt-a");
    names_it(&bench);
    bench.type_text("1");
    bench.wait_for_text("› 1");
    peer::goes_on(&home);
    // Type like a person who has not noticed the form yet.
    let mut typed = 0;
    while !bench.look(|screen| screen.has("were not sent: Name")) {
        assert!(typed < 500, "the question stays");
        bench.type_text("2");
        std::thread::sleep(Duration::from_millis(20));
        typed += 1;
    }
    bench.type_text("3");
    bench.wait_for_text("Your answers to `files` were not sent: Name: Rex · age: 1");
    bench.wait_for_text("The MCP server `files` withdrew its question");
    bench.wait_for("the later keys in the prompt", |screen| draft_of(screen).contains('3'));
    bench.keys("ctrl-u");
    peer::goes_on(&home);
    bench.wait_for_text("Noted.");
    bench.leave();
    assert_eq!(server.requests().len(), 2, "nothing was sent");
}

#[test]
fn secrets_and_addresses_are_declined_and_shown() {
    for (which, shown, row) in [
        ("secret", "elicitation (secret)", "asked for a secret (`password`)"),
        ("pin", "elicitation (secret)", "asked for a secret (`pin`"),
        ("url", "elicitation (url)", "asked to open an address"),
    ] {
        let server = Server::start();
        let home = allowing(&server);
        let bench = asked(&server, &home, which);
        bench.wait_for_text("Noted.");
        bench.wait_for("the row that says why", |screen| screen.has(row));
        bench.ask("/mcp");
        bench.wait_for_text(shown);
        bench.keys("esc");
        bench.wait_for("no sheet", |screen| !screen.has(shown));
        bench.leave();
        assert_eq!(result(&server, 2), "{\"action\":\"decline\"}");
    }
}

#[test]
fn where_nobody_sits_it_is_declined() {
    let server = Server::start();
    let home = allowing(&server);
    server.script([call("files__form", json!({"text": "dog"})), text("Noted.")]);
    home.run(&["run", "--approve", "all", "go"]).assert_code(0);
    assert_eq!(result(&server, 2), "{\"action\":\"decline\"}");
}
