//! Data exchanged with a model: messages, tool calls, deltas, replies.

use std::ops::Deref;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::budget::Usage;
use super::entry::{Body, Entry};
use super::image::Image;
use benchdog_base::id::CallId;

/// Arguments of a call: an object, or the raw text if it is not valid JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Arguments {
    Object(Map<String, Value>),
    Raw(String),
}

impl Arguments {
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Object(fields) => of_fields(fields),
            Self::Raw(text) => text.len(),
        }
    }
}

fn of_fields(fields: &Map<String, Value>) -> usize {
    let fields = fields.iter();
    fields.map(|(name, value)| name.len() + of_value(value)).sum()
}

fn of_value(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(of_value).sum(),
        Value::Object(fields) => of_fields(fields),
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    pub id: CallId,
    pub name: String,
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub arguments: Arguments,
}

/// Server data about a part of the reasoning. Benchdog must send this data back unchanged with the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// End of this part in the reasoning text, as a byte offset. The part begins at the end of the previous part.
    pub upto: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub text: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub calls: usize,
    #[serde(flatten)]
    pub sealed: Sealed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sealed {
    Signature(String),
    /// The reasoning itself, encrypted by the server.
    Withheld(String),
    /// Encrypted form of this part, for the Responses API. A server may accept it only together with its `id`.
    Encrypted {
        data: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// Readable reasoning, sent back in the field in which it arrived.
    Open(ThoughtField),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThoughtField {
    ReasoningContent,
    Reasoning,
    ReasoningDetails,
    Thinking,
    Content,
}

impl Seal {
    /// Whether the data is opaque. Only the server can verify this reasoning.
    pub fn is_closed(&self) -> bool {
        !matches!(self.sealed, Sealed::Open(_))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands the field over so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Debug, Clone, PartialEq)]
pub enum ChatMessage {
    System(String),
    User(Text),
    Pictured {
        text: Text,
        images: Vec<Image>,
    },
    Assistant {
        text: Text,
        calls: Calls,
        thoughts: Thoughts,
    },
    Tool {
        call: CallId,
        name: String,
        text: Text,
    },
}

#[derive(Debug, Clone)]
pub enum Text {
    Own(String),
    Of(Arc<Entry>),
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Own(text) => text,
            Self::Of(entry) => match &entry.body {
                Body::User { text, .. } | Body::Assistant { text, .. } | Body::ToolResult { output: text, .. } => text,
                _ => "",
            },
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Own(text)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Serialize for Text {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

#[derive(Debug, Clone)]
pub enum Calls {
    Own(Vec<ToolCall>),
    Of(Arc<Entry>),
}

impl Deref for Calls {
    type Target = [ToolCall];

    fn deref(&self) -> &[ToolCall] {
        match self {
            Self::Own(calls) => calls,
            Self::Of(entry) => match &entry.body {
                Body::Assistant { calls, .. } => calls,
                _ => &[],
            },
        }
    }
}

impl From<Vec<ToolCall>> for Calls {
    fn from(calls: Vec<ToolCall>) -> Self {
        Self::Own(calls)
    }
}

impl PartialEq for Calls {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// Reasoning of an answer, if any. Shared with a log entry.
#[derive(Debug, Clone, Default)]
pub struct Thoughts(Option<Arc<Entry>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenThought<'t> {
    pub model: &'t str,
    pub text: &'t str,
    pub field: Option<ThoughtField>,
}

impl Thoughts {
    pub fn of(entry: &Arc<Entry>) -> Self {
        let any = matches!(&entry.body, Body::Assistant { seals, reasoning, .. } if !seals.is_empty() || !reasoning.is_empty());
        Self(any.then(|| Arc::clone(entry)))
    }

    /// Returns the reasoning and its seals if `model` wrote the reasoning and at least one part is sealed. Other models
    /// cannot use sealed reasoning.
    pub fn by(&self, model: &str) -> Option<(&str, &[Seal])> {
        self.thought()
            .filter(|(by, _, seals)| *by == model && seals.iter().any(Seal::is_closed))
            .map(|(_, reasoning, seals)| (reasoning, seals))
    }

    pub fn open(&self) -> Option<OpenThought<'_>> {
        let (model, text, seals) = self.thought()?;
        if text.is_empty() || seals.iter().any(Seal::is_closed) {
            return None;
        }
        let field = seals.iter().find_map(|seal| match seal.sealed {
            Sealed::Open(field) => Some(field),
            Sealed::Signature(_) | Sealed::Withheld(_) | Sealed::Encrypted { .. } => None,
        });
        Some(OpenThought { model, text, field })
    }

    fn thought(&self) -> Option<(&str, &str, &[Seal])> {
        match &self.0.as_ref()?.body {
            Body::Assistant {
                model,
                reasoning,
                seals,
                ..
            } => Some((&model.id, reasoning, seals)),
            _ => None,
        }
    }
}

impl PartialEq for Thoughts {
    fn eq(&self, other: &Self) -> bool {
        self.thought() == other.thought()
    }
}

/// Messages of a request, oldest first. Messages are only appended. Only the last message may change, and only before
/// it is first sent.
///
/// Cloning is cheap, because a clone shares the list. Appending copies a shared list first, so a running request never
/// changes. The copies share the texts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Messages(Arc<Vec<ChatMessage>>);

impl Messages {
    pub fn push(&mut self, message: ChatMessage) {
        Arc::make_mut(&mut self.0).push(message);
    }

    pub fn truncate(&mut self, count: usize) {
        Arc::make_mut(&mut self.0).truncate(count);
    }

    pub fn change_from(&mut self, from: usize, change: impl Fn(&ChatMessage) -> Option<ChatMessage>) {
        let changed: Vec<(usize, ChatMessage)> = (from..)
            .zip(self.0.iter().skip(from))
            .filter_map(|(place, message)| Some((place, change(message)?)))
            .collect();
        for (place, message) in changed {
            if let Some(old) = Arc::make_mut(&mut self.0).get_mut(place) {
                *old = message;
            }
        }
    }

    pub fn replace_last(&mut self, message: ChatMessage) {
        if let Some(last) = Arc::make_mut(&mut self.0).last_mut() {
            *last = message;
        }
    }
}

impl From<Vec<ChatMessage>> for Messages {
    fn from(messages: Vec<ChatMessage>) -> Self {
        Self(Arc::new(messages))
    }
}

impl Deref for Messages {
    type Target = [ChatMessage];

    fn deref(&self) -> &[ChatMessage] {
        &self.0
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolDeclaration {
    pub name: String,
    pub description: String,
    pub parameters: Value,
    /// Other names that models may use for the tool and its arguments. Never sent to the server.
    pub aliases: Aliases,
}

/// Other names of a tool and its arguments, which some models learned in training.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Aliases {
    pub names: &'static [&'static str],
    pub arguments: &'static [(&'static str, &'static [&'static str])],
}

#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    Text(String),
    Reasoning(String),
}

impl Delta {
    /// Appends `more` to the last delta if it has the same kind. Otherwise adds a new delta.
    pub fn merge(deltas: &mut Vec<Self>, more: Self) {
        match (deltas.last_mut(), more) {
            (Some(Self::Text(last)), Self::Text(more)) | (Some(Self::Reasoning(last)), Self::Reasoning(more)) => {
                last.push_str(&more);
            }
            (_, more) => deltas.push(more),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Asked,
    Loading,
    Taken,
    Reading { done: u64, of: u64 },
}

/// A complete answer. `calls` is empty unless the answer ended properly.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    pub text: String,
    pub reasoning: String,
    pub seals: Vec<Seal>,
    /// In the model's order. An id is empty if the server sent none.
    pub calls: Vec<ToolCall>,
    pub finish: Finish,
    pub usage: Option<Usage>,
    /// Whether the calls arrived in the API's structured form, not as text.
    pub calls_itself: bool,
    pub written: Written,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Written {
    pub calls: u32,
    pub repaired: u32,
    pub leaked: u32,
    /// Number of unusable calls. If all calls are unusable, the first one is included and gets an error result.
    pub unusable: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Finish {
    #[default]
    Unsaid,
    Stop,
    Calls,
    Length,
    Window,
    Filtered,
    Other(String),
}

impl Finish {
    pub fn of(word: Option<&str>) -> Self {
        match word {
            None | Some("") => Self::Unsaid,
            Some("stop" | "end_turn" | "stop_sequence" | "eos") => Self::Stop,
            Some("tool_calls" | "tool_use" | "function_call") => Self::Calls,
            Some("length" | "max_tokens") => Self::Length,
            Some("model_context_window_exceeded") => Self::Window,
            Some("content_filter" | "refusal" | "safety") => Self::Filtered,
            Some(other) => Self::Other(other.to_owned()),
        }
    }

    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Unsaid => None,
            Self::Stop => Some("stop"),
            Self::Calls => Some("tool_calls"),
            Self::Length => Some("length"),
            Self::Window => Some("model_context_window_exceeded"),
            Self::Filtered => Some("content_filter"),
            Self::Other(word) => Some(word),
        }
    }
}
