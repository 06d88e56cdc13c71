//! Request bodies for OpenAI-compatible chat completions.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::ModelRequest;
use crate::body::{Fields, base64};
use crate::history::{self, Reasoning};
use benchdog_base::id::CallId;
use benchdog_domain::agent::Protocol;
use benchdog_domain::image::Image;
use benchdog_domain::message::{Arguments, ChatMessage, ThoughtField, ToolCall, ToolDeclaration};

/// Writes the body of a request. Fields in `extra_body` replace the built-in ones, and `null` removes a field.
/// `messages` cannot be replaced.
pub(crate) fn body(request: &ModelRequest) -> Vec<u8> {
    let mut before = Map::new();
    before.insert("model".to_owned(), request.model.clone().into());
    let mut after = Map::new();
    if declares(request) {
        let declared = request.tools.iter().map(|tool| declaration(tool, request.strict));
        after.insert("tools".to_owned(), declared.collect());
    }
    after.insert("stream".to_owned(), true.into());
    after.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    if request.tells_reading {
        after.insert("return_progress".to_owned(), true.into());
    }
    after.insert("max_tokens".to_owned(), request.output.into());
    if let Some(temperature) = request.temperature {
        after.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(top_p) = request.top_p {
        after.insert("top_p".to_owned(), top_p.into());
    }
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
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<Cow<'m, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'m str>,
    /// The text, `""` if empty. Chat templates fail on `null`, or print it as `None` (vLLM #54337, Qwen3-VL).
    content: Content<'m>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<Cow<'m, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Cow<'m, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_details: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Cow<'m, str>>,
    /// Omitted if empty, because some chat templates only check whether the list is present.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'m> {
    Text(Cow<'m, str>),
    Parts(Vec<Value>),
}

impl<'m> Message<'m> {
    fn of(message: &'m ChatMessage, request: &'m ModelRequest) -> Self {
        let said = |role, text| Self {
            role,
            tool_call_id: None,
            name: None,
            content: Content::Text(Cow::Borrowed(text)),
            reasoning_content: None,
            reasoning: None,
            reasoning_details: None,
            thinking: None,
            tool_calls: Vec::new(),
        };
        match message {
            ChatMessage::System(text) => said("system", text),
            ChatMessage::User(text) => said("user", text),
            ChatMessage::Pictured { text, images: named } => {
                let shown = named
                    .iter()
                    .filter_map(|image| Some(picture(image, request.images.get(&image.blob)?)));
                let parts = std::iter::once(json!({ "type": "text", "text": text })).chain(shown);
                Self {
                    content: Content::Parts(parts.collect()),
                    ..said("user", "")
                }
            }
            ChatMessage::Assistant { text, calls, thoughts } => {
                let answer = Self {
                    tool_calls: calls.iter().map(|written| call(written, request.short_ids)).collect(),
                    ..said("assistant", text)
                };
                match history::reasoning(request, thoughts, calls, ThoughtField::ReasoningContent) {
                    Some(back) => answer.with_reasoning(back),
                    None => answer,
                }
            }
            ChatMessage::Tool { call, name, text } => Self {
                tool_call_id: Some(id_of(call, request.short_ids)),
                name: Some(name),
                ..said("tool", text)
            },
        }
    }
}

impl<'m> Message<'m> {
    fn with_reasoning(mut self, back: Reasoning<'m>) -> Self {
        match back.field {
            ThoughtField::ReasoningContent => self.reasoning_content = Some(back.text),
            ThoughtField::Reasoning => self.reasoning = Some(back.text),
            ThoughtField::Thinking => self.thinking = Some(back.text),
            ThoughtField::ReasoningDetails => {
                self.reasoning_details = Some(json!([{ "type": "reasoning.text", "text": back.text }]));
            }
            ThoughtField::Content => {
                if let Content::Text(text) = &self.content {
                    let whole = format!("<think>\n{}\n</think>\n\n{text}", back.text);
                    self.content = Content::Text(Cow::Owned(whole));
                }
            }
        }
        self
    }
}

/// Returns the call id. If `short` is set, derives an id of nine alphanumeric characters.
pub(crate) fn id_of(id: &CallId, short: bool) -> Cow<'_, str> {
    const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    if !short {
        return Cow::Borrowed(&id.0);
    }
    // FNV-1a gives the same hash in every run, so the messages of a resumed session do not change.
    let hash = id.0.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let letter = |place: u32| {
        let digit = usize::try_from(hash / 62_u64.pow(place) % 62).unwrap_or_default();
        LETTERS.get(digit).map_or('0', |letter| char::from(*letter))
    };
    Cow::Owned((0..9).map(letter).collect())
}

fn picture(image: &Image, bytes: &[u8]) -> Value {
    let mut url = format!("data:{};base64,", image.kind.media_type());
    base64(bytes, &mut url);
    json!({ "type": "image_url", "image_url": { "url": url } })
}

/// Converts a call. Invalid arguments become an empty object, because they would make every later request fail.
fn call(call: &ToolCall, short: bool) -> Value {
    let arguments = match &call.arguments {
        Arguments::Object(object) => serde_json::to_string(object).unwrap_or_else(|_| "{}".to_owned()),
        Arguments::Raw(_) => "{}".to_owned(),
    };
    json!({ "id": id_of(&call.id, short), "type": "function", "function": { "name": call.name, "arguments": arguments } })
}

pub(crate) fn declares(request: &ModelRequest) -> bool {
    request.protocol == Protocol::Native && !request.tools.is_empty()
}

pub(crate) fn tool(tool: &ToolDeclaration) -> Value {
    declaration(tool, false)
}

fn declaration(tool: &ToolDeclaration, strict: bool) -> Value {
    let mut function = json!({ "name": tool.name, "description": tool.description, "parameters": tool.parameters });
    if strict {
        function["parameters"] = strict_schema(&tool.parameters);
        function["strict"] = true.into();
    }
    json!({ "type": "function", "function": function })
}

/// Adds `additionalProperties: false` to all objects in a schema, as strict servers require.
pub(crate) fn strict_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let mut closed: Map<String, Value> = object
                .iter()
                .map(|(key, value)| (key.clone(), self::strict_schema(value)))
                .collect();
            if object.get("type").is_some_and(|kind| kind == "object") && object.contains_key("properties") {
                closed.entry("additionalProperties").or_insert(false.into());
            }
            closed.into()
        }
        Value::Array(items) => items.iter().map(strict_schema).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests;
