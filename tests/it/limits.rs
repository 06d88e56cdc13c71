//! Tests that configured limits apply to runs, and that flags override them.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn home_with(server: &Server, key: &str, value: serde_json::Value) -> Home {
    let home = Home::with(server);
    let mut settings = config(&server.base_url());
    settings[key] = value;
    home.configure(&settings);
    home.file("a.txt", "one\n");
    home
}

#[test]
fn a_turn_stops_after_the_configured_steps_unless_a_flag_says_more() {
    let server = Server::start();
    let home = home_with(&server, "limits", json!({"steps": 1}));
    server.script([call("read", json!({"path": "a.txt"})), text("Read.")]);
    let run = home.run(&["run", "--output", "json", "read it"]);
    run.assert_code(4);
    assert_eq!(server.requests().len(), 1);
    server.script([call("read", json!({"path": "a.txt"})), text("Read.")]);
    home.run(&["run", "--max-steps", "5", "read it"]).assert_code(0);
}

#[test]
fn a_session_stops_at_the_configured_tokens_and_a_cost_without_a_price_is_an_error() {
    let server = Server::start();
    let home = home_with(&server, "limits", json!({"tokens": 1}));
    server.script([call("read", json!({"path": "a.txt"})), text("Read.")]);
    let run = home.run(&["run", "read it"]);
    assert_eq!(server.requests().len(), 1, "{run}");
    let home = home_with(&server, "limits", json!({"cost": 1}));
    let run = home.run(&["run", "read it"]);
    run.assert_code(2);
    assert!(run.stderr.contains("limits.cost"), "{run}");
}

#[test]
fn no_list_is_opened_where_the_configuration_says_so() {
    for (value, lists) in [(json!({"auto": false}), 0), (json!({}), 1)] {
        let server = Server::start();
        let home = home_with(&server, "todo", value);
        server.script([
            call("write", json!({"path": "b.txt", "content": "x\n"})),
            text("Written."),
        ]);
        let run = home.run(&["run", "--approve", "edits", "--output", "stream-json", "write it"]);
        run.assert_code(0);
        let todo = run.events("todo");
        let opened = todo
            .iter()
            .filter(|event| event["items"].as_array().is_some_and(|items| !items.is_empty()));
        assert_eq!(opened.count().min(1), lists, "{run}");
    }
}
