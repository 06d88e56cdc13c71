//! What travels to and from a model: messages, tool calls, deltas, one whole reply.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::budget::Usage;
use super::entry::{Body, Entry};
use super::image::Image;
use crate::base::id::CallId;

/// The arguments of a call: an object, or the raw text where it could not be parsed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Arguments {
    Object(Map<String, Value>),
    Raw(String),
}

impl Arguments {
    /// About what its texts hold in memory.
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ToolCall {
    pub(crate) id: CallId,
    pub(crate) name: String,
    pub(crate) arguments: Arguments,
}

/// A thought as its server wants it back, unchanged and in its place, with the answer it is part of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seal {
    /// Where in the reasoning the thought ends; it begins where the one of the seal before it ends.
    pub(crate) upto: usize,
    /// The bytes of the answer's text that came before it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) text: usize,
    /// The calls that came before it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) calls: usize,
    #[serde(flatten)]
    pub(crate) sealed: Sealed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sealed {
    /// The thought can be read; this vouches for it.
    Signature(String),
    /// The thought itself, in a form only its server reads.
    Withheld(String),
    /// The thought can be read and goes back in the field in which it came.
    Open(ThoughtField),
}

/// The field of an answer that held its reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ThoughtField {
    ReasoningContent,
    Reasoning,
    ReasoningDetails,
    Thinking,
    /// The text itself, between tags.
    Content,
}

impl Seal {
    /// Whether only the server that made it can tell whether the thought is unchanged.
    pub(crate) fn is_closed(&self) -> bool {
        !matches!(self.sealed, Sealed::Open(_))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands the field over so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// One message of a request, in the shape every API can be written from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ChatMessage {
    /// Only ever the first.
    System(String),
    User(Text),
    /// What the user said, with images behind it.
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

/// The text of a message: its own, or the text of an entry of the log, which is not kept twice.
#[derive(Debug, Clone)]
pub(crate) enum Text {
    Own(String),
    /// What a person or the model said, or what a call gave.
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

/// The calls of an answer: its own, or those of an entry of the log, which are not kept twice.
#[derive(Debug, Clone)]
pub(crate) enum Calls {
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

/// The thoughts of an answer: none, or those of an entry of the log, which are not kept twice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Thoughts(Option<Arc<Entry>>);

/// A thought that can be read, and where it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenThought<'t> {
    /// The model that thought it.
    pub(crate) model: &'t str,
    pub(crate) text: &'t str,
    /// `None`: the log does not say, as logs of the first versions.
    pub(crate) field: Option<ThoughtField>,
}

impl Thoughts {
    pub(crate) fn of(entry: &Arc<Entry>) -> Self {
        let any = matches!(&entry.body, Body::Assistant { seals, reasoning, .. } if !seals.is_empty() || !reasoning.is_empty());
        Self(any.then(|| Arc::clone(entry)))
    }

    /// The reasoning and its seals, if `model` thought it: no other can open them. `None` where nothing is sealed.
    pub(crate) fn by(&self, model: &str) -> Option<(&str, &[Seal])> {
        self.thought()
            .filter(|(by, _, seals)| *by == model && seals.iter().any(Seal::is_closed))
            .map(|(_, reasoning, seals)| (reasoning, seals))
    }

    /// The reasoning, unless a server sealed it or there is none.
    pub(crate) fn open(&self) -> Option<OpenThought<'_>> {
        let (model, text, seals) = self.thought()?;
        if text.is_empty() || seals.iter().any(Seal::is_closed) {
            return None;
        }
        let field = seals.iter().find_map(|seal| match seal.sealed {
            Sealed::Open(field) => Some(field),
            Sealed::Signature(_) | Sealed::Withheld(_) => None,
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

/// The messages of a request, oldest first. Only ever appended to, but for the last one before it is first sent.
///
/// A clone shares them and costs the same however many there are. Who appends while a clone is about makes a list of
/// its own first, so that a request under way never changes; the texts stay shared even then.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Messages(Arc<Vec<ChatMessage>>);

impl Messages {
    pub(crate) fn push(&mut self, message: ChatMessage) {
        Arc::make_mut(&mut self.0).push(message);
    }

    pub(crate) fn truncate(&mut self, count: usize) {
        Arc::make_mut(&mut self.0).truncate(count);
    }

    /// Puts others in the place of those from this one on for which there is one.
    pub(crate) fn change_from(&mut self, from: usize, change: impl Fn(&ChatMessage) -> Option<ChatMessage>) {
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

    /// Puts another message in the place of the last.
    pub(crate) fn replace_last(&mut self, message: ChatMessage) {
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

/// A function as it is declared to the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolDeclaration {
    pub(crate) name: String,
    pub(crate) description: String,
    /// A JSON Schema of type object.
    pub(crate) parameters: Value,
    /// Never sent: what else a model may call it and its arguments.
    pub(crate) aliases: Aliases,
}

/// Other names of a tool and of its arguments, under which models that learned them elsewhere may use them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Aliases {
    pub(crate) names: &'static [&'static str],
    /// The own name of an argument, and the others.
    pub(crate) arguments: &'static [(&'static str, &'static [&'static str])],
}

/// A piece of a reply as it arrives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Delta {
    Text(String),
    Reasoning(String),
}

/// Where a request stands before its answer arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The server has said nothing yet.
    Asked,
    /// The server loads the model first.
    Loading,
    /// The server has it and reads.
    Taken,
    /// So many tokens of the prompt are read.
    Reading { done: u64, of: u64 },
}

/// One whole answer of a model. `calls` is empty unless the answer ended properly.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Reply {
    pub(crate) text: String,
    pub(crate) reasoning: String,
    pub(crate) seals: Vec<Seal>,
    /// In the order the model made them; an id may be empty when the server sent none.
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) finish: Finish,
    pub(crate) usage: Option<Usage>,
    /// The server sent calls of its own.
    pub(crate) calls_itself: bool,
    pub(crate) written: Written,
}

/// How many of the calls of an answer the model wrote as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) calls: u32,
    /// Of them, those that had to be repaired to be understood.
    pub(crate) repaired: u32,
    /// Of them, those beside or after calls that the server sent by itself.
    pub(crate) leaked: u32,
    /// Calls that were meant and cannot be understood. The first of them is among the calls, to be answered, where there is no other.
    pub(crate) unusable: u32,
}

/// Why a model ended its answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Finish {
    /// The server did not say.
    #[default]
    Unsaid,
    /// It had said all, or met one of its stop words.
    Stop,
    /// It waits for the results of its calls.
    Calls,
    /// The answer reached the most it may have.
    Length,
    /// Prompt and answer filled the window.
    Window,
    /// The server held the rest back.
    Filtered,
    /// In the server's word.
    Other(String),
}

impl Finish {
    /// By the word for it in any of the APIs.
    pub(crate) fn of(word: Option<&str>) -> Self {
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

    /// The word scripts and people read; `None` where nothing was said.
    pub(crate) fn word(&self) -> Option<&str> {
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
