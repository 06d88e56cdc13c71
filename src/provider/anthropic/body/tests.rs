use std::sync::Arc;

use serde_json::{Value, json};

use super::body;
use crate::ModelRequest;
use crate::sample::{history, request, thought};
use benchdog_base::id::{BlobId, CallId};
use benchdog_domain::agent::Thinking;
use benchdog_domain::image::{Image, ImageKind, Images};
use benchdog_domain::message::{Arguments, ChatMessage, Seal, Sealed, Thoughts, ToolCall};

const MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;

fn sent(request: &ModelRequest) -> Value {
    serde_json::from_slice(&body(request)).unwrap()
}

fn messages(messages: Vec<ChatMessage>) -> Vec<Value> {
    let text = String::from_utf8(body(&request(messages))).unwrap();
    let sent: Value = serde_json::from_str(&text.replace(MARK, "")).unwrap();
    sent["messages"].as_array().unwrap().clone()
}

fn user(text: &str) -> ChatMessage {
    ChatMessage::User(text.to_owned().into())
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall {
        id: CallId(id.to_owned()),
        name: name.to_owned(),
        arguments: Arguments::Object(json!({"path": id}).as_object().unwrap().clone()),
    }
}

fn calling(text: &str, calls: Vec<ToolCall>) -> ChatMessage {
    ChatMessage::Assistant {
        text: text.to_owned().into(),
        calls: calls.into(),
        thoughts: Thoughts::default(),
    }
}

fn result(id: &str, text: &str) -> ChatMessage {
    ChatMessage::Tool {
        call: CallId(id.to_owned()),
        name: "read".to_owned(),
        text: text.to_owned().into(),
    }
}

fn seal(upto: usize, text: usize, calls: usize, signature: &str) -> Seal {
    Seal {
        upto,
        text,
        calls,
        sealed: Sealed::Signature(signature.to_owned()),
    }
}

#[test]
fn the_body_is_what_the_documentation_says() {
    let sent = sent(&request(history()));
    let keys: Vec<&String> = sent.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "model",
            "system",
            "messages",
            "tools",
            "stream",
            "max_tokens",
            "temperature"
        ]
    );
    let mark = json!({"type": "ephemeral"});
    assert_eq!(
        sent["system"],
        json!([{"type": "text", "text": "Be brief.", "cache_control": mark}])
    );
    assert_eq!(
        sent["tools"],
        json!([{
            "name": "read", "description": "Reads.", "cache_control": mark,
            "input_schema": {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}},
        }])
    );
    assert_eq!((&sent["max_tokens"], &sent["temperature"]), (&json!(8192), &json!(0.2)));
}

#[test]
fn calls_and_results_are_blocks_and_the_results_of_an_answer_one_message() {
    assert_eq!(
        messages(history()),
        [
            json!({"role": "user", "content": [{"type": "text", "text": "lies \u{2028} 日本"}]}),
            json!({"role": "assistant", "content": [
                {"type": "tool_use", "id": "1", "name": "read", "input": {"path": "a\"b", "limit": 1.0}},
                {"type": "tool_use", "id": "2", "name": "read", "input": {}},
            ]}),
            json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "1", "content": "one\ntwo"},
                {"type": "tool_result", "tool_use_id": "2", "content": "bad arguments"},
            ]}),
            json!({"role": "assistant", "content": [{"type": "text", "text": "Done."}]}),
        ]
    );
}

#[test]
fn what_says_nothing_is_left_out_and_no_message_is_empty() {
    let sent = messages(vec![
        user(" \n"),
        calling("\n", vec![call("a", "read")]),
        result("a", ""),
        calling("", Vec::new()),
    ]);
    let content: Vec<&Value> = sent.iter().map(|message| &message["content"]).collect();
    assert_eq!(
        content,
        [
            &json!([{"type": "text", "text": "[empty]"}]),
            &json!([{"type": "tool_use", "id": "a", "name": "read", "input": {"path": "a"}}]),
            &json!([{"type": "tool_result", "tool_use_id": "a"}]),
            &json!([{"type": "text", "text": "[empty]"}]),
        ]
    );
}

#[test]
fn ids_are_written_in_the_letters_that_are_allowed() {
    let id = "call:1/é";
    let sent = messages(vec![
        user("x"),
        calling("", vec![call(id, "read"), call("b", "read")]),
        result(id, "r"),
    ]);
    let blocks = sent[1]["content"].as_array().unwrap();
    assert_eq!(blocks[0]["id"], "call_3a_1_2f__e9_");
    assert_eq!(sent[2]["content"][0]["tool_use_id"], blocks[0]["id"]);
}

#[test]
fn an_image_stands_in_front_of_its_text() {
    let image = Image {
        kind: ImageKind::Png,
        blob: BlobId::of(b"\x89PNG"),
        bytes: 4,
    };
    let mut order = request(vec![ChatMessage::Pictured {
        text: "What is this?".to_owned().into(),
        images: vec![image.clone()],
    }]);
    order.images = Images::from([(image.blob, Arc::from(&b"\x89PNG"[..]))]);
    let sent = sent(&order);
    let source = json!({"type": "base64", "media_type": "image/png", "data": "iVBORw=="});
    assert_eq!(
        sent["messages"][0]["content"][0],
        json!({"type": "image", "source": source})
    );
    assert_eq!(sent["messages"][0]["content"][1]["text"], "What is this?");
}

#[test]
fn the_end_of_this_request_and_of_the_one_before_are_marked_and_no_more() {
    let mut long = vec![ChatMessage::System("s".to_owned())];
    for turn in 0..9 {
        let id = format!("c{turn}");
        long.extend([user("u"), calling("t", vec![call(&id, "read")]), result(&id, "r")]);
    }
    let text = String::from_utf8(body(&request(long.clone()))).unwrap();
    assert_eq!(text.matches(MARK).count(), 4);
    let marked: Vec<usize> = sent(&request(long))["messages"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .filter(|(_, message)| message.to_string().contains("cache_control"))
        .map(|(place, _)| place)
        .collect();
    assert_eq!(marked, [24, 26]);
}

/// Returns a body up to the end of its message list, without cache marks.
fn growing(messages: &[ChatMessage]) -> String {
    let text = String::from_utf8(body(&request(messages.to_vec()))).unwrap();
    let (start, _) = text.split_once("],\"tools\":").unwrap();
    start.replace(MARK, "")
}

#[test]
fn two_hundred_turns_only_ever_grow() {
    let mut chance = fastrand::Rng::with_seed(11);
    let mut all = vec![ChatMessage::System("s".to_owned())];
    let mut before = String::new();
    let mut look = |all: &[ChatMessage]| {
        let now = growing(all);
        assert!(now.starts_with(&before), "{:?}", all.last());
        before = now;
    };
    for turn in 0..200 {
        all.push(user(&format!("question {turn}")));
        // Checks every step of the first turns, and every tenth turn later.
        let looks = turn < 20 || turn % 10 == 9;
        for step in 0..chance.usize(1..4) {
            if looks {
                look(&all);
            }
            let ids: Vec<String> = (0..chance.usize(1..5))
                .map(|place| format!("{turn}.{step}.{place}"))
                .collect();
            let calls = ids.iter().map(|id| call(id, "read")).collect();
            all.push(match step {
                0 => thought("I look.", "Hm.", calls, vec![seal(3, 0, 0, "sig")]),
                _ => calling("", calls),
            });
            all.extend(ids.iter().map(|id| result(id, "what it gave")));
            if chance.u8(..4) == 0 {
                look(&all);
                all.push(user("and this"));
            }
        }
        all.push(calling("An answer.", Vec::new()));
    }
}

#[test]
fn thoughts_go_back_sealed_and_in_their_places() {
    let seals = vec![
        seal(4, 0, 0, "s1"),
        Seal {
            upto: 4,
            text: 5,
            calls: 1,
            sealed: Sealed::Withheld("data".to_owned()),
        },
        seal(8, 5, 1, "s2"),
    ];
    let calls = vec![call("a", "read"), call("b", "read")];
    let sent = messages(vec![user("x"), thought("Text.", "One.Two.", calls, seals)]);
    assert_eq!(
        sent[1]["content"],
        json!([
            {"type": "thinking", "thinking": "One.", "signature": "s1"},
            {"type": "text", "text": "Text."},
            {"type": "tool_use", "id": "a", "name": "read", "input": {"path": "a"}},
            {"type": "redacted_thinking", "data": "data"},
            {"type": "thinking", "thinking": "Two.", "signature": "s2"},
            {"type": "tool_use", "id": "b", "name": "read", "input": {"path": "b"}},
        ])
    );
}

#[test]
fn thoughts_of_another_model_and_seals_that_do_not_fit_stay_behind() {
    let plain = json!([{"type": "text", "text": "日本"}]);
    let mut order = request(vec![
        user("x"),
        thought("日本", "Hm.", Vec::new(), vec![seal(3, 0, 0, "s")]),
    ]);
    assert_eq!(sent(&order)["messages"][1]["content"][0]["type"], "thinking");
    order.model = "another".to_owned();
    assert_eq!(sent(&order)["messages"][1]["content"], plain);
    for seals in [
        vec![seal(9, 0, 0, "s")],
        vec![seal(3, 1, 0, "s")],
        vec![seal(3, 0, 1, "s")],
        vec![seal(3, 0, 0, "s"), seal(2, 0, 0, "s")],
    ] {
        let sent = messages(vec![user("x"), thought("日本", "Hm.", Vec::new(), seals)]);
        assert_eq!(sent[1]["content"], plain);
    }
}

#[test]
fn thinking_has_room_beside_the_answer_and_leaves_no_choice_of_temperature() {
    let thinking = |model: &str, thinking| {
        let mut order = request(history());
        (order.model, order.thinking) = (model.to_owned(), Some(thinking));
        sent(&order)
    };
    let off = thinking("claude-sonnet-4-5", Thinking::Off);
    assert_eq!((&off["thinking"], &off["temperature"]), (&Value::Null, &json!(0.2)));
    for (much, budget) in [
        (Thinking::Low, 2048),
        (Thinking::Medium, 8192),
        (Thinking::High, 16_384),
    ] {
        let on = thinking("claude-sonnet-4-5-20250929", much);
        assert_eq!(on["thinking"], json!({"type": "enabled", "budget_tokens": budget}));
        assert_eq!(on["max_tokens"], 8192 + budget);
        assert_eq!((&on["temperature"], &on["output_config"]), (&Value::Null, &Value::Null));
    }
    let adaptive = thinking("anthropic/claude-opus-4.7", Thinking::Medium);
    assert_eq!(
        adaptive["thinking"],
        json!({"type": "adaptive", "display": "summarized"})
    );
    assert_eq!(adaptive["output_config"], json!({"effort": "medium"}));
    assert_eq!(adaptive["temperature"], Value::Null);
}

#[test]
fn extra_body_has_the_last_word_but_not_on_the_messages() {
    let mut order = request(history());
    order.thinking = Some(Thinking::High);
    let extra = json!({"thinking": {"budget_tokens": 1024}, "system": null, "messages": [], "top_k": 5});
    order.extra_body = extra.as_object().unwrap().clone();
    let sent = sent(&order);
    assert_eq!(sent["thinking"], json!({"type": "enabled", "budget_tokens": 1024}));
    assert_eq!((&sent["system"], &sent["top_k"]), (&Value::Null, &json!(5)));
    assert_eq!(sent["messages"].as_array().unwrap().len(), 4);
}
