use std::sync::Arc;

use serde_json::{Value, json};

use super::body;
use crate::ModelRequest;
use crate::sample::{history, request};
use benchdog_domain::message::ChatMessage;

/// Returns a body up to the end of its message list.
fn messages(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).unwrap();
    let (messages, _) = text.split_once("],\"tools\":").unwrap();
    messages.to_owned()
}

#[test]
fn a_longer_history_begins_with_the_bytes_of_the_shorter_one() {
    let history = history();
    for length in 1..history.len() {
        let shorter = body(&request(history[..length].to_vec()));
        let longer = body(&request(history[..=length].to_vec()));
        assert!(messages(&longer).starts_with(&messages(&shorter)), "at {length}");
        let (_, after) = std::str::from_utf8(&shorter)
            .unwrap()
            .split_once("],\"tools\":")
            .unwrap();
        assert!(
            longer.ends_with(after.as_bytes()),
            "tools and parameters stay as they are"
        );
    }
}

#[test]
fn the_body_is_what_the_documentation_says() {
    let sent: Value = serde_json::from_slice(&body(&request(history()))).unwrap();
    let keys: Vec<&String> = sent.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "model",
            "messages",
            "tools",
            "stream",
            "stream_options",
            "max_tokens",
            "temperature"
        ]
    );
    assert_eq!(
        sent["messages"][1],
        json!({"role": "user", "content": "lies \u{2028} 日本"})
    );
    assert_eq!(sent["messages"][2]["content"], "");
    let function = &sent["messages"][2]["tool_calls"][0];
    assert_eq!(function["function"]["arguments"], "{\"path\":\"a\\\"b\",\"limit\":1.0}");
    assert_eq!(sent["messages"][2]["tool_calls"][1]["function"]["arguments"], "{}");
    assert_eq!(sent["messages"][3]["tool_call_id"], "1");
    assert_eq!(sent["messages"][5], json!({"role": "assistant", "content": "Done."}));
    assert_eq!(sent["tools"][0]["function"]["parameters"]["required"], json!(["path"]));
    assert_eq!(
        (&sent["stream"], &sent["stream_options"]["include_usage"]),
        (&json!(true), &json!(true))
    );
    assert_eq!((&sent["max_tokens"], &sent["temperature"]), (&json!(8192), &json!(0.2)));
}

#[test]
fn extra_body_has_the_last_word_but_not_on_the_messages() {
    let mut request = request(vec![ChatMessage::User("hi".to_owned().into())]);
    let extra = json!({
        "max_tokens": null, "max_completion_tokens": 99, "model": "other", "messages": [],
        "chat_template_kwargs": {"enable_thinking": false}, "temperature": 1,
    });
    request.extra_body = extra.as_object().unwrap().clone();
    let sent: Value = serde_json::from_slice(&body(&request)).unwrap();
    assert_eq!(sent["max_tokens"], Value::Null);
    assert!(!sent.as_object().unwrap().contains_key("max_tokens"));
    assert_eq!(
        (&sent["max_completion_tokens"], &sent["model"]),
        (&json!(99), &json!("other"))
    );
    assert_eq!(sent["messages"], json!([{"role": "user", "content": "hi"}]));
    assert_eq!(sent["chat_template_kwargs"]["enable_thinking"], false);
    assert_eq!(sent["temperature"], 1);
}

#[test]
fn ids_of_calls_are_shortened_alike_in_calls_and_results_where_a_template_demands_it() {
    let mut request = request(history());
    request.short_ids = true;
    let sent: Value = serde_json::from_slice(&body(&request)).unwrap();
    let ids: Vec<&str> = sent["messages"][2]["tool_calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["id"].as_str().unwrap())
        .collect();
    assert!(
        ids.iter()
            .all(|id| id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())),
        "{ids:?}"
    );
    assert_ne!(ids[0], ids[1]);
    assert_eq!(
        [
            &sent["messages"][3]["tool_call_id"],
            &sent["messages"][4]["tool_call_id"]
        ],
        [ids[0], ids[1]]
    );
}

#[test]
fn without_tools_none_are_declared() {
    let bare = ModelRequest {
        tools: Arc::new([]),
        ..request(Vec::new())
    };
    let sent: Value = serde_json::from_slice(&body(&bare)).unwrap();
    assert!(sent.get("tools").is_none());
    assert_eq!(sent["messages"], json!([]));
}
