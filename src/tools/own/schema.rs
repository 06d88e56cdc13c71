//! Validates arguments against a JSON Schema. Unknown keywords are errors, so that no condition is silently ignored.

use serde_json::{Map, Value};

const WORDS: [&str; 17] = [
    "type",
    "description",
    "title",
    "default",
    "examples",
    "$schema",
    "properties",
    "required",
    "additionalProperties",
    "enum",
    "const",
    "items",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "maxItems",
];

const TYPES: [&str; 7] = ["object", "array", "string", "integer", "number", "boolean", "null"];

const DEPTH: usize = 16;

pub(super) fn misread(schema: &Value) -> Option<String> {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Some("`parameters` must be a JSON Schema with `\"type\": \"object\"`".to_owned());
    }
    unknown(schema, DEPTH)
}

fn unknown(schema: &Value, depth: usize) -> Option<String> {
    let Some(rest) = depth.checked_sub(1) else {
        return Some("the schema is too deep".to_owned());
    };
    let Value::Object(words) = schema else {
        return Some("a schema is an object".to_owned());
    };
    for (word, value) in words {
        if !WORDS.contains(&word.as_str()) {
            return Some(format!("the word `{word}` of JSON Schema is not understood here"));
        }
        let wrong = match word.as_str() {
            "properties" => match value {
                Value::Object(properties) => properties.values().find_map(|property| unknown(property, rest)),
                _ => Some("`properties` is an object".to_owned()),
            },
            "items" => unknown(value, rest),
            "type" => {
                let known = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
                let is_known = match value {
                    Value::Array(names) => names.iter().all(known),
                    name => known(name),
                };
                (!is_known).then(|| format!("`{value}` is not a type"))
            }
            "additionalProperties" if !value.is_boolean() => {
                Some("`additionalProperties` must be true or false".to_owned())
            }
            _ => None,
        };
        if wrong.is_some() {
            return wrong;
        }
    }
    None
}

/// Returns the first error, with the path of the invalid value.
pub(super) fn wrong(schema: &Value, value: &Value) -> Option<String> {
    at("the arguments", schema, value)
}

fn at(place: &str, schema: &Value, value: &Value) -> Option<String> {
    if let Some(wanted) = schema.get("type")
        && !is_of(wanted, value)
    {
        return Some(format!("{place} must be {}", spelt(wanted)));
    }
    if let Some(Value::Array(choices)) = schema.get("enum")
        && !choices.contains(value)
    {
        let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
        return Some(format!("{place} must be one of {}", choices.join(", ")));
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return Some(format!("{place} must be {}", schema["const"]));
    }
    match value {
        Value::Object(fields) => object(place, schema, fields),
        Value::Array(items) => {
            if let Some(most) = bound(schema, "maxItems").filter(|most| items.len() as f64 > *most) {
                return Some(format!("{place} has more than {most} items"));
            }
            let of_items = schema.get("items")?;
            let mut places = items.iter().enumerate();
            places.find_map(|(number, item)| at(&format!("item {number} of {place}"), of_items, item))
        }
        Value::String(text) => {
            let length = text.chars().count() as f64;
            let short = bound(schema, "minLength").filter(|least| length < *least);
            let long = bound(schema, "maxLength").filter(|most| length > *most);
            let short = short.map(|least| format!("{place} has fewer than {least} characters"));
            short.or_else(|| long.map(|most| format!("{place} has more than {most} characters")))
        }
        Value::Number(number) => {
            let number = number.as_f64()?;
            let low = bound(schema, "minimum").filter(|least| number < *least);
            let high = bound(schema, "maximum").filter(|most| number > *most);
            let low = low.map(|least| format!("{place} must be at least {least}"));
            low.or_else(|| high.map(|most| format!("{place} must be at most {most}")))
        }
        Value::Null | Value::Bool(_) => None,
    }
}

fn object(place: &str, schema: &Value, fields: &Map<String, Value>) -> Option<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let missing = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|name| !fields.contains_key(*name));
    if let Some(name) = missing {
        return Some(format!("`{name}` is missing"));
    }
    for (name, value) in fields {
        match properties.and_then(|properties| properties.get(name)) {
            Some(property) => {
                if let Some(wrong) = at(&format!("`{name}`"), property, value) {
                    return Some(wrong);
                }
            }
            None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                return Some(format!("{place} have no `{name}`"));
            }
            None => {}
        }
    }
    None
}

fn bound(schema: &Value, word: &str) -> Option<f64> {
    schema.get(word).and_then(Value::as_f64)
}

fn is_of(wanted: &Value, value: &Value) -> bool {
    match wanted {
        Value::Array(any) => any.iter().any(|wanted| is_of(wanted, value)),
        Value::String(name) => match name.as_str() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            _ => false,
        },
        _ => false,
    }
}

fn spelt(wanted: &Value) -> String {
    match wanted {
        Value::String(name) => format!("of type {name}"),
        other => format!("of a type of {other}"),
    }
}
