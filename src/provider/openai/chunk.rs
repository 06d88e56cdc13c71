//! Parses the payload of a `data:` line. Nearly all payloads have the documented form, and their strings are borrowed.
//! `dialect` parses other forms from a JSON tree.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use super::dialect;
use crate::chunk::{Chunk, Piece, PieceArguments};
use benchdog_base::json;
use benchdog_domain::budget::Usage;
use benchdog_domain::message::ThoughtField;

/// Parses a payload into chunks, usually one. Fails if the payload is not valid JSON.
pub(crate) fn parse(payload: &str) -> Result<Vec<Chunk<'_>>, serde_json::Error> {
    if let Some(chunk) = plain(payload) {
        return Ok(vec![chunk]);
    }
    match serde_json::from_str::<Value>(payload) {
        Ok(value) => Ok(dialect::chunks(value)),
        Err(error) if error.is_eof() => Err(error),
        Err(error) => match json::repair(payload) {
            Some(repaired) => serde_json::from_str(&repaired).map(dialect::chunks),
            None => one_behind_another(payload).ok_or(error),
        },
    }
}

/// Parses a payload that consists of several JSON objects, because some gateways merge chunks.
fn one_behind_another(payload: &str) -> Option<Vec<Chunk<'static>>> {
    let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(payload).into_iter().collect();
    let values = values.ok().filter(|values| values.iter().all(Value::is_object))?;
    Some(values.into_iter().flat_map(dialect::chunks).collect())
}

/// Parses a payload in the documented form. `None` for any other form.
pub(crate) fn plain(payload: &str) -> Option<Chunk<'_>> {
    let wire: WireChunk<'_> = serde_json::from_str(payload).ok()?;
    let [choice] = <[WireChoice<'_>; 1]>::try_from(wire.choices).ok()?;
    let odd = wire.error.is_some() || choice.error.is_some() || choice.usage.is_some();
    if odd || choice.index.unwrap_or(0) != 0 {
        return None;
    }
    let delta = choice.delta;
    let pieces = delta.tool_calls.unwrap_or_default();
    if delta.function_call.is_some() || pieces.iter().any(|piece| piece.function.parameters.is_some()) {
        return None;
    }
    let calls: Vec<Piece<'_>> = pieces.into_iter().map(Piece::from).collect();
    let fields = [
        (ThoughtField::ReasoningContent, delta.reasoning_content),
        (ThoughtField::Reasoning, delta.reasoning),
    ];
    let (field, reasoning) = fields
        .into_iter()
        .filter_map(|(field, text)| text.map(|Text(text)| (field, text)))
        .find(|(_, text)| !text.is_empty())
        .unzip();
    let reasoning: Cow<'_, str> = reasoning.unwrap_or_default();
    let text = delta.content.map(|Text(text)| text).unwrap_or_default();
    if text.is_empty() && reasoning.is_empty() && calls.is_empty() {
        return None;
    }
    Some(Chunk {
        text,
        reasoning,
        field,
        calls,
        finish: choice
            .finish_reason
            .map(|Text(text)| text)
            .filter(|text| !text.is_empty()),
        usage: wire.usage.map(|usage| usage.counted()),
        ..Chunk::default()
    })
}

#[derive(Deserialize)]
struct WireChunk<'a> {
    #[serde(borrow)]
    choices: Vec<WireChoice<'a>>,
    #[serde(default)]
    usage: Option<WireUsage>,
    #[serde(default)]
    error: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct WireChoice<'a> {
    #[serde(default)]
    index: Option<u64>,
    #[serde(borrow)]
    delta: WireDelta<'a>,
    #[serde(borrow, default)]
    finish_reason: Option<Text<'a>>,
    /// Token counts, which some servers put into the choice instead of the top level.
    #[serde(default)]
    usage: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    error: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct WireDelta<'a> {
    #[serde(borrow, default)]
    content: Option<Text<'a>>,
    #[serde(borrow, default)]
    reasoning_content: Option<Text<'a>>,
    #[serde(borrow, default)]
    reasoning: Option<Text<'a>>,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<WirePiece<'a>>>,
    #[serde(default)]
    function_call: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct WirePiece<'a> {
    #[serde(default)]
    index: Option<u64>,
    #[serde(borrow, default)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    function: WireFunction<'a>,
}

#[derive(Deserialize)]
struct WireFunction<'a> {
    #[serde(borrow, default)]
    name: Option<Text<'a>>,
    #[serde(borrow, default)]
    arguments: Option<Text<'a>>,
    /// Another name for the arguments, which some servers use.
    #[serde(default)]
    parameters: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct WireUsage {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
    #[serde(default)]
    prompt_tokens_details: Option<WireDetails>,
}

#[derive(Deserialize)]
struct WireDetails {
    #[serde(default)]
    cached_tokens: Option<u64>,
}

impl WireUsage {
    fn counted(&self) -> Usage {
        Usage {
            prompt: self.prompt_tokens,
            completion: self.completion_tokens,
            total: self.total_tokens,
            cached: self
                .prompt_tokens_details
                .as_ref()
                .and_then(|details| details.cached_tokens),
        }
    }
}

impl<'a> From<WirePiece<'a>> for Piece<'a> {
    fn from(wire: WirePiece<'a>) -> Self {
        let given = |text: Option<Text<'a>>| text.map(|Text(text)| text).filter(|text| !text.is_empty());
        Self {
            index: wire.index,
            id: given(wire.id),
            name: given(wire.function.name),
            arguments: given(wire.function.arguments).map_or(PieceArguments::None, PieceArguments::Text),
            ..Self::default()
        }
    }
}

/// A string that is borrowed if it has no escapes. serde can borrow a `Cow`, but not a `Cow` in an `Option`.
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}
