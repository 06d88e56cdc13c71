//! Environment variables for all keys: `BENCHDOG__NETWORK__OFFLINE=true` sets `network.offline`. A variable is parsed
//! as a small document, so that its errors look like those of a file.

use serde_json::{Map, Value, json};

use super::schema::{self, Kind};

const PREFIX: &str = "BENCHDOG__";
const JOINT: &str = "__";

pub(super) fn document(name: &str, written: &str) -> Option<String> {
    let path: Vec<String> = name.strip_prefix(PREFIX)?.split(JOINT).map(part).collect();
    let value = value(schema::find(&path).map(|key| key.kind), written);
    let whole = path.into_iter().rev().fold(value, |inside, name| {
        let mut object = Map::new();
        object.insert(name, inside);
        Value::Object(object)
    });
    Some(whole.to_string())
}

/// Converts an uppercase segment to lower case. Segments with lower-case letters, such as model names, stay unchanged.
fn part(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        name.to_owned()
    } else {
        name.to_lowercase()
    }
}

pub(super) fn value(kind: Option<Kind>, written: &str) -> Value {
    let parsed = || serde_json::from_str(written).ok();
    match kind {
        Some(Kind::Text | Kind::Address | Kind::Server | Kind::Choice(_) | Kind::LogFilter) => json!(written),
        Some(Kind::TextOrNull) if written != "null" => json!(written),
        Some(Kind::Texts) => parsed().unwrap_or_else(|| json!([written])),
        _ => parsed().unwrap_or_else(|| json!(written)),
    }
}

#[cfg(test)]
mod tests;
