//! Log messages about protocol messages: direction, method, id, size and error code. Contents are never logged.

use serde_json::Value;

use super::wire::Incoming;

/// Maximum number of characters of an id or method that is logged. Only plain names are logged.
const LONGEST_NAME: usize = 64;

pub(crate) fn received(incoming: &Incoming, bytes: usize) {
    match incoming {
        Incoming::Request { id, method, .. } => {
            tracing::debug!(id = name_of(id), method = name(method), bytes, "request received");
        }
        Incoming::Notification { method, .. } => {
            tracing::debug!(method = name(method), bytes, "notification received");
        }
        Incoming::Response { id, result } => {
            let code = result.as_ref().err().map(|error| i32::from(error.code));
            tracing::debug!(id = name_of(id), code, bytes, "response received");
        }
        Incoming::Malformed { error, .. } => {
            tracing::debug!(code = i32::from(error.code), bytes, "malformed message received");
        }
    }
}

pub(crate) fn sent(message: &Value, bytes: usize) {
    let (id, code) = (name_of(&message["id"]), message["error"]["code"].as_i64());
    match message["method"].as_str() {
        Some(method) => {
            let update = message["params"]["update"]["sessionUpdate"].as_str();
            tracing::debug!(id, method, update, bytes, "message sent");
        }
        None => tracing::debug!(id, code, bytes, "response sent"),
    }
}

fn name_of(id: &Value) -> String {
    match id {
        Value::Number(number) => number.to_string(),
        Value::String(text) => name(text).to_owned(),
        _ => String::new(),
    }
}

fn name(text: &str) -> &str {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '/' | '$' | '.');
    match text.len() <= LONGEST_NAME && text.chars().all(is_plain) {
        true => text,
        false => "other",
    }
}
