use std::sync::Arc;

use serde_json::{Value, json};

use super::Decoded;
use crate::decoder::Decoder;
use crate::openai;
use crate::textcalls::{Mode, Recogniser};
use benchdog_domain::message::{Aliases, ToolDeclaration};

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn offered_bash(events: &[Value]) -> Decoded {
    let bash = ToolDeclaration {
        name: "bash".to_owned(),
        description: String::new(),
        parameters: json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}),
        aliases: Aliases::default(),
    };
    let recogniser = Recogniser::new(Arc::new([bash]), Mode::Open);
    let mut decoder = Decoder::new(openai::FORMAT, 200).reading_calls(recogniser, None);
    for event in events {
        decoder.push(format!("data: {event}\n\n").as_bytes());
    }
    decoder.finish()
}

const WRITTEN: &str = "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>";

#[test]
fn a_written_call_repeated_whole_at_the_end_is_made_once() {
    let text = format!("Let me.\n{WRITTEN}\n");
    let decoded = offered_bash(&[
        delta(json!({"content": text})),
        json!({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}),
    ]);
    assert_eq!((decoded.text.as_str(), decoded.calls.len()), ("Let me.", 1));
}

#[test]
fn a_call_that_the_server_sends_and_leaks_is_made_once() {
    let native = json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "bash", "arguments": "{\"command\": \"ls\"}"}}]});
    let other = WRITTEN.replace("ls", "pwd");
    let bare = "{\"name\": \"bash\", \"parameters\": {\"command\": \"pwd\"}}";
    for (text, calls) in [
        (format!("Let me.\n{WRITTEN}"), 1),
        (format!("Let me.\n{other}"), 2),
        (format!("Let me. {other}"), 1),
        (bare.to_owned(), 1),
    ] {
        let decoded = offered_bash(&[
            delta(json!({"content": text})),
            delta(native.clone()),
            finish("tool_calls"),
        ]);
        assert_eq!((decoded.calls.len(), decoded.written.leaked), (calls, 1), "{text}");
    }
}
