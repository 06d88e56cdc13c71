//! A server's prefix cache is never thrown away: every request begins with the bytes of the one before.

use serde_json::json;

use crate::support::api::Api;
use crate::support::home::Home;
use crate::support::reply::{calls, stream, text};
use crate::support::server::Server;

#[test]
fn ten_turns_with_tools_todos_denials_and_commands_only_ever_grow() {
    ten_turns(Api::OpenAi);
}

#[test]
fn ten_turns_by_the_api_of_ollama_only_ever_grow() {
    ten_turns(Api::Ollama);
}

#[test]
fn ten_turns_by_the_messages_of_anthropic_only_ever_grow() {
    ten_turns(Api::Anthropic);
}

fn ten_turns(api: Api) {
    let server = Server::start();
    let home = Home::speaking(api, &server);
    home.file("notes.txt", "one\n");
    let bench = home.bench(&[]);
    for turn in 1..=10 {
        let item = json!({"items": [{"text": format!("step {turn}"), "status": "in_progress"}]});
        server.script([
            stream().thinks("Hm.").says("A plan.").calls("todowrite", item).ends(),
            calls([
                ("read", json!({"path": "notes.txt"})),
                ("grep", json!({"pattern": "one"})),
            ]),
            calls([("read", json!({"path": "../outside"})), ("no_such_tool", json!({}))]),
            text(&format!("Answer number {turn}.")),
        ]);
        if turn % 3 == 0 {
            bench.ask("!ls notes.txt");
            bench.wait_for("the command to end", |screen| !screen.has("Esc stop"));
        }
        bench.ask(&format!("question {turn}"));
        bench.wait_for_text(&format!("Answer number {turn}."));
        bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
    }
    assert_eq!(server.requests().len(), 40);
    server.assert_append_only();
    bench.leave();
}

#[test]
fn going_on_in_a_new_process_begins_with_the_same_bytes() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\n");
    for turn in 1..=4 {
        server.script([
            calls([("read", json!({"path": "notes.txt"}))]),
            text(&format!("Answer {turn}.")),
        ]);
        let arguments: &[&str] = if turn == 1 {
            &["run", "first"]
        } else {
            &["run", "-c", "next"]
        };
        home.run(arguments).assert_code(0);
    }
    assert_eq!(server.requests().len(), 8);
    server.assert_append_only();
}

#[test]
fn a_retry_and_a_failed_turn_leave_the_prefix_alone() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([crate::support::reply::status(500, "oops"), text("Fine.")]);
    home.run(&["run", "first"]).assert_code(0);
    server.script([stream().says("Half").cut()]);
    home.run(&["run", "-c", "second"]).assert_code(5);
    server.script([text("Whole.")]);
    home.run(&["run", "-c", "third"]).assert_code(0);
    server.assert_append_only();
    assert!(server.request(4).says("Half"), "what was said before the cut is kept");
}
