//! Answers and requests in the format of OpenAI's Responses API.

use serde_json::{Value, json};

use super::api::Said;

/// Writes every chunk as a separate item. Reasoning is encrypted, with a summary.
pub(super) fn written(said: &Said) -> String {
    match said {
        Said::Begin => {
            event(&json!({"type": "response.created", "response": {"id": "resp_kit", "status": "in_progress"}}))
        }
        Said::Alive => ": keep-alive\n\n".to_owned(),
        Said::Text(text) => event(&json!({"type": "response.output_text.delta", "output_index": 0, "delta": text})),
        Said::Thought(text) => {
            let delta = json!({"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": text});
            let summary = json!([{"type": "summary_text", "text": text}]);
            let item = json!({"type": "reasoning", "summary": summary, "encrypted_content": format!("sealed: {text}")});
            event(&delta) + &event(&json!({"type": "response.output_item.done", "output_index": 0, "item": item}))
        }
        Said::Call {
            place,
            id,
            tool,
            arguments,
        } => {
            let item = json!({"type": "function_call", "call_id": id, "name": tool, "arguments": ""});
            let delta = json!({
                "type": "response.function_call_arguments.delta", "output_index": place + 1,
                "delta": arguments.to_string(),
            });
            event(&json!({"type": "response.output_item.added", "output_index": place + 1, "item": item}))
                + &event(&delta)
        }
        Said::End { prompt, kept, .. } => event(&json!({"type": "response.completed", "response": {
            "id": "resp_kit", "status": "completed", "output": [],
            "usage": {
                "input_tokens": prompt, "output_tokens": 20, "total_tokens": prompt + 20,
                "input_tokens_details": {"cached_tokens": kept.unwrap_or(0)},
            },
        }})),
    }
}

fn event(value: &Value) -> String {
    let name = value["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {value}\n\n")
}

/// Converts items to chat completions. Reasoning, text and calls of an answer form one message.
pub(super) fn messages(body: &Value) -> Vec<Value> {
    let instructions = body["instructions"].as_str();
    let system = instructions.map(|text| json!({"role": "system", "content": text}));
    let mut messages: Vec<Value> = system.into_iter().collect();
    for item in body["input"].as_array().into_iter().flatten() {
        match item["type"].as_str() {
            Some("message") if item["role"] == "user" => {
                messages.push(json!({"role": "user", "content": text(&item["content"])}));
            }
            Some("message") => answer(&mut messages)["content"] = text(&item["content"]).into(),
            Some("function_call") => {
                let function = json!({"name": item["name"], "arguments": item["arguments"]});
                let call = json!({"id": item["call_id"], "function": function});
                let answer = answer(&mut messages);
                match answer["tool_calls"].as_array_mut() {
                    Some(calls) => calls.push(call),
                    None => answer["tool_calls"] = json!([call]),
                }
            }
            Some("function_call_output") => messages.push(json!({
                "role": "tool", "tool_call_id": item["call_id"], "content": item["output"],
            })),
            _ => {}
        }
    }
    messages
}

fn text(content: &Value) -> String {
    let parts = content.as_array().into_iter().flatten();
    let parts: String = parts.filter_map(|part| part["text"].as_str()).collect();
    content.as_str().map_or(parts, str::to_owned)
}

fn answer(messages: &mut Vec<Value>) -> &mut Value {
    if messages.last().is_none_or(|last| last["role"] != "assistant") {
        messages.push(json!({"role": "assistant", "content": ""}));
    }
    messages.last_mut().expect("an answer")
}
