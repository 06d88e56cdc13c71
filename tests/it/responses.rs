//! Tests of a session with OpenAI's Responses API: stateless requests, with encrypted reasoning sent back.

use serde_json::json;

use crate::support::api::{Api, request_of_continued_session, types};
use crate::support::home::Home;
use crate::support::reply::{refusal, stream, text};
use crate::support::server::Server;

#[test]
fn a_turn_with_a_call_a_rejected_edit_and_a_new_process_is_one_stateless_history() {
    let last = request_of_continued_session(Api::Responses, "sk-test");
    assert_eq!(last.header("authorization"), Some("Bearer sk-test"));
    assert_eq!(last.body["store"], false);
    assert_eq!(last.body.get("previous_response_id"), None);
    assert_eq!(
        types(&last.body["input"]),
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
    assert!(types(&server.request(2).body["input"]).contains(&"reasoning"));
    assert!(!types(&server.request(3).body["input"]).contains(&"reasoning"));
}
