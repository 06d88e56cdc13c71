//! Parses chunks in the nonstandard forms of real servers, from a JSON tree.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::chunk::{Chunk, Piece, PieceArguments};
use benchdog_domain::budget::Usage;
use benchdog_domain::message::ThoughtField;

pub(super) fn chunks(value: Value) -> Vec<Chunk<'static>> {
    match value {
        Value::Object(object) => vec![chunk(object)],
        Value::Array(items) => items.into_iter().flat_map(chunks).collect(),
        _ => Vec::new(),
    }
}

fn chunk(mut object: Map<String, Value>) -> Chunk<'static> {
    // Groq also sends token counts in `x_groq`.
    let counts = [
        object.get("usage"),
        object.get("x_groq").and_then(|own| own.get("usage")),
    ];
    let usage = counts.into_iter().flatten().find_map(usage);
    let choice = match object.get_mut("choices").map(Value::take) {
        Some(Value::Array(choices)) => choices.into_iter().find(is_first),
        // Some servers send a choice without the list around it.
        Some(choice @ Value::Object(_)) => Some(choice),
        _ => None,
    };
    let answers = choice.is_some() || usage.is_some();
    let mut chunk = match choice {
        Some(Value::Object(choice)) => from_choice(choice),
        _ => Chunk::default(),
    };
    chunk.usage = usage.or(chunk.usage);
    chunk.read = object.get("prompt_progress").and_then(parse_progress);
    chunk.whole |= object.get("object").and_then(Value::as_str) == Some("chat.completion");
    let named = object.get("error").is_some_and(says_something);
    // Some errors have no field `error`: FastAPI's `detail`, and objects such as `{"object": "error", "message": …}`.
    let unnamed = !answers && (object.contains_key("detail") || is_flat_error(&object));
    if named || unnamed {
        chunk.error = Some(Value::Object(object));
    }
    chunk
}

fn parse_progress(progress: &Value) -> Option<(u64, u64)> {
    let count = |key: &str| progress.get(key)?.as_u64();
    Some((count("processed")?, count("total")?))
}

/// Whether the object is an error without a field `error`: a message together with a code or an error type.
fn is_flat_error(object: &Map<String, Value>) -> bool {
    let said = ["message", "msg", "error_msg"]
        .iter()
        .any(|key| matches!(object.get(*key), Some(Value::String(text)) if !text.is_empty()));
    let coded = ["code", "error_code", "status_code"]
        .iter()
        .any(|key| object.get(*key).is_some_and(says_something));
    let called = ["object", "type", "status"].iter().any(|key| {
        let kind = object.get(*key).and_then(Value::as_str).unwrap_or_default();
        kind.to_ascii_lowercase().contains("error")
    });
    said && (coded || called)
}

fn is_first(choice: &Value) -> bool {
    choice.is_object() && choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(object) => !object.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

fn from_choice(mut choice: Map<String, Value>) -> Chunk<'static> {
    let mut chunk = Chunk {
        finish: choice
            .get("finish_reason")
            .and_then(Value::as_str)
            .filter(|reason| !reason.is_empty())
            .map(|reason| Cow::Owned(reason.to_owned())),
        usage: choice.get("usage").and_then(usage),
        ..Chunk::default()
    };
    match (
        choice.get_mut("delta").map(Value::take),
        choice.get_mut("message").map(Value::take),
    ) {
        (Some(Value::Object(delta)), _) => from_message(delta, &mut chunk),
        (_, Some(Value::Object(message))) => {
            chunk.whole = true;
            from_message(message, &mut chunk);
        }
        _ => {
            // The older completions API puts the text directly into the choice.
            if let Some(text) = choice.get("text").and_then(Value::as_str) {
                chunk.text = Cow::Owned(text.to_owned());
            }
        }
    }
    if choice.get("error").is_some_and(says_something) {
        chunk.error = Some(Value::Object(choice));
    }
    chunk
}

fn from_message(mut message: Map<String, Value>, chunk: &mut Chunk<'static>) {
    let (mut text, mut reasoning) = (String::new(), String::new());
    for (key, field) in [
        ("reasoning_content", ThoughtField::ReasoningContent),
        ("reasoning", ThoughtField::Reasoning),
        ("reasoning_details", ThoughtField::ReasoningDetails),
        ("thinking", ThoughtField::Thinking),
    ] {
        // Some servers repeat the reasoning in several fields. Use only the first.
        if reasoning.is_empty()
            && let Some(value) = message.get(key)
        {
            collect_text(value, Reading::Aloud, &mut reasoning, &mut String::new());
            chunk.field = (!reasoning.is_empty()).then_some(field);
        }
    }
    for key in ["content", "refusal"] {
        if let Some(value) = message.get(key) {
            collect_text(value, Reading::ByType, &mut text, &mut reasoning);
        }
    }
    chunk.text = Cow::Owned(text);
    chunk.reasoning = Cow::Owned(reasoning);
    match message.get_mut("tool_calls").map(Value::take) {
        Some(Value::Array(calls)) => chunk.calls = calls.into_iter().filter_map(piece).collect(),
        Some(call @ Value::Object(_)) => chunk.calls.extend(piece(call)),
        _ => {}
    }
    if let Some(Value::Object(function)) = message.get_mut("function_call").map(Value::take) {
        chunk.calls.push(with_function(
            Piece {
                index: Some(0),
                ..Piece::default()
            },
            function,
        ));
    }
}

#[derive(Clone, Copy)]
enum Reading {
    Aloud,
    /// The `type` of each part distinguishes text from reasoning.
    ByType,
}

fn collect_text(value: &Value, reading: Reading, text: &mut String, reasoning: &mut String) {
    match value {
        Value::String(words) => text.push_str(words),
        Value::Array(parts) => parts
            .iter()
            .for_each(|part| collect_text(part, reading, text, reasoning)),
        Value::Object(part) => {
            let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
            let thought = matches!(reading, Reading::ByType) && (kind.contains("think") || kind.contains("reason"));
            let into = if thought { &mut *reasoning } else { &mut *text };
            let words = ["text", "thinking", "reasoning", "content", "summary", "refusal"]
                .into_iter()
                .find_map(|key| part.get(key).filter(|words| !words.is_null()));
            if let Some(words) = words {
                collect_text(words, Reading::Aloud, into, &mut String::new());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn piece(value: Value) -> Option<Piece<'static>> {
    let Value::Object(mut call) = value else { return None };
    let index = match call.get("index") {
        Some(Value::Number(number)) => number.as_u64(),
        Some(Value::String(text)) => text.parse().ok(),
        _ => None,
    };
    let id = match call.get("id") {
        Some(Value::Number(number)) => Some(number.to_string()),
        Some(Value::String(text)) if !text.is_empty() => Some(text.clone()),
        _ => None,
    };
    let piece = Piece {
        index,
        id: id.map(Cow::Owned),
        ..Piece::default()
    };
    Some(match call.get_mut("function").map(Value::take) {
        Some(Value::Object(function)) => with_function(piece, function),
        // Some servers put the name and the arguments next to the id, without the object `function`.
        _ => with_function(piece, call),
    })
}

fn with_function(mut piece: Piece<'static>, mut function: Map<String, Value>) -> Piece<'static> {
    piece.name = function
        .get("name")
        .and_then(Value::as_str)
        .filter(|name| !name.is_empty())
        .map(|name| Cow::Owned(name.to_owned()));
    let key = if function.contains_key("arguments") {
        "arguments"
    } else {
        "parameters"
    };
    piece.arguments = match function.get_mut(key).map(Value::take) {
        Some(Value::String(text)) if !text.is_empty() => PieceArguments::Text(Cow::Owned(text)),
        Some(Value::Object(object)) => PieceArguments::Object(object),
        _ => PieceArguments::None,
    };
    piece
}

/// Parses token counts under the names of different APIs. If the total is missing, computes it.
fn usage(value: &Value) -> Option<Usage> {
    let object = value.as_object()?;
    let count = |keys: [&str; 2]| {
        keys.into_iter().find_map(|key| {
            let number = object.get(key)?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count some servers write as 12.0"
            )]
            number
                .as_u64()
                .or_else(|| number.as_f64().map(|float| float as u64))
                .or_else(|| number.as_str()?.trim().parse().ok())
        })
    };
    let prompt = count(["prompt_tokens", "input_tokens"]);
    let completion = count(["completion_tokens", "output_tokens"]);
    if prompt.is_none() && completion.is_none() {
        return None;
    }
    let (prompt, completion) = (prompt.unwrap_or(0), completion.unwrap_or(0));
    let total = count(["total_tokens", "total"]).unwrap_or_else(|| prompt.saturating_add(completion));
    let details = ["prompt_tokens_details", "input_tokens_details"];
    let cached = details
        .into_iter()
        .find_map(|key| object.get(key)?.get("cached_tokens")?.as_u64())
        .or_else(|| object.get("prompt_cache_hit_tokens")?.as_u64());
    Some(Usage {
        prompt,
        completion,
        total,
        cached,
    })
}
