//! `doctor parse-stream`: a raw response body in, what we understand of it out. The same reader as in a session.

use serde_json::{Value, json};

use crate::domain::agent::Api;
use crate::domain::budget::Usage;
use crate::domain::message::ToolCall;
use crate::provider::decoder::Decoder;
use crate::provider::format_of;

/// The object design.md §7 names. `error` is the sentence a person would see.
pub(crate) fn parse_stream(api: Api, body: &[u8], status: u16) -> Value {
    let mut decoder = Decoder::new(format_of(api), status);
    decoder.push(body);
    let decoded = decoder.finish();
    json!({
        "text": decoded.text,
        "reasoning": decoded.reasoning,
        "calls": decoded.calls.iter().map(call).collect::<Vec<_>>(),
        "usage": decoded.usage.map(counts),
        "finish": decoded.finish,
        "complete": decoded.complete,
        "error": decoded.error.map(|error| error.to_string()),
    })
}

/// The three counts the contract names.
fn counts(usage: Usage) -> Value {
    json!({ "prompt": usage.prompt, "completion": usage.completion, "total": usage.total })
}

fn call(call: &ToolCall) -> Value {
    json!({ "name": call.name, "arguments": call.arguments })
}

#[cfg(test)]
mod tests;
