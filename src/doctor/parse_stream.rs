//! `doctor parse-stream`: a raw response body in, what we understand of it out. The same reader as in a session.

use serde_json::{Value, json};

use crate::domain::message::ToolCall;
use crate::provider::openai::decoder::Decoder;

/// The object design.md §7 names. `error` is the sentence a person would see.
pub(crate) fn parse_stream(body: &[u8], status: u16) -> Value {
    let mut decoder = Decoder::new(status);
    decoder.push(body);
    let decoded = decoder.finish();
    json!({
        "text": decoded.text,
        "reasoning": decoded.reasoning,
        "calls": decoded.calls.iter().map(call).collect::<Vec<_>>(),
        "usage": decoded.usage,
        "finish": decoded.finish,
        "complete": decoded.complete,
        "error": decoded.error.map(|error| error.to_string()),
    })
}

fn call(call: &ToolCall) -> Value {
    json!({ "name": call.name, "arguments": call.arguments })
}

#[cfg(test)]
mod tests;
