//! Looks up the tools of the request by name, and converts arguments to the types in their schemas.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::families::ValueEncoding;
use super::relaxed;
use super::value::{ARGUMENTS, RawArguments, RawCall};
use super::{CallError, Repair, note};
use benchdog_domain::message::ToolDeclaration;

#[derive(Debug)]
pub(super) struct OfferedTools(pub(super) Arc<[ToolDeclaration]>);

pub(super) struct ResolvedCall {
    pub(super) name: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) fits: bool,
}

impl OfferedTools {
    pub(super) fn find(&self, name: &str) -> Option<(&ToolDeclaration, bool)> {
        let by = |fits: &dyn Fn(&ToolDeclaration) -> bool| self.0.iter().find(|tool| fits(tool));
        if let Some(tool) = by(&|tool| tool.name == name) {
            return Some((tool, false));
        }
        let bare = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
        let wanted = plain(bare);
        by(&|tool| plain(&tool.name) == wanted)
            .or_else(|| by(&|tool| tool.aliases.names.iter().any(|alias| plain(alias) == wanted)))
            .map(|tool| (tool, true))
    }

    pub(super) fn may_begin(&self, start: &str) -> bool {
        let start = plain(start);
        let tools = self.0.iter();
        let mut names = tools.flat_map(|tool| tool.aliases.names.iter().copied().chain([tool.name.as_str()]));
        names.any(|name| plain(name).starts_with(&start))
    }

    pub(super) fn understand(&self, call: RawCall, repairs: &mut Vec<Repair>) -> Result<ResolvedCall, CallError> {
        let Some((tool, aliased)) = self.find(&call.name) else {
            return Err(CallError::Unknown(call.name));
        };
        if aliased {
            note(repairs, Repair::Alias);
        }
        let tagged = matches!(call.arguments, RawArguments::Tagged(..));
        let arguments = match call.arguments {
            RawArguments::Typed(map) => map,
            RawArguments::Tagged(list, encoding) => type_values(tool, list, encoding, repairs),
            RawArguments::Nested(list) => {
                let mut read = |text: &str, schema: Option<&Value>| match schema {
                    Some(schema) => convert(text, schema, repairs),
                    None => Value::String(text.to_owned()),
                };
                let values = list.into_iter().map(|(key, tree)| {
                    let value = tree.value(schema_of(tool, &key), &mut read);
                    (key, value)
                });
                values.collect()
            }
        };
        let arguments = structured(tool, unwrap_arguments(tool, arguments, repairs), repairs);
        if tagged && has_swallowed_tags(tool, &arguments) {
            return Err(CallError::Unreadable);
        }
        Ok(ResolvedCall {
            name: tool.name.clone(),
            fits: fits(tool, &arguments),
            arguments,
        })
    }
}

/// Replaces `{"arguments": {…}}` by the inner object, unless the tool has an argument of that name.
fn unwrap_arguments(
    tool: &ToolDeclaration,
    arguments: Map<String, Value>,
    repairs: &mut Vec<Repair>,
) -> Map<String, Value> {
    if arguments.len() != 1 {
        return arguments;
    }
    let wrapper = arguments.keys().find(|key| ARGUMENTS.contains(&key.as_str())).cloned();
    let Some(key) = wrapper.filter(|key| schema_of(tool, key).is_none()) else {
        return arguments;
    };
    let inner = match arguments.get(&key) {
        Some(Value::Object(inner)) => Some(inner.clone()),
        Some(Value::String(text)) => match relaxed::value(text.trim(), repairs) {
            Some(Value::Object(inner)) => Some(inner),
            _ => None,
        },
        _ => None,
    };
    match inner {
        Some(inner) => {
            note(repairs, Repair::ArgumentsKey);
            inner
        }
        None => arguments,
    }
}

fn structured(
    tool: &ToolDeclaration,
    mut arguments: Map<String, Value>,
    repairs: &mut Vec<Repair>,
) -> Map<String, Value> {
    for (key, value) in &mut arguments {
        let Some(schema) = schema_of(tool, key) else { continue };
        let wanted = (allows_named(schema, "object") || allows_named(schema, "array")) && !allows(schema, "string");
        if let Value::String(text) = value
            && wanted
            && let Some(read @ (Value::Object(_) | Value::Array(_))) = relaxed::value(text.trim(), repairs)
        {
            note(repairs, Repair::ArgumentsText);
            *value = read;
        }
    }
    arguments
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

fn schema_of<'a>(tool: &'a ToolDeclaration, key: &str) -> Option<&'a Value> {
    let properties = tool.parameters.get("properties")?;
    properties.get(key).or_else(|| {
        let aliases = tool.aliases.arguments.iter();
        let (name, _) = aliases.into_iter().find(|(_, others)| others.contains(&key))?;
        properties.get(*name)
    })
}

fn type_values(
    tool: &ToolDeclaration,
    list: Vec<(String, Option<bool>, String)>,
    encoding: ValueEncoding,
    repairs: &mut Vec<Repair>,
) -> Map<String, Value> {
    let mut map = Map::new();
    for (key, text, value) in list {
        let value = trim_value(&value, encoding);
        let value = match (text, schema_of(tool, &key)) {
            (Some(true), _) => Value::String(value.to_owned()),
            (Some(false), None) => as_json(value, repairs),
            (None, None) if encoding == ValueEncoding::Pairs => as_json(value, repairs),
            (None, None) => Value::String(value.to_owned()),
            (_, Some(schema)) => convert(value, schema, repairs),
        };
        map.insert(key, value);
    }
    map
}

/// Removes the line breaks that the format adds around a value. Also removes a CDATA wrapper.
fn trim_value(value: &str, encoding: ValueEncoding) -> &str {
    let wrapped = value
        .trim()
        .strip_prefix("<![CDATA[")
        .and_then(|inside| inside.strip_suffix("]]>"));
    if let Some(inside) = wrapped.filter(|_| matches!(encoding, ValueEncoding::Lines | ValueEncoding::Block)) {
        return inside;
    }
    let inner = value.strip_prefix('\n').or_else(|| value.strip_prefix("\r\n"));
    let without_last = |value| -> &str {
        let value: &str = value;
        value
            .strip_suffix("\r\n")
            .or_else(|| value.strip_suffix('\n'))
            .unwrap_or(value)
    };
    match (encoding, inner) {
        (ValueEncoding::Lines, inner) => without_last(inner.unwrap_or(value)),
        (ValueEncoding::Block, Some(inner)) if inner.ends_with('\n') => without_last(inner),
        (ValueEncoding::Block | ValueEncoding::Plain | ValueEncoding::Pairs, _) => value,
    }
}

fn as_json(value: &str, repairs: &mut Vec<Repair>) -> Value {
    relaxed::value(value.trim(), repairs).unwrap_or_else(|| Value::String(value.to_owned()))
}

/// Returns the value as text if the schema allows text. Otherwise, parses the value as JSON.
fn convert(value: &str, schema: &Value, repairs: &mut Vec<Repair>) -> Value {
    let text = || Value::String(value.to_owned());
    if allows(schema, "string") {
        // If the schema allows text as well as objects or lists, parse a value that is complete JSON.
        let structured = allows_named(schema, "object") || allows_named(schema, "array");
        let looks = value.trim_start().starts_with(['{', '[']);
        return match serde_json::from_str::<Value>(value.trim()) {
            Ok(read) if structured && looks => read,
            _ => text(),
        };
    }
    let read = match value.trim() {
        "" => None,
        word if word.eq_ignore_ascii_case("true") => Some(Value::Bool(true)),
        word if word.eq_ignore_ascii_case("false") => Some(Value::Bool(false)),
        other => relaxed::value(other, repairs),
    };
    read.unwrap_or_else(text)
}

/// Whether the schema allows values of this type. A schema without a type allows any value.
fn allows(schema: &Value, kind: &str) -> bool {
    let named = ["type", "anyOf", "oneOf", "allOf"]
        .iter()
        .any(|key| schema.get(*key).is_some());
    if named {
        return allows_named(schema, kind);
    }
    match schema.get("enum").and_then(Value::as_array) {
        Some(values) => values.iter().any(|value| type_of(value) == kind),
        None => true,
    }
}

fn allows_named(schema: &Value, kind: &str) -> bool {
    let is = |name: &Value| name == kind || (kind == "integer" && name == "number");
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is),
        Some(name) => is(name),
        None => {
            let choices = ["anyOf", "oneOf", "allOf"]
                .iter()
                .filter_map(|key| schema.get(*key)?.as_array());
            choices.flatten().any(|choice| allows_named(choice, kind))
        }
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether the tags of a missing required argument are inside another argument's value. If so, the closing tag of that
/// other argument is missing.
fn has_swallowed_tags(tool: &ToolDeclaration, arguments: &Map<String, Value>) -> bool {
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    let mut missing = names.filter(|name| !arguments.contains_key(*name));
    missing.any(|name| {
        let marks = [
            format!("<parameter={name}>"),
            format!(" name=\"{name}\""),
            format!("<arg_key>{name}</arg_key>"),
        ];
        let values = arguments.values().filter_map(Value::as_str);
        values
            .into_iter()
            .any(|value| marks.iter().any(|mark| value.contains(mark)))
    })
}

/// Whether all required arguments exist, all arguments are allowed, and all types are correct.
fn fits(tool: &ToolDeclaration, arguments: &Map<String, Value>) -> bool {
    let aliases = |name: &str| {
        let rows = tool.aliases.arguments.iter();
        rows.into_iter()
            .find(|(own, _)| *own == name)
            .map_or(&[] as &[&str], |(_, others)| others)
    };
    let present =
        |name: &str| arguments.contains_key(name) || aliases(name).iter().any(|alias| arguments.contains_key(*alias));
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let all = required.into_iter().flatten().filter_map(Value::as_str).all(present);
    all && arguments.iter().all(|(key, value)| match schema_of(tool, key) {
        Some(schema) => value.is_null() || allows(schema, type_of(value)),
        None => tool
            .parameters
            .get("additionalProperties")
            .is_some_and(|more| *more != Value::Bool(false)),
    })
}
