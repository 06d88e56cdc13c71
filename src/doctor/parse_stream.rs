//! `doctor parse-stream`: parses a raw response body, with the same parser that sessions use.

use serde_json::{Value, json};

use benchdog_domain::agent::Api;
use benchdog_domain::budget::Usage;
use benchdog_domain::message::ToolCall;
use benchdog_provider::decoder::Decoder;
use benchdog_provider::format_of;

/// Returns a JSON object with stable keys for scripts. The value of `error` is a message for people.
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

fn counts(usage: Usage) -> Value {
    json!({ "prompt": usage.prompt, "completion": usage.completion, "total": usage.total })
}

fn call(call: &ToolCall) -> Value {
    json!({ "name": call.name, "arguments": call.arguments })
}

#[cfg(test)]
mod tests;
