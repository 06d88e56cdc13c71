//! What travels to and from a model: messages, tool calls, deltas, one whole reply.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::budget::Usage;
use crate::base::id::CallId;

/// The arguments of a call: an object, or the raw text where it could not be parsed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Arguments {
    Object(Map<String, Value>),
    Raw(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ToolCall {
    pub(crate) id: CallId,
    pub(crate) name: String,
    pub(crate) arguments: Arguments,
}

/// One message of a request, in the shape every API can be written from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ChatMessage {
    /// Only ever the first.
    System(String),
    User(String),
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
    },
    Tool {
        call: CallId,
        name: String,
        text: String,
    },
}

/// A function as it is declared to the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolDeclaration {
    pub(crate) name: String,
    pub(crate) description: String,
    /// A JSON Schema of type object.
    pub(crate) parameters: Value,
}

/// A piece of a reply as it arrives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Delta {
    Text(String),
    Reasoning(String),
}

/// One whole answer of a model. `calls` is empty unless the answer ended properly.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Reply {
    pub(crate) text: String,
    pub(crate) reasoning: String,
    /// In the order the model made them; an id may be empty when the server sent none.
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) finish: Option<String>,
    pub(crate) usage: Option<Usage>,
}
