//! A session with OpenAI's Responses API: stateless requests, and reasoning that returns encrypted.

use serde_json::{Value, json};

use crate::support::api::Api;
use crate::support::home::Home;
use crate::support::reply::{refusal, stream, text};
use crate::support::server::Server;

fn kinds(body: &Value) -> Vec<&str> {
    let items = body["input"].as_array().expect("a list of items");
    items
        .iter()
        .map(|item| item["type"].as_str().unwrap_or_default())
        .collect()
}

#[test]
fn a_turn_with_a_call_a_rejected_edit_and_a_new_process_is_one_stateless_history() {
    let server = Server::start();
    let home = Home::speaking(Api::Responses, &server).env("BENCHDOG_API_KEY", "sk-test");
    home.file("a.txt", "first\n");
    let edit = json!({"path": "a.txt", "edits": [{"old": "first", "new": "second"}]});
    server.script([
        stream()
            .thinks("I read it.")
            .says("I look.")
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
        stream().thinks("I change it.").calls("edit", edit).ends(),
        text("Noted."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.refuse("second");
    bench.wait_for_text("Noted.");
    bench.leave();
    assert_eq!(home.read("a.txt"), "first\n");

    server.script([text("Still here.")]);
    let run = home.run(&["run", "-c", "and now?"]);
    run.assert_code(0);
    assert!(run.stdout.contains("Still here."), "{run}");

    server.assert_append_only();
    let last = server.request(4);
    assert_eq!(last.header("authorization"), Some("Bearer sk-test"));
    assert_eq!(last.body["store"], false);
    assert_eq!(last.body.get("previous_response_id"), None);
    assert_eq!(
        kinds(&last.body),
        [
            "message",
            "reasoning",
            "message",
            "function_call",
            "function_call_output",
            "reasoning",
            "function_call",
            "function_call_output",
            "message",
            "message",
        ]
    );
    assert_eq!(last.body["input"][1]["encrypted_content"], "sealed: I read it.");
    assert_eq!(last.body["input"][4]["call_id"], last.body["input"][3]["call_id"]);
    assert!(last.last("user").contains("and now?"));
}

#[test]
fn a_server_that_rejects_encrypted_reasoning_gets_the_request_again_without_it() {
    let server = Server::start();
    let home = Home::speaking(Api::Responses, &server);
    home.file("a.txt", "first\n");
    let refused = json!({"error": {"message": "Encrypted content is not supported.", "code": 400}});
    server.script([
        stream().thinks("Hm.").calls("read", json!({"path": "a.txt"})).ends(),
        refusal(400, &refused.to_string()),
        text("It says first."),
    ]);
    let run = home.run(&["run", "what does it say?"]);
    run.assert_code(0);
    assert_eq!(run.stdout, "It says first.\n");
    assert!(kinds(&server.request(2).body).contains(&"reasoning"));
    assert!(!kinds(&server.request(3).body).contains(&"reasoning"));
}
