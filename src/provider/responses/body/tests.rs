use serde_json::{Value, json};

use super::body;
use crate::ModelRequest;
use crate::sample::{history, request, thought};
use benchdog_base::id::{BlobId, CallId};
use benchdog_domain::agent::SendReasoning;
use benchdog_domain::image::{Image, ImageKind};
use benchdog_domain::message::{Arguments, ChatMessage, Seal, Sealed, ThoughtField, ToolCall};

fn sent(request: &ModelRequest) -> Value {
    serde_json::from_slice(&body(request)).unwrap()
}

fn items(messages: Vec<ChatMessage>) -> Vec<Value> {
    sent(&request(messages))["input"].as_array().unwrap().clone()
}

fn call(id: &str) -> ToolCall {
    ToolCall {
        id: CallId(id.to_owned()),
        name: "read".to_owned(),
        arguments: Arguments::Object(json!({"path": id}).as_object().unwrap().clone()),
    }
}

fn encrypted(upto: usize, text: usize, calls: usize, data: &str) -> Seal {
    Seal {
        upto,
        text,
        calls,
        sealed: Sealed::Encrypted {
            data: data.to_owned(),
            id: None,
        },
    }
}

#[test]
fn the_body_is_stateless_and_has_the_documented_fields() {
    let sent = sent(&request(history()));
    let keys: Vec<&String> = sent.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "model",
            "instructions",
            "input",
            "tools",
            "stream",
            "store",
            "include",
            "max_output_tokens",
            "temperature"
        ]
    );
    assert_eq!(
        (&sent["instructions"], &sent["store"]),
        (&json!("Be brief."), &json!(false))
    );
    assert_eq!(sent["include"], json!(["reasoning.encrypted_content"]));
    assert_eq!(
        sent["tools"],
        json!([{
            "type": "function", "name": "read", "description": "Reads.", "strict": false,
            "parameters": {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}},
        }])
    );
    let strict = self::sent(&ModelRequest {
        strict: true,
        ..request(history())
    });
    assert_eq!(
        (
            &strict["tools"][0]["strict"],
            &strict["tools"][0]["parameters"]["additionalProperties"]
        ),
        (&json!(true), &json!(false))
    );
}

#[test]
fn calls_and_results_are_items() {
    assert_eq!(
        items(history()),
        [
            json!({"type": "message", "role": "user", "content": "lies \u{2028} 日本"}),
            json!({"type": "function_call", "call_id": "1", "name": "read", "arguments": "{\"path\":\"a\\\"b\",\"limit\":1.0}"}),
            json!({"type": "function_call", "call_id": "2", "name": "read", "arguments": "{}"}),
            json!({"type": "function_call_output", "call_id": "1", "output": "one\ntwo"}),
            json!({"type": "function_call_output", "call_id": "2", "output": "bad arguments"}),
            json!({
                "type": "message", "id": "msg_5_0", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": "Done.", "annotations": []}],
            }),
        ]
    );
}

#[test]
fn images_are_parts_of_their_message() {
    let shown = ChatMessage::Pictured {
        text: "see".to_owned().into(),
        images: vec![Image {
            blob: BlobId("b".to_owned()),
            kind: ImageKind::Png,
            bytes: 3,
        }],
    };
    let mut request = request(vec![shown]);
    request.images.insert(BlobId("b".to_owned()), vec![1, 2, 3].into());
    assert_eq!(
        sent(&request)["input"][0]["content"],
        json!([
            {"type": "input_text", "text": "see"},
            {"type": "input_image", "image_url": "data:image/png;base64,AQID", "detail": "auto"},
        ])
    );
}

#[test]
fn encrypted_reasoning_returns_to_its_place() {
    let mut seals = vec![encrypted(3, 0, 0, "ONE"), encrypted(3, 2, 1, "TWO")];
    seals[1].sealed = Sealed::Encrypted {
        data: "TWO".to_owned(),
        id: Some("rs_of_the_server".to_owned()),
    };
    let kinds = |items: &[Value]| -> Vec<String> {
        items
            .iter()
            .map(|item| item["type"].as_str().unwrap().to_owned())
            .collect()
    };
    let answer = || thought("Hm", "why", vec![call("a"), call("b")], seals.clone());
    let back = items(vec![answer()]);
    assert_eq!(
        kinds(&back),
        ["reasoning", "message", "function_call", "reasoning", "function_call"]
    );
    assert_eq!(
        back[0],
        json!({
            "type": "reasoning", "id": "rs_0_0", "encrypted_content": "ONE",
            "summary": [{"type": "summary_text", "text": "why"}],
        })
    );
    assert_eq!(
        (&back[3]["summary"], &back[3]["encrypted_content"], &back[3]["id"]),
        (&json!([]), &json!("TWO"), &json!("rs_of_the_server"))
    );
    let never = sent(&ModelRequest {
        reasoning: SendReasoning::Never,
        ..request(vec![answer()])
    });
    assert_eq!(never.get("include"), None);
    assert_eq!(
        kinds(never["input"].as_array().unwrap()),
        ["message", "function_call", "function_call"]
    );
}

#[test]
fn readable_reasoning_of_an_answer_with_calls_has_the_form_of_local_servers() {
    let open = Seal {
        upto: 3,
        text: 0,
        calls: 0,
        sealed: Sealed::Open(ThoughtField::Reasoning),
    };
    let back = items(vec![thought("", "why", vec![call("a")], vec![open.clone()])]);
    assert_eq!(
        back[0],
        json!({
            "type": "reasoning", "id": "rs_0", "summary": [],
            "content": [{"type": "reasoning_text", "text": "why"}],
        })
    );
    assert_eq!(items(vec![thought("Hi", "why", Vec::new(), vec![open])]).len(), 1);
}

#[test]
fn a_signature_of_another_api_is_not_sent() {
    let signed = Seal {
        upto: 3,
        text: 0,
        calls: 0,
        sealed: Sealed::Signature("sig".to_owned()),
    };
    let back = items(vec![thought("Hi", "why", Vec::new(), vec![signed])]);
    assert_eq!((back.len(), &back[0]["type"]), (1, &json!("message")));
}

#[test]
fn a_longer_history_starts_with_the_same_bytes() {
    let seals = vec![encrypted(3, 0, 0, "ONE")];
    let mut messages = history();
    messages.push(thought("Hm", "why", vec![call("a")], seals));
    messages.push(ChatMessage::Tool {
        call: CallId("a".to_owned()),
        name: "read".to_owned(),
        text: "text".to_owned().into(),
    });
    let written = |count: usize| {
        let text = String::from_utf8(body(&request(messages[..count].to_vec()))).unwrap();
        let (list, _) = text.split_once("],\"tools\"").unwrap();
        list.to_owned()
    };
    for count in 2..messages.len() {
        assert!(written(count + 1).starts_with(&written(count)), "{count}");
    }
}

#[test]
fn configured_fields_are_merged_but_the_conversation_stays() {
    let mut request = request(history());
    let extra = json!({"input": [], "reasoning": {"effort": "high"}, "include": null, "store": true});
    request.extra_body = extra.as_object().unwrap().clone();
    let sent = sent(&request);
    assert_eq!(sent["input"].as_array().unwrap().len(), 6);
    assert_eq!(
        (&sent["reasoning"]["effort"], &sent["store"]),
        (&json!("high"), &json!(true))
    );
    assert_eq!(sent.get("include"), None);
}
