//! Tests of a session with Anthropic's Messages API, from the key header to the returned reasoning.

use serde_json::json;

use crate::support::api::{Api, request_of_continued_session, types};
use crate::support::home::Home;
use crate::support::reply::refusal;
use crate::support::server::{MODEL, Server};

#[test]
fn a_turn_with_a_call_a_refusal_and_a_new_process_is_one_history_with_its_thoughts() {
    let last = request_of_continued_session(Api::Anthropic, "sk-ant-test");
    assert_eq!(last.header("x-api-key"), Some("sk-ant-test"));
    assert_eq!(last.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(last.header("authorization"), None);
    let sent = last.body["messages"].as_array().expect("messages");
    let shapes: Vec<Vec<&str>> = sent.iter().map(|message| types(&message["content"])).collect();
    assert_eq!(
        shapes,
        [
            vec!["text"],
            vec!["thinking", "text", "tool_use"],
            vec!["tool_result"],
            vec!["thinking", "tool_use"],
            vec!["tool_result"],
            vec!["text"],
            vec!["text"],
        ]
    );
    assert_eq!(
        sent[1]["content"][0],
        json!({"type": "thinking", "thinking": "I read it.", "signature": "signed: I read it."})
    );
    assert_eq!(sent[4]["content"][0]["tool_use_id"], sent[3]["content"][1]["id"]);
    assert!(
        sent[6]["content"][0]["text"]
            .as_str()
            .is_some_and(|text| text.contains("and now?"))
    );
}

#[test]
fn a_model_that_is_not_there_is_told_in_the_words_of_the_server() {
    let server = Server::start();
    let home = Home::speaking(Api::Anthropic, &server);
    let told = json!({"type": "error", "error": {
        "type": "not_found_error", "message": format!("model: {MODEL}"),
    }});
    server.script([refusal(404, &told.to_string())]);
    let run = home.run(&["run", "hello"]);
    assert_ne!(run.code, Some(0), "{run}");
    assert!(
        run.stderr.contains("/v1/messages` does not have this model (HTTP 404)"),
        "{run}"
    );
}
