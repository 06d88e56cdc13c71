//! Parses the events of a stream, or a whole response. Unknown events and items are ignored.
//!
//! Servers differ. llama.cpp before March 2026 sends no indices. Ollama sends the arguments of a call in one piece.
//! Some servers send texts only at the end.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use crate::chunk::{Chunk, Piece, PieceArguments};
use benchdog_domain::budget::Usage;
use benchdog_domain::message::{Sealed, ThoughtField};

pub(super) fn parse(payload: &str) -> Result<Vec<Chunk<'_>>, serde_json::Error> {
    let mut chunks = match serde_json::from_str(payload) {
        Ok(Event::Other) | Err(_) => document(payload)?,
        Ok(Event::Ended { response }) => {
            let repeats = |chunk| Chunk { repeats: true, ..chunk };
            response.chunks().into_iter().map(repeats).collect()
        }
        Ok(event) => vec![event.chunk()],
    };
    chunks.retain(|chunk| !chunk.is_empty());
    Ok(chunks)
}

/// Parses a payload that is a whole response or an error, not an event.
fn document(payload: &str) -> Result<Vec<Chunk<'static>>, serde_json::Error> {
    let value: Value = serde_json::from_str(payload)?;
    let is_typed = value.get("type").is_some();
    if !is_typed && value.get("output").is_some_and(Value::is_array) {
        let response = Response::deserialize(value)?;
        return Ok(response.chunks());
    }
    let is_error = value.get("error").is_some_and(|error| !error.is_null())
        || value.get("type").is_some_and(|kind| kind == "error")
        || (!is_typed && value.get("detail").is_some());
    let error = is_error.then(|| Chunk {
        error: Some(value),
        ..Chunk::default()
    });
    Ok(error.into_iter().collect())
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Event<'a> {
    #[serde(rename = "response.output_text.delta", alias = "response.refusal.delta")]
    Text {
        #[serde(borrow)]
        delta: Cow<'a, str>,
    },
    #[serde(
        rename = "response.reasoning_summary_text.delta",
        alias = "response.reasoning_text.delta"
    )]
    Reasoning {
        #[serde(borrow)]
        delta: Cow<'a, str>,
    },
    #[serde(rename = "response.reasoning_summary_part.added")]
    SummaryPart {
        #[serde(default)]
        summary_index: u64,
    },
    #[serde(rename = "response.output_item.added")]
    ItemAdded {
        #[serde(default)]
        output_index: Option<u64>,
        item: Item,
    },
    #[serde(rename = "response.output_item.done")]
    ItemDone {
        #[serde(default)]
        output_index: Option<u64>,
        item: Item,
    },
    #[serde(rename = "response.function_call_arguments.delta")]
    ArgumentsDelta {
        #[serde(default)]
        output_index: Option<u64>,
        #[serde(borrow)]
        delta: Cow<'a, str>,
    },
    #[serde(rename = "response.function_call_arguments.done")]
    ArgumentsDone {
        #[serde(default)]
        output_index: Option<u64>,
        #[serde(default)]
        arguments: Value,
    },
    #[serde(
        rename = "response.completed",
        alias = "response.incomplete",
        alias = "response.failed"
    )]
    Ended { response: Response },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    Message {
        #[serde(default)]
        content: Option<Vec<Part>>,
    },
    Reasoning {
        #[serde(default)]
        id: Option<String>,
        #[serde(default)]
        summary: Option<Vec<Part>>,
        #[serde(default)]
        content: Option<Vec<Part>>,
        #[serde(default)]
        encrypted_content: Option<String>,
    },
    FunctionCall {
        #[serde(default)]
        call_id: Option<String>,
        #[serde(default)]
        id: Option<String>,
        #[serde(default, deserialize_with = "or_default")]
        name: String,
        #[serde(default)]
        arguments: Value,
    },
    #[serde(other)]
    Other,
}

/// Decodes `null` like a missing field. Otherwise, a single `null` would make the whole response invalid.
fn or_default<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    Option::deserialize(value).map(Option::unwrap_or_default)
}

#[derive(Deserialize)]
struct Part {
    #[serde(default, deserialize_with = "or_default", alias = "refusal")]
    text: String,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    incomplete_details: Option<Incomplete>,
    #[serde(default)]
    error: Option<Value>,
    #[serde(default)]
    output: Option<Vec<Item>>,
    #[serde(default)]
    usage: Option<Counts>,
}

#[derive(Deserialize)]
struct Incomplete {
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Deserialize)]
struct Counts {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
    #[serde(default)]
    input_tokens_details: Option<InputCounts>,
}

#[derive(Deserialize)]
struct InputCounts {
    #[serde(default)]
    cached_tokens: Option<u64>,
}

impl Counts {
    fn usage(&self) -> Option<Usage> {
        let prompt = self.input_tokens?;
        let completion = self.output_tokens.unwrap_or(0);
        let cached = self
            .input_tokens_details
            .as_ref()
            .and_then(|details| details.cached_tokens);
        (prompt > 0).then_some(Usage {
            prompt,
            completion,
            total: prompt.saturating_add(completion),
            // Ollama always reports 0, even for cached tokens.
            cached: cached.filter(|cached| *cached > 0),
        })
    }
}

impl<'a> Event<'a> {
    fn chunk(self) -> Chunk<'a> {
        match self {
            Self::Text { delta } => Chunk {
                text: delta,
                ..Chunk::default()
            },
            Self::Reasoning { delta } => Chunk {
                reasoning: delta,
                field: Some(ThoughtField::Reasoning),
                ..Chunk::default()
            },
            // Each part of a summary is a paragraph. Add a blank line before every part but the first.
            Self::SummaryPart { summary_index: 0 } | Self::Ended { .. } | Self::Other => Chunk::default(),
            Self::SummaryPart { .. } => Chunk {
                reasoning: "\n\n".into(),
                field: Some(ThoughtField::Reasoning),
                ..Chunk::default()
            },
            Self::ItemAdded { output_index, item } => item.added(output_index),
            Self::ItemDone { output_index, item } => item.done(output_index),
            Self::ArgumentsDelta { delta, .. } if delta.is_empty() => Chunk::default(),
            Self::ArgumentsDelta { output_index, delta } => argument_chunk(output_index, PieceArguments::Text(delta)),
            Self::ArgumentsDone {
                output_index,
                arguments,
            } => match object(&arguments) {
                Some(whole) => argument_chunk(output_index, PieceArguments::Object(whole)),
                None => Chunk::default(),
            },
        }
    }
}

fn argument_chunk(index: Option<u64>, arguments: PieceArguments<'_>) -> Chunk<'_> {
    Chunk {
        calls: vec![Piece {
            index,
            // A piece without an index always continues the last call.
            continues: index.is_some(),
            arguments,
            ..Piece::default()
        }],
        ..Chunk::default()
    }
}

fn object(arguments: &Value) -> Option<Map<String, Value>> {
    match arguments {
        Value::Object(object) => Some(object.clone()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

impl Item {
    fn added(self, index: Option<u64>) -> Chunk<'static> {
        match self {
            // Ignore the arguments, because they also arrive as deltas.
            Self::FunctionCall { call_id, id, name, .. } => call(Piece {
                index,
                id: call_id.or(id).filter(|id| !id.is_empty()).map(Cow::Owned),
                name: Some(name).filter(|name| !name.is_empty()).map(Cow::Owned),
                ..Piece::default()
            }),
            Self::Message { .. } | Self::Reasoning { .. } | Self::Other => Chunk::default(),
        }
    }

    /// Returns the whole content of an item, for a response that is not streamed.
    fn whole(self, index: u64) -> Chunk<'static> {
        match self {
            Self::Message { content } => Chunk {
                text: content.into_iter().flatten().map(|part| part.text).collect(),
                ..Chunk::default()
            },
            Self::Reasoning {
                id,
                summary,
                content,
                encrypted_content,
            } => {
                let parts = content.filter(|parts| !parts.is_empty()).or(summary);
                let texts: Vec<String> = parts.into_iter().flatten().map(|part| part.text).collect();
                Chunk {
                    reasoning: texts.join("\n\n").into(),
                    field: Some(ThoughtField::Reasoning),
                    sealed: seal(encrypted_content, id),
                    ..Chunk::default()
                }
            }
            Self::FunctionCall { .. } => self.done(Some(index)),
            Self::Other => Chunk::default(),
        }
    }

    /// Returns the data of a finished item that did not arrive as deltas.
    fn done(self, index: Option<u64>) -> Chunk<'static> {
        match self {
            Self::FunctionCall {
                call_id,
                id,
                name,
                arguments,
            } => call(Piece {
                index,
                id: call_id.or(id).filter(|id| !id.is_empty()).map(Cow::Owned),
                // A name without an index would start another call, so the name is omitted.
                name: Some(name)
                    .filter(|name| index.is_some() && !name.is_empty())
                    .map(Cow::Owned),
                continues: index.is_none(),
                arguments: object(&arguments).map_or(PieceArguments::None, PieceArguments::Object),
            }),
            Self::Reasoning {
                id, encrypted_content, ..
            } => Chunk {
                sealed: seal(encrypted_content, id),
                ..Chunk::default()
            },
            Self::Message { .. } | Self::Other => Chunk::default(),
        }
    }
}

fn call(piece: Piece<'static>) -> Chunk<'static> {
    Chunk {
        calls: vec![piece],
        ..Chunk::default()
    }
}

/// Returns encrypted reasoning. llama.cpp sends an empty text, which becomes `None`.
fn seal(encrypted: Option<String>, id: Option<String>) -> Option<Sealed> {
    let data = encrypted.filter(|text| !text.is_empty())?;
    let id = id.filter(|id| !id.is_empty());
    Some(Sealed::Encrypted { data, id })
}

impl Response {
    /// Returns a chunk for each item of the response, and one for the end.
    fn chunks(self) -> Vec<Chunk<'static>> {
        if self.status.as_deref() == Some("failed") || self.error.as_ref().is_some_and(|error| !error.is_null()) {
            return vec![Chunk {
                error: Some(json!({ "error": self.error })),
                ..Chunk::default()
            }];
        }
        let end = Chunk {
            usage: self.usage.as_ref().and_then(Counts::usage),
            finish: Some(self.finish()),
            done: true,
            ..Chunk::default()
        };
        let items = (0..).zip(self.output.into_iter().flatten());
        let chunks = items.map(|(index, item)| item.whole(index));
        chunks.chain([end]).collect()
    }

    /// Returns the finish reason. The details take precedence over the status, because vLLM reports an incomplete
    /// response as `completed`.
    fn finish(&self) -> Cow<'static, str> {
        let reason = self
            .incomplete_details
            .as_ref()
            .and_then(|details| details.reason.clone());
        match (self.status.as_deref(), reason.as_deref()) {
            (_, Some("max_output_tokens")) | (Some("incomplete"), None) => "length".into(),
            (Some("incomplete"), Some(other)) => other.to_owned().into(),
            _ if self.calls_tools() => "tool_calls".into(),
            _ => "stop".into(),
        }
    }

    fn calls_tools(&self) -> bool {
        let mut items = self.output.iter().flatten();
        items.any(|item| matches!(item, Item::FunctionCall { .. }))
    }
}

#[cfg(test)]
mod tests;
