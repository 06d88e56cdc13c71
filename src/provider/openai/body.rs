//! Writes a request. The `messages` array of a longer history begins with the very bytes of the shorter one, so that a
//! server's prefix cache stays good; every message is therefore written by itself, from itself alone.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
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
        write(&Message::of(entry, &request.images), &mut bytes);
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

/// A message as it is written. Its texts are borrowed: a long history is not copied to be sent.
#[derive(Serialize)]
struct Message<'m> {
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'m str>,
    /// Empty text is "" and not null: templates write null as `None` or fail on it (vLLM #54337, Qwen3-VL).
    content: Content<'m>,
    /// An empty list of calls breaks templates that only ask whether there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'m> {
    Text(&'m str),
    Parts(Vec<Value>),
}

impl<'m> Message<'m> {
    fn of(message: &'m ChatMessage, images: &Images) -> Self {
        let said = |role, text| Self {
            role,
            tool_call_id: None,
            name: None,
            content: Content::Text(text),
            tool_calls: Vec::new(),
        };
        match message {
            ChatMessage::System(text) => said("system", text),
            ChatMessage::User(text) => said("user", text),
            ChatMessage::Pictured { text, images: named } => {
                let shown = named
                    .iter()
                    .filter_map(|image| Some(picture(image, images.get(&image.blob)?)));
                let parts = std::iter::once(json!({ "type": "text", "text": text })).chain(shown);
                Self {
                    content: Content::Parts(parts.collect()),
                    ..said("user", "")
                }
            }
            ChatMessage::Assistant { text, calls } => Self {
                tool_calls: calls.iter().map(call).collect(),
                ..said("assistant", text)
            },
            ChatMessage::Tool { call, name, text } => Self {
                tool_call_id: Some(&call.0),
                name: Some(name),
                ..said("tool", text)
            },
        }
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
