mod strict;

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::openai;
use crate::sample::request;
use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, TurnId};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::message::{Seal, Sealed};

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: CallId(id.to_owned()),
        name: name.to_owned(),
        arguments: match serde_json::from_str(arguments) {
            Ok(object) => Arguments::Object(object),
            Err(_) => Arguments::Raw(arguments.to_owned()),
        },
    }
}

fn answer(text: &str, calls: Vec<ToolCall>, thought: Option<(&str, &str, ThoughtField)>) -> ChatMessage {
    let thoughts = thought.map_or_else(Thoughts::default, |(model, reasoning, field)| {
        let seal = Seal {
            upto: reasoning.len(),
            text: 0,
            calls: 0,
            sealed: Sealed::Open(field),
        };
        let body = Body::Assistant {
            text: String::new(),
            reasoning: reasoning.to_owned(),
            seals: vec![seal],
            calls: Vec::new(),
            model: ModelRef {
                provider: "p".to_owned(),
                id: model.to_owned(),
            },
            usage: None,
            error: None,
        };
        Thoughts::of(&Arc::new(Entry {
            id: EntryId(1),
            turn: TurnId(1),
            time: Time(0),
            body,
        }))
    });
    ChatMessage::Assistant {
        text: text.to_owned().into(),
        calls: calls.into(),
        thoughts,
    }
}

fn result(id: &str, name: &str) -> ChatMessage {
    ChatMessage::Tool {
        call: CallId(id.to_owned()),
        name: name.to_owned(),
        text: "done".to_owned().into(),
    }
}

fn user(text: &str) -> ChatMessage {
    ChatMessage::User(text.to_owned().into())
}

fn sent(reasoning: SendReasoning, messages: Vec<ChatMessage>) -> Vec<Value> {
    let mut order = request(messages);
    order.reasoning = reasoning;
    let order = Repairs::default().repair(order);
    let body: Value = serde_json::from_slice(&openai::body(&order)).unwrap();
    body["messages"].as_array().unwrap().clone()
}

#[test]
fn names_are_in_the_letters_of_every_server_in_call_and_result() {
    for (odd, sound) in [
        ("read<|channel|>commentary", "read"),
        ("functions.read", "read"),
        ("read file", "read_file"),
        ("", "unknown"),
        ("。", "unknown"),
        ("a.b:c/d", "a_b_c_d"),
        ("<|x|>", "__x__"),
    ] {
        let messages = sent(
            SendReasoning::Auto,
            vec![answer("", vec![call("1", odd, "{}")], None), result("1", odd)],
        );
        let name = messages[0]["tool_calls"][0]["function"]["name"].as_str().unwrap();
        assert_eq!((name, messages[1]["name"].as_str().unwrap()), (sound, sound), "{odd}");
    }
    assert_eq!(name(&"z".repeat(80)).len(), 64);
}

#[test]
fn repaired_arguments_go_back_as_they_were_run() {
    for (raw, object) in [
        ("{'path': 'n.txt'}", json!({"path": "n.txt"})),
        ("{\"path\":\"a\"}</tool_call>", json!({"path": "a"})),
        ("{\"path\":\"a\"}<|im_end|>\n<|im_start|>user", json!({"path": "a"})),
        (
            "<|constrain|>json<|message|>{\"path\":\"a\"}<|call|>",
            json!({"path": "a"}),
        ),
        ("{\"path\":", json!({})),
        ("rm -rf", json!({})),
    ] {
        let messages = sent(
            SendReasoning::Auto,
            vec![answer("", vec![call("1", "read", raw)], None), result("1", "read")],
        );
        let arguments = messages[0]["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(arguments).unwrap(), object, "{raw}");
    }
}

#[test]
fn every_call_has_one_result_and_every_result_a_call() {
    let messages = sent(
        SendReasoning::Auto,
        vec![
            result("0", "read"),
            answer("", vec![call("1", "read", "{}"), call("2", "read", "{}")], None),
            result("2", "read"),
            result("2", "read"),
            user("go on"),
            ChatMessage::System("late".to_owned()),
        ],
    );
    let told: Vec<_> = messages
        .iter()
        .map(|m| (m["role"].as_str().unwrap(), m["tool_call_id"].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("assistant", None),
            ("tool", Some("2")),
            ("tool", Some("1")),
            ("user", None),
            ("user", None)
        ]
    );
}

#[test]
fn control_tokens_of_an_answer_do_not_go_back_and_those_of_files_do() {
    let messages = sent(
        SendReasoning::Auto,
        vec![
            user("what is <|im_end|>?"),
            answer("It is `<|im_end|>`.", Vec::new(), None),
        ],
    );
    assert_eq!(messages[0]["content"], "what is <|im_end|>?");
    assert_eq!(messages[1]["content"], "It is `‹|im_end|›`.");
}

#[test]
fn reasoning_goes_back_in_its_field_as_the_setting_says() {
    use ThoughtField::{Content, Reasoning, ReasoningContent, ReasoningDetails, Thinking};
    let back = |setting, model: &str, field, calls: Vec<ToolCall>| {
        sent(
            setting,
            vec![
                answer("said", calls, Some((model, "thought", field))),
                result("1", "read"),
            ],
        )[0]
        .clone()
    };
    let calls = || vec![call("1", "read", "{}")];
    let own = "org/model";
    for (field, key) in [
        (ReasoningContent, "reasoning_content"),
        (Reasoning, "reasoning"),
        (Thinking, "thinking"),
    ] {
        for setting in [
            SendReasoning::Auto,
            SendReasoning::Turn,
            SendReasoning::Always,
            SendReasoning::Required,
        ] {
            assert_eq!(back(setting, own, field, calls())[key], "thought", "{setting:?}");
        }
        assert_eq!(back(SendReasoning::Never, own, field, calls())[key], Value::Null);
        assert_eq!(back(SendReasoning::Auto, own, field, Vec::new())[key], Value::Null);
        assert_eq!(back(SendReasoning::Always, own, field, Vec::new())[key], "thought");
        assert_eq!(back(SendReasoning::Auto, "other", field, calls())[key], Value::Null);
    }
    let details = back(SendReasoning::Auto, own, ReasoningDetails, calls());
    assert_eq!(details["reasoning_details"][0]["text"], "thought");
    assert_eq!(back(SendReasoning::Auto, own, Content, calls())["content"], "said");
    assert_eq!(
        back(SendReasoning::Turn, own, Content, calls())["content"],
        "<think>\nthought\n</think>\n\nsaid"
    );
    // A server that requires the reasoning field gets it in every answer with calls, even without reasoning or from
    // another model.
    assert_eq!(
        back(SendReasoning::Required, "other", Thinking, calls())["reasoning_content"],
        "thought"
    );
    let bare = sent(
        SendReasoning::Required,
        vec![answer("", calls(), None), result("1", "read")],
    );
    assert_eq!(bare[0]["reasoning_content"], "");
}

#[test]
fn a_longer_history_begins_with_the_bytes_of_the_shorter_one() {
    let own = Some(("org/model", "a <|end|> thought", ThoughtField::Reasoning));
    let history = [
        user("go"),
        answer(
            "<|im_end|>",
            vec![call("1", "re ad", "{'a': 1}"), call("2", "x", "{")],
            own,
        ),
        result("1", "re ad"),
        result("2", "x"),
        answer("", vec![call("1", "functions.list", "{}")], own),
        result("1", "functions.list"),
        answer("said", Vec::new(), own),
        user("again"),
    ];
    for setting in [SendReasoning::Auto, SendReasoning::Always, SendReasoning::Required] {
        let whole = sent(setting, history.to_vec());
        for length in [1, 4, 6, 7] {
            assert_eq!(sent(setting, history[..length].to_vec()), whole[..length], "{length}");
        }
    }
}

#[test]
fn a_history_without_faults_stays_shared() {
    let order = request(crate::sample::history());
    let sound = request(vec![
        user("hi"),
        answer("", vec![call("1", "read", "{}")], None),
        result("1", "read"),
    ]);
    let repairs = Repairs::default();
    assert_eq!(repairs.repair(sound.clone()).messages, sound.messages);
    assert!(repairs.0.lock().unwrap().is_empty());
    repairs.repair(order.clone());
    repairs.repair(order);
    assert_eq!(repairs.0.lock().unwrap().len(), 1, "each repair is logged once");
}
