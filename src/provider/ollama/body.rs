//! Request bodies for Ollama's chat API.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::ModelRequest;
use crate::body::{Fields, base64};
use crate::history;
use crate::openai::{declares, tool};
use benchdog_domain::agent::Thinking;
use benchdog_domain::image::{Image, Images};
use benchdog_domain::message::{Arguments, ChatMessage, ThoughtField, ToolCall};

/// Writes the body. Always sends `num_ctx`, because the server otherwise uses its default (often 4,096) and truncates
/// prompts silently. If `num_ctx` changes, the server loads the model again.
pub(crate) fn body(request: &ModelRequest) -> Vec<u8> {
    let mut before = Map::new();
    before.insert("model".to_owned(), request.model.clone().into());
    let mut after = Map::new();
    if declares(request) {
        after.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    }
    after.insert("stream".to_owned(), true.into());
    let mut options = Map::new();
    if let Some(window) = request.window {
        options.insert("num_ctx".to_owned(), window.into());
    }
    options.insert("num_predict".to_owned(), request.output.into());
    if let Some(temperature) = request.temperature {
        options.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(top_p) = request.top_p {
        options.insert("top_p".to_owned(), top_p.into());
    }
    if let Some(level) = request.thinking {
        // Only gpt-oss has levels of reasoning. For other models, reasoning can only be switched on or off.
        let levels = level != Thinking::Off && request.model.contains("gpt-oss");
        let think = if levels {
            level.word().into()
        } else {
            Value::from(level != Thinking::Off)
        };
        after.insert("think".to_owned(), think);
    }
    after.insert("options".to_owned(), options.into());
    let messages = request.messages.iter();
    Fields { before, after }.with_extra(&request.extra_body).into_body(
        "messages",
        request,
        messages.map(|message| Message::of(message, request)),
    )
}

#[derive(Serialize)]
struct Message<'m> {
    role: &'static str,
    content: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Cow<'m, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Value>,
    /// Name of the tool that returned the result. Chat templates use it. Newer servers use the call id instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'m str>,
}

impl<'m> Message<'m> {
    fn of(message: &'m ChatMessage, request: &'m ModelRequest) -> Self {
        let said = |role, content| Self {
            role,
            content,
            thinking: None,
            images: Vec::new(),
            tool_calls: Vec::new(),
            tool_name: None,
            tool_call_id: None,
        };
        match message {
            ChatMessage::System(text) => said("system", text),
            ChatMessage::User(text) => said("user", text),
            ChatMessage::Pictured { text, images: named } => Self {
                images: named
                    .iter()
                    .filter_map(|image| picture(image, &request.images))
                    .collect(),
                ..said("user", text)
            },
            ChatMessage::Assistant { text, calls, thoughts } => Self {
                thinking: history::reasoning(request, thoughts, calls, ThoughtField::Thinking).map(|back| back.text),
                tool_calls: calls.iter().map(call).collect(),
                ..said("assistant", text)
            },
            ChatMessage::Tool { call, name, text } => Self {
                tool_name: Some(name),
                tool_call_id: Some(&call.0),
                ..said("tool", text)
            },
        }
    }
}

fn picture(image: &Image, images: &Images) -> Option<String> {
    let mut text = String::new();
    base64(images.get(&image.blob)?, &mut text);
    Some(text)
}

fn call(call: &ToolCall) -> Value {
    let empty = Map::new();
    let arguments = match &call.arguments {
        Arguments::Object(object) => object,
        Arguments::Raw(_) => &empty,
    };
    json!({ "id": call.id.0, "function": { "name": call.name, "arguments": arguments } })
}

#[cfg(test)]
mod tests;
