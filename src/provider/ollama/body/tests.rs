use serde_json::{Value, json};

use super::body;
use crate::sample::{history, request};
use benchdog_domain::agent::Thinking;

fn sent(request: &crate::ModelRequest) -> Value {
    serde_json::from_slice(&body(request)).unwrap()
}

#[test]
fn window_output_and_temperature_are_options() {
    let mut request = request(history());
    request.window = Some(16_384);
    let sent = sent(&request);
    assert_eq!(
        sent["options"],
        json!({"num_ctx": 16_384, "num_predict": 8192, "temperature": 0.2})
    );
    assert_eq!((&sent["model"], &sent["stream"]), (&json!("org/model"), &json!(true)));
    assert_eq!(sent["tools"][0]["function"]["name"], "read");
}

#[test]
fn calls_go_as_objects_and_results_name_their_tool() {
    let sent = sent(&request(history()));
    assert_eq!(
        sent["messages"][2]["tool_calls"],
        json!([
            {"id": "1", "function": {"name": "read", "arguments": {"path": "a\"b", "limit": 1.0}}},
            {"id": "2", "function": {"name": "read", "arguments": {}}},
        ])
    );
    assert_eq!(
        sent["messages"][3],
        json!({"role": "tool", "content": "one\ntwo", "tool_name": "read", "tool_call_id": "1"})
    );
}

#[test]
fn extra_options_are_merged_into_ours_and_null_takes_one_away() {
    let mut request = request(history());
    request.window = Some(4096);
    let extra = json!({"keep_alive": "2h", "options": {"top_k": 40, "temperature": null}, "messages": []});
    request.extra_body = extra.as_object().unwrap().clone();
    let sent = sent(&request);
    assert_eq!(sent["keep_alive"], "2h");
    assert_eq!(
        sent["options"],
        json!({"num_ctx": 4096, "num_predict": 8192, "top_k": 40})
    );
    assert!(!sent["messages"].as_array().unwrap().is_empty());
}

#[test]
fn thinking_is_switched_and_has_levels_where_the_model_knows_them() {
    let mut request = request(history());
    assert!(sent(&request).get("think").is_none());
    request.thinking = Some(Thinking::Off);
    assert_eq!(sent(&request)["think"], false);
    request.thinking = Some(Thinking::High);
    assert_eq!(sent(&request)["think"], true);
    request.model = "gpt-oss:20b".to_owned();
    assert_eq!(sent(&request)["think"], "high");
}

#[test]
fn a_longer_history_begins_with_the_bytes_of_the_shorter() {
    let bytes = |length: usize| {
        let body = body(&request(history().into_iter().take(length).collect()));
        let text = String::from_utf8(body).unwrap();
        text.split_once(",\"tools\"")
            .unwrap()
            .0
            .trim_end_matches(']')
            .to_owned()
    };
    for length in 1..history().len() {
        assert!(bytes(length + 1).starts_with(&bytes(length)), "{length}");
    }
}
