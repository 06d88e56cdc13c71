//! Parses the events of a stream, or a whole message. Unknown events and blocks are ignored.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use crate::chunk::{Chunk, Piece, PieceArguments};
use benchdog_domain::budget::Usage;
use benchdog_domain::message::{Sealed, ThoughtField};

pub(super) fn parse(payload: &str) -> Result<Vec<Chunk<'_>>, serde_json::Error> {
    let mut chunks = match serde_json::from_str(payload) {
        Ok(Event::Other) | Err(_) => return refusal(payload),
        Ok(event) => event.chunks(),
    };
    chunks.retain(|chunk| *chunk != Chunk::default());
    Ok(chunks)
}

/// Parses an error that is not in the form of an event. Gateways omit `type`. Servers built with FastAPI use `detail`.
fn refusal(payload: &str) -> Result<Vec<Chunk<'static>>, serde_json::Error> {
    let value: Value = serde_json::from_str(payload)?;
    let is_error = value.get("error").is_some_and(|error| !error.is_null())
        || value.get("type").is_some_and(|kind| kind == "error")
        || (value.get("type").is_none() && value.get("detail").is_some());
    let error = is_error.then(|| Chunk {
        error: Some(value),
        ..Chunk::default()
    });
    Ok(error.into_iter().collect())
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event<'a> {
    MessageStart {
        message: Opening,
    },
    ContentBlockStart {
        #[serde(default)]
        index: Option<u64>,
        #[serde(borrow)]
        content_block: Block<'a>,
    },
    ContentBlockDelta {
        #[serde(default)]
        index: Option<u64>,
        #[serde(borrow)]
        delta: Delta<'a>,
    },
    MessageDelta {
        delta: Ending,
        #[serde(default)]
        usage: Option<Counts>,
    },
    MessageStop,
    Message {
        #[serde(borrow)]
        content: Vec<Block<'a>>,
        #[serde(default)]
        stop_reason: Option<String>,
        #[serde(default)]
        usage: Option<Counts>,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Opening {
    #[serde(default)]
    usage: Option<Counts>,
}

#[derive(Deserialize)]
struct Ending {
    #[serde(default)]
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text {
        #[serde(borrow, default)]
        text: Cow<'a, str>,
    },
    Thinking {
        #[serde(borrow, default)]
        thinking: Cow<'a, str>,
        #[serde(default)]
        signature: Option<String>,
    },
    RedactedThinking {
        data: String,
    },
    ToolUse {
        #[serde(borrow, default)]
        id: Cow<'a, str>,
        #[serde(borrow, default)]
        name: Cow<'a, str>,
        #[serde(default)]
        input: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta<'a> {
    #[serde(rename = "text_delta")]
    Text {
        #[serde(borrow)]
        text: Cow<'a, str>,
    },
    #[serde(rename = "thinking_delta")]
    Thinking {
        #[serde(borrow)]
        thinking: Cow<'a, str>,
    },
    #[serde(rename = "signature_delta")]
    Signature { signature: String },
    #[serde(rename = "input_json_delta")]
    Input {
        #[serde(borrow)]
        partial_json: Cow<'a, str>,
    },
    #[serde(other)]
    Other,
}

/// Token counts of an event. `input_tokens` excludes tokens read from and written to the cache.
#[derive(Deserialize)]
struct Counts {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    cache_read_input_tokens: Option<u64>,
    #[serde(default)]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
}

impl Counts {
    fn counted(&self) -> Usage {
        let cached = self.cache_read_input_tokens;
        let prompt = [self.input_tokens, cached, self.cache_creation_input_tokens];
        let prompt = prompt.into_iter().flatten().fold(0, u64::saturating_add);
        let completion = self.output_tokens.unwrap_or(0);
        Usage {
            prompt,
            completion,
            total: prompt.saturating_add(completion),
            cached,
        }
    }
}

impl<'a> Event<'a> {
    fn chunks(self) -> Vec<Chunk<'a>> {
        let counted = |usage: Option<Counts>| usage.as_ref().map(Counts::counted);
        match self {
            Self::MessageStart { message } => vec![Chunk {
                usage: counted(message.usage),
                ..Chunk::default()
            }],
            Self::ContentBlockStart { index, content_block } => vec![content_block.chunk(index)],
            Self::ContentBlockDelta { index, delta } => vec![delta.chunk(index)],
            Self::MessageDelta { delta, usage } => vec![delta.chunk(counted(usage))],
            Self::MessageStop => vec![Chunk {
                done: true,
                ..Chunk::default()
            }],
            Self::Message {
                content,
                stop_reason,
                usage,
            } => {
                let ending = Ending { stop_reason };
                let blocks = (0..).zip(content).map(|(index, block)| block.chunk(Some(index)));
                blocks.chain([ending.chunk(counted(usage))]).collect()
            }
            Self::Other => Vec::new(),
        }
    }
}

impl Ending {
    fn chunk(self, usage: Option<Usage>) -> Chunk<'static> {
        Chunk {
            finish: self.stop_reason.filter(|reason| !reason.is_empty()).map(Cow::Owned),
            usage,
            ..Chunk::default()
        }
    }
}

impl<'a> Block<'a> {
    fn chunk(self, index: Option<u64>) -> Chunk<'a> {
        match self {
            Self::Text { text } => Chunk {
                text,
                ..Chunk::default()
            },
            Self::Thinking { thinking, signature } => Chunk {
                reasoning: thinking,
                field: Some(ThoughtField::Thinking),
                sealed: signature.and_then(seal),
                ..Chunk::default()
            },
            Self::RedactedThinking { data } => Chunk {
                sealed: Some(Sealed::Withheld(data)),
                ..Chunk::default()
            },
            Self::ToolUse { id, name, input } => Chunk {
                calls: vec![Piece {
                    index,
                    id: Some(id).filter(|id| !id.is_empty()),
                    name: Some(name).filter(|name| !name.is_empty()),
                    arguments: whole(input),
                    ..Piece::default()
                }],
                ..Chunk::default()
            },
            Self::Other => Chunk::default(),
        }
    }
}

impl<'a> Delta<'a> {
    fn chunk(self, index: Option<u64>) -> Chunk<'a> {
        match self {
            Self::Text { text } => Chunk {
                text,
                ..Chunk::default()
            },
            Self::Thinking { thinking } => Chunk {
                reasoning: thinking,
                field: Some(ThoughtField::Thinking),
                ..Chunk::default()
            },
            Self::Signature { signature } => Chunk {
                sealed: seal(signature),
                ..Chunk::default()
            },
            Self::Input { partial_json } if partial_json.is_empty() => Chunk::default(),
            Self::Input { partial_json } => Chunk {
                calls: vec![Piece {
                    index,
                    // The input of tools that run on the server arrives in the same form. Such input is ignored,
                    // because it continues no known call.
                    continues: true,
                    arguments: PieceArguments::Text(partial_json),
                    ..Piece::default()
                }],
                ..Chunk::default()
            },
            Self::Other => Chunk::default(),
        }
    }
}

/// `None` for an empty signature, which servers of other models send.
fn seal(signature: String) -> Option<Sealed> {
    (!signature.is_empty()).then_some(Sealed::Signature(signature))
}

/// Returns the input at the start of a call. Empty if the input follows in later chunks.
fn whole(input: Value) -> PieceArguments<'static> {
    match input {
        Value::Object(object) if object.is_empty() => PieceArguments::None,
        Value::Object(object) => PieceArguments::Object(object),
        Value::String(text) if !text.is_empty() => PieceArguments::Text(text.into()),
        _ => PieceArguments::None,
    }
}

#[cfg(test)]
mod tests;
