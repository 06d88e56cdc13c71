//! `doctor parse-calls`: finds tool calls in a model's text, with the same parser that sessions use.

use std::sync::Arc;

use serde_json::{Value, json};

use benchdog_domain::message::{Aliases, ToolDeclaration};
use benchdog_provider::textcalls::{Mode, Recogniser};

/// Returns a JSON object with stable keys for scripts.
pub(crate) fn parse_calls(text: &str, tools: Arc<[ToolDeclaration]>) -> Value {
    let mut recogniser = Recogniser::new(tools, Mode::Open);
    let mut shown = String::new();
    recogniser.push(text, &mut shown);
    let found = recogniser.finish(true, &mut shown);
    if let Some(end) = recogniser.take_thought_update().thought_until {
        shown = shown.split_off(end);
    }
    let calls = found.calls.into_iter();
    let calls: Vec<Value> = calls
        .map(|call| json!({ "name": call.name, "arguments": call.arguments }))
        .collect();
    json!({ "calls": calls, "text": shown })
}

pub(crate) fn declared(bytes: &[u8]) -> Result<Arc<[ToolDeclaration]>, serde_json::Error> {
    let list: Vec<Value> = serde_json::from_slice(bytes)?;
    Ok(list.iter().filter_map(declaration).collect())
}

fn declaration(value: &Value) -> Option<ToolDeclaration> {
    let function = value.get("function").unwrap_or(value);
    let parameters = function.get("parameters").or_else(|| function.get("input_schema"));
    let description = function.get("description").and_then(Value::as_str);
    Some(ToolDeclaration {
        name: function.get("name")?.as_str()?.to_owned(),
        description: description.unwrap_or_default().to_owned(),
        parameters: parameters.cloned().unwrap_or_else(|| json!({ "type": "object" })),
        aliases: Aliases::default(),
    })
}

#[cfg(test)]
mod tests;
