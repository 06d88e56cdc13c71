//! Writes a request. The `messages` array of a longer history begins with the very bytes of the shorter one, so that a
//! server's prefix cache stays good; every message is therefore written by itself, from itself alone.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use crate::domain::image::{Image, Images};
use crate::domain::message::{Arguments, ChatMessage, ToolCall, ToolDeclaration};
use crate::provider::ModelRequest;

/// The whole body. Keys of `extra_body` replace ours, a `null` takes one away; `messages` it cannot touch.
pub(crate) fn body(request: &ModelRequest) -> Vec<u8> {
    let mut before = Map::new();
    before.insert("model".to_owned(), request.model.clone().into());
    let mut after = Map::new();
    if !request.tools.is_empty() {
        after.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    }
    after.insert("stream".to_owned(), true.into());
    after.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    after.insert("max_tokens".to_owned(), request.output.into());
    if let Some(temperature) = request.temperature {
        after.insert("temperature".to_owned(), temperature.into());
    }
    for (key, value) in &request.extra_body {
        let fields = if before.contains_key(key) {
            &mut before
        } else {
            &mut after
        };
        match value {
            _ if key == "messages" => {}
            Value::Null => {
                fields.shift_remove(key);
            }
            value => {
                fields.insert(key.clone(), value.clone());
            }
        }
    }
    let mut bytes = Vec::with_capacity(room(&request.messages, &request.images));
    bytes.push(b'{');
    fields(&before, &mut bytes);
    bytes.extend_from_slice(b"\"messages\":[");
    for (position, entry) in request.messages.iter().enumerate() {
        if position > 0 {
            bytes.push(b',');
        }
        write(&message(entry, &request.images), &mut bytes);
    }
    bytes.push(b']');
    if !after.is_empty() {
        bytes.push(b',');
        fields(&after, &mut bytes);
        bytes.pop();
    }
    bytes.push(b'}');
    bytes
}

/// About the length of the written messages. Growing by doubling would hold a long history three times over.
fn room(messages: &[ChatMessage], images: &Images) -> usize {
    let length = |message: &ChatMessage| match message {
        ChatMessage::System(text) => text.len(),
        ChatMessage::User(text)
        | ChatMessage::Pictured { text, .. }
        | ChatMessage::Assistant { text, .. }
        | ChatMessage::Tool { text, .. } => text.len(),
    };
    // A tenth for what is escaped; calls and tools have the rest.
    let texts: usize = messages.iter().map(length).sum();
    let images: usize = images.values().map(|bytes| bytes.len() / 3 * 4).sum();
    images + texts + texts / 10 + messages.len() * 128 + 16 * 1024
}

/// Each field and a comma.
fn fields(map: &Map<String, Value>, bytes: &mut Vec<u8>) {
    for (key, value) in map {
        write(key, bytes);
        bytes.push(b':');
        write(value, bytes);
        bytes.push(b',');
    }
}

/// Writing plain data into memory cannot fail; if it did, the server would reject the body and say why.
fn write(value: &impl serde::Serialize, bytes: &mut Vec<u8>) {
    let _ = serde_json::to_writer(bytes, value);
}

fn message(message: &ChatMessage, images: &Images) -> Value {
    match message {
        ChatMessage::System(text) => json!({ "role": "system", "content": text }),
        ChatMessage::User(text) => json!({ "role": "user", "content": text }),
        ChatMessage::Pictured { text, images: named } => {
            let shown = named
                .iter()
                .filter_map(|image| Some(picture(image, images.get(&image.blob)?)));
            let text = json!({ "type": "text", "text": text });
            json!({ "role": "user", "content": std::iter::once(text).chain(shown).collect::<Vec<_>>() })
        }
        // An empty list of calls breaks templates that only ask whether there is one.
        ChatMessage::Assistant { text, calls } if calls.is_empty() => json!({ "role": "assistant", "content": text }),
        // Empty text is "" and not null: templates write null as `None` or fail on it (vLLM #54337, Qwen3-VL).
        ChatMessage::Assistant { text, calls } => json!({
            "role": "assistant",
            "content": text,
            "tool_calls": calls.iter().map(call).collect::<Vec<_>>(),
        }),
        ChatMessage::Tool { call, name, text } => json!({
            "role": "tool",
            "tool_call_id": call.0,
            "name": name,
            "content": text,
        }),
    }
}

fn picture(image: &Image, bytes: &[u8]) -> Value {
    let mut url = format!("data:{};base64,", image.kind.media_type());
    BASE64_STANDARD.encode_string(bytes, &mut url);
    json!({ "type": "image_url", "image_url": { "url": url } })
}

/// A call of the history. One that could not be parsed goes back without arguments: servers parse them again, and a
/// malformed one would make every later request fail.
fn call(call: &ToolCall) -> Value {
    let arguments = match &call.arguments {
        Arguments::Object(object) => serde_json::to_string(object).unwrap_or_else(|_| "{}".to_owned()),
        Arguments::Raw(_) => "{}".to_owned(),
    };
    let name = if call.name.is_empty() { "unknown" } else { &call.name };
    json!({ "id": call.id.0, "type": "function", "function": { "name": name, "arguments": arguments } })
}

fn tool(tool: &ToolDeclaration) -> Value {
    json!({
        "type": "function",
        "function": { "name": tool.name, "description": tool.description, "parameters": tool.parameters },
    })
}

#[cfg(test)]
mod tests;
