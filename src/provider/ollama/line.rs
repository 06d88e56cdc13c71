//! Parses one line of Ollama's answer: a chunk of the answer, or the last line with token counts.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::chunk::{Chunk, Piece, PieceArguments};
use benchdog_domain::budget::Usage;
use benchdog_domain::message::ThoughtField;

pub(super) fn parse(line: &str) -> Result<Vec<Chunk<'_>>, serde_json::Error> {
    let line: Line<'_> = serde_json::from_str(line)?;
    Ok(line.chunk().into_iter().collect())
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default)]
    message: Option<Message<'a>>,
    #[serde(borrow, default)]
    response: Cow<'a, str>,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    done_reason: Option<String>,
    /// An invalid count is ignored, so any JSON value is accepted.
    #[serde(default)]
    prompt_eval_count: Value,
    #[serde(default)]
    eval_count: Value,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize, Default)]
struct Message<'a> {
    #[serde(borrow, default)]
    content: Cow<'a, str>,
    #[serde(borrow, default)]
    thinking: Cow<'a, str>,
    #[serde(default)]
    tool_calls: Option<Vec<Value>>,
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Value,
}

impl<'a> Line<'a> {
    fn chunk(self) -> Option<Chunk<'a>> {
        if let Some(error) = self.error {
            let error = Map::from_iter([("error".to_owned(), error)]);
            return Some(Chunk {
                error: Some(error.into()),
                ..Chunk::default()
            });
        }
        let said = self.message.is_some() || !self.response.is_empty();
        if !said && !self.done {
            return None;
        }
        let message = self.message.unwrap_or_default();
        let calls = message.tool_calls.unwrap_or_default().into_iter();
        let calls = calls.filter_map(|call| serde_json::from_value::<Call>(call).ok());
        let usage = self.prompt_eval_count.as_u64().map(|prompt| {
            let completion = self.eval_count.as_u64().unwrap_or(0);
            Usage {
                prompt,
                completion,
                total: prompt.saturating_add(completion),
                cached: None,
            }
        });
        Some(Chunk {
            text: if message.content.is_empty() {
                self.response
            } else {
                message.content
            },
            field: (!message.thinking.is_empty()).then_some(ThoughtField::Thinking),
            reasoning: message.thinking,
            calls: calls.map(Piece::from).collect(),
            // Servers before 2024 send no finish reason.
            finish: self
                .done
                .then(|| self.done_reason.map_or(Cow::Borrowed("stop"), Cow::Owned)),
            usage,
            done: self.done,
            ..Chunk::default()
        })
    }
}

impl From<Call> for Piece<'_> {
    /// Converts a call, which is always complete. Several versions of Ollama send the same index for every call, so the
    /// index is ignored.
    fn from(call: Call) -> Self {
        let given = |text: String| (!text.is_empty()).then_some(Cow::Owned(text));
        Self {
            index: None,
            id: call.id.and_then(given),
            name: call.function.name.and_then(given),
            arguments: match call.function.arguments {
                Value::Object(object) => PieceArguments::Object(object),
                Value::String(text) if !text.is_empty() => PieceArguments::Text(text.into()),
                _ => PieceArguments::Object(Map::new()),
            },
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests;
