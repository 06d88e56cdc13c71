//! Repairs the JSON Schemas of tools. Strict model servers reject a whole request if one schema is invalid.

use serde_json::{Map, Value, json};

/// Keys whose value is a schema.
const ONE: &[&str] = &[
    "additionalProperties",
    "items",
    "additionalItems",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
];
const LISTS: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems"];
/// Keys whose value maps names to schemas.
const NAMED: &[&str] = &[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];
const TEXTS: &[&str] = &[
    "description",
    "title",
    "format",
    "pattern",
    "$ref",
    "$id",
    "$schema",
    "$comment",
];
const NUMBERS: &[&str] = &[
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "multipleOf",
];

pub(super) fn repair(schema: Value) -> (Value, bool) {
    let before = schema.clone();
    let after = one(schema);
    let changed = before != after;
    (after, changed)
}

fn one(value: Value) -> Value {
    match value {
        Value::Bool(any) => Value::Bool(any),
        Value::Object(fields) => Value::Object(object(fields)),
        Value::String(word) => type_of(&word).map_or_else(|| json!({}), |word| json!({ "type": word })),
        // In older drafts, the value can be a list of schemas for the items of a tuple.
        Value::Array(all) => match all.is_empty() {
            true => json!({}),
            false => json!({ "anyOf": all.into_iter().map(one).collect::<Vec<_>>() }),
        },
        Value::Null | Value::Number(_) => json!({}),
    }
}

fn object(fields: Map<String, Value>) -> Map<String, Value> {
    let mut required_inside = Vec::new();
    let mut out = Map::new();
    for (key, value) in fields {
        if let Some(value) = field(&key, value, &mut required_inside) {
            out.insert(key, value);
        }
    }
    if !required_inside.is_empty() {
        match out.get_mut("required") {
            Some(Value::Array(names)) => {
                required_inside.retain(|name| !names.contains(name));
                names.extend(required_inside);
            }
            _ => {
                out.insert("required".to_owned(), required_inside.into());
            }
        }
    }
    out
}

/// Repairs a field of a schema. `None` removes the field. The names of required properties are added to `required`.
fn field(key: &str, value: Value, required: &mut Vec<Value>) -> Option<Value> {
    if ONE.contains(&key) {
        return (!value.is_null()).then(|| one(value));
    }
    if LISTS.contains(&key) {
        return match value {
            Value::Array(all) if !all.is_empty() => Some(all.into_iter().map(one).collect()),
            _ => None,
        };
    }
    if NAMED.contains(&key) {
        let Value::Object(named) = value else {
            return (key == "properties").then(|| json!({}));
        };
        let named = named.into_iter().map(|(name, value)| {
            // In draft 3, each property has a boolean `required`.
            if key == "properties" && value.get("required") == Some(&Value::Bool(true)) {
                required.push(name.clone().into());
            }
            (name, one(value))
        });
        return Some(Value::Object(named.collect()));
    }
    match key {
        "type" => types(value),
        "required" => match value {
            Value::Array(names) => Some(names.into_iter().filter(Value::is_string).collect()),
            _ => None,
        },
        "enum" => Some(value).filter(|value| value.as_array().is_some_and(|all| !all.is_empty())),
        _ if TEXTS.contains(&key) => Some(value).filter(Value::is_string),
        _ if NUMBERS.contains(&key) => Some(value).filter(Value::is_number),
        _ => Some(value),
    }
}

fn types(value: Value) -> Option<Value> {
    match value {
        Value::String(word) => type_of(&word).map(Value::from),
        Value::Array(words) => {
            let words = words.iter().filter_map(|word| word.as_str().and_then(type_of));
            let known: Vec<Value> = words.map(Value::from).collect();
            (!known.is_empty()).then(|| known.into())
        }
        _ => None,
    }
}

/// Types of JSON Schema, each with its names in Python and other languages.
const WORDS: &[(&str, &str)] = &[
    ("string", "string,str,text"),
    ("integer", "integer,int,long"),
    ("number", "number,float,double,decimal"),
    ("boolean", "boolean,bool"),
    ("object", "object,dict,map"),
    ("array", "array,list,tuple,set"),
    ("null", "null,none,nil"),
];

fn type_of(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let row = WORDS
        .iter()
        .find(|(_, words)| words.split(',').any(|known| known == word));
    row.map(|(known, _)| *known)
}

#[cfg(test)]
mod tests;
