//! The table of keys as a JSON Schema for editors, and as tables for the docs.

use serde_json::{Map, Value, json};

use super::super::check::ACTIONS;
use super::super::earlier::EARLIER;
use super::elsewhere::ELSEWHERE;
use super::{KEYS, Kind, Setter, children, find};

pub fn json_schema() -> Value {
    let mut schema = object_schema(&[]);
    if let Value::Object(fields) = &mut schema {
        let title = json!("Benchdog configuration");
        fields.insert(
            "$schema".to_owned(),
            json!("https://json-schema.org/draft/2020-12/schema"),
        );
        fields.insert("title".to_owned(), title);
    }
    schema
}

fn object_schema(path: &[String]) -> Value {
    let mut properties = Map::new();
    let mut any = Value::Bool(false);
    for name in children(path) {
        let mut child = path.to_vec();
        child.push(name.to_owned());
        let Some(row) = find(&child) else { continue };
        let mut value = match row.kind {
            Kind::Table | Kind::Names => object_schema(&child),
            other => value_schema(other),
        };
        if let Value::Object(fields) = &mut value {
            fields.insert("description".to_owned(), json!(row.doc));
            if let Ok(default) = serde_json::from_str::<Value>(row.default) {
                fields.insert("default".to_owned(), default);
            }
        }
        if name == "*" {
            any = value;
        } else {
            properties.insert(name.to_owned(), value);
        }
    }
    json!({"type": "object", "properties": properties, "additionalProperties": any})
}

fn reasons() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut reasons: Vec<(&'static str, Vec<&'static str>)> = Vec::new();
    for key in KEYS {
        let Setter::Person(why) = key.setter else { continue };
        match reasons.iter_mut().find(|(told, _)| *told == why) {
            Some((_, paths)) if paths.iter().any(|above| is_below(key.path, above)) => {}
            Some((_, paths)) => paths.push(key.path),
            None => reasons.push((why, vec![key.path])),
        }
    }
    reasons
}

fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns two tables: keys that projects may not set, and names in other programs.
pub fn markdown() -> String {
    let mut table = "| a project may not set, including the keys below it | because |\n|---|---|\n".to_owned();
    for (why, paths) in reasons() {
        table.push_str(&format!("| `{}` | {why} |\n", paths.join("`, `")));
    }
    table.push_str("\n| key | value | default | project | meaning |\n|---|---|---|---|---|\n");
    for key in KEYS {
        let default = if key.default.is_empty() {
            String::new()
        } else {
            format!("`{}`", key.default)
        };
        let meaning = key.doc;
        let project = match key.setter {
            Setter::Anyone => "yes".to_owned(),
            Setter::Person(_) => "no".to_owned(),
            Setter::Tightened { to, .. } => format!("to tighten it: `{}`", to.join("`, `")),
        };
        table.push_str(&format!(
            "| `{}` | {} | {default} | {project} | {meaning} |\n",
            key.path,
            key.kind.expected().replace('|', "\\|")
        ));
    }
    table.push_str("\n| name in other programs | here |\n|---|---|\n");
    for (name, path) in EARLIER {
        table.push_str(&format!("| `{name}` | read as `{}`, with a notice |\n", path.join(".")));
    }
    for (name, instead) in ELSEWHERE {
        table.push_str(&format!("| `{name}` | {instead} |\n"));
    }
    table
}

fn value_schema(kind: Kind) -> Value {
    match kind {
        Kind::Text | Kind::LogFilter => json!({"type": "string"}),
        Kind::TextOrNull => json!({"type": ["string", "null"]}),
        Kind::Server => json!({"type": "string", "minLength": 1}),
        Kind::Address => json!({"type": "string", "pattern": "^https?://"}),
        Kind::Shares => json!({"type": "array", "items": {"type": "number", "minimum": 0, "maximum": 1}}),
        Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Switch => json!({"type": "boolean"}),
        Kind::Stay => json!({"type": ["string", "integer"]}),
        Kind::Whole { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        Kind::Number { min, max } => json!({"type": "number", "minimum": min, "maximum": max}),
        Kind::WholeOrNull { min, max } => json!({"type": ["integer", "null"], "minimum": min, "maximum": max}),
        Kind::NumberOrNull { min, max } => json!({"type": ["number", "null"], "minimum": min, "maximum": max}),
        Kind::Choice(options) => json!({"enum": options}),
        Kind::TextOrTexts => json!({"type": ["string", "array"], "items": {"type": "string"}}),
        Kind::Hooks => json!({"type": "array", "items": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "match": {"type": "string"},
                "command": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "timeout_ms": {"type": "integer", "minimum": 1},
                "strict": {"type": "boolean"},
            },
            "required": ["command"],
            "additionalProperties": false,
        }}),
        Kind::Table | Kind::Names | Kind::Open => json!({"type": "object"}),
        Kind::Rules => {
            let action = json!({"enum": ACTIONS.map(|(word, _)| word)});
            let more = json!({"type": "object", "properties": {"action": action, "network": {"type": "boolean"}},
                    "required": ["action"], "additionalProperties": false});
            let rule = json!({"anyOf": [action, more]});
            json!({"type": "object", "additionalProperties":
                    {"anyOf": [action, {"type": "object", "additionalProperties": rule}]}})
        }
    }
}
