//! Changes one value of a file in place. Comments, order and all other text stay unchanged.

use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::options;

/// Returns the text with a new value at `path`. Without a `value`, removes the old one. `None` if the text is invalid
/// or not an object.
pub fn change(text: &str, path: &[&str], value: Option<&Value>) -> Option<String> {
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    let begun = if text.is_empty() { "{\n}\n" } else { text };
    let root = CstRootNode::parse(begun, &options()).ok()?;
    let object = root.object_value_or_create()?;
    match value {
        Some(value) => set(&object, path, value)?,
        None => remove(&object, path),
    }
    Some(format!("{mark}{root}"))
}

fn set(object: &CstObject, path: &[&str], value: &Value) -> Option<()> {
    match path {
        [] => None,
        [last] => {
            match object.get(last) {
                Some(property) => property.set_value(input(value)),
                None => {
                    object.append(last, input(value));
                }
            }
            Some(())
        }
        [first, rest @ ..] => set(&object.object_value_or_create(first)?, rest, value),
    }
}

fn remove(object: &CstObject, path: &[&str]) {
    match path {
        [] => {}
        [last] => {
            if let Some(property) = object.get(last) {
                property.remove();
            }
        }
        [first, rest @ ..] => {
            if let Some(below) = object.object_value(first) {
                remove(&below, rest);
            }
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => CstInputValue::Object(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), input(value)))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests;
