//! Extracts the calls from a complete value. Tool names are not looked up, and values in tags stay text.

use serde_json::{Map, Value};

use super::families::{Naming, ValueEncoding};
use super::relaxed::{self, Reader};
use super::tree::Tree;
use super::{CallError, Repair, note};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct RawCall {
    pub(super) name: String,
    pub(super) arguments: RawArguments,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum RawArguments {
    Typed(Map<String, Value>),
    /// Arguments in tags: the key, whether a tag declares the value as a string (if known), and the value.
    Tagged(Vec<(String, Option<bool>, String)>, ValueEncoding),
    Nested(Vec<(String, Tree)>),
}

const NAMES: &[&str] = &["name", "tool_name", "function", "tool", "function_name"];
pub(super) const ARGUMENTS: &[&str] = &["arguments", "parameters", "args", "input", "tool_input", "kwargs"];

const BESIDES: &[&str] = &[
    "id",
    "type",
    "call_id",
    "tool_call_id",
    "index",
    "thought",
    "thoughts",
    "reasoning",
];

impl RawArguments {
    pub(super) fn plain(&self) -> Map<String, Value> {
        match self {
            Self::Typed(map) => map.clone(),
            Self::Tagged(list, _) => {
                let texts = list.iter();
                texts
                    .map(|(key, _, value)| (key.clone(), value.trim().into()))
                    .collect()
            }
            Self::Nested(list) => {
                let mut text = |text: &str, _: Option<&Value>| Value::from(text);
                let values = list.iter();
                values
                    .map(|(key, tree)| (key.clone(), tree.value(None, &mut text)))
                    .collect()
            }
        }
    }
}

impl RawCall {
    pub(super) fn tagged(
        name: String,
        arguments: Vec<(String, Option<bool>, String)>,
        encoding: ValueEncoding,
    ) -> Self {
        Self {
            name,
            arguments: RawArguments::Tagged(arguments, encoding),
        }
    }

    pub(super) fn with_name(name: String, text: &str, repairs: &mut Vec<Repair>) -> Result<Self, CallError> {
        match relaxed::value(text, repairs) {
            Some(Value::Object(map)) => Ok(Self {
                name,
                arguments: RawArguments::Typed(map),
            }),
            _ => Err(CallError::Unreadable),
        }
    }
}

pub(super) fn calls_in(text: &str, repairs: &mut Vec<Repair>) -> Result<Vec<RawCall>, CallError> {
    match relaxed::value(text, repairs) {
        Some(Value::Array(items)) => items.into_iter().map(|item| call_in(item, repairs)).collect(),
        Some(value) => call_in(value, repairs).map(|call| vec![call]),
        None => Err(CallError::Unreadable),
    }
}

fn call_in(value: Value, repairs: &mut Vec<Repair>) -> Result<RawCall, CallError> {
    let Value::Object(mut map) = value else {
        return Err(CallError::NoCall);
    };
    // APIs send native calls in the form `{"type": "function", "function": {"name": …}}`.
    if matches!(map.get("function"), Some(Value::Object(_)))
        && let Some(inner) = map.remove("function")
    {
        return call_in(inner, repairs);
    }
    let Some(name) = NAMES.iter().find_map(|key| map.get(*key).and_then(Value::as_str)) else {
        return single(map);
    };
    let name = name.to_owned();
    let (at, arguments) = ARGUMENTS
        .iter()
        .enumerate()
        .find_map(|(at, key)| Some((at, map.remove(*key)?)))
        .unzip();
    if at.is_some_and(|at| at > 0) {
        note(repairs, Repair::ArgumentsKey);
    }
    let arguments = match arguments {
        Some(arguments) => object(arguments, repairs)?,
        None if map.keys().all(|key| plain_key(key)) => {
            note(repairs, Repair::NoArguments);
            Map::new()
        }
        None => return Err(CallError::Unfit),
    };
    Ok(RawCall {
        name,
        arguments: RawArguments::Typed(arguments),
    })
}

fn plain_key(key: &str) -> bool {
    NAMES.contains(&key) || BESIDES.contains(&key)
}

/// Whether the first key of an object is typical for a call. `None` if more text is needed, at most forty bytes.
pub(super) fn object_begins(text: &str) -> Option<bool> {
    const MOST_BLANK: usize = 12;
    const MOST_KEY: usize = 20;
    let behind = text.get(1..).unwrap_or_default();
    let inside = behind.trim_ascii_start();
    if behind.len() - inside.len() > MOST_BLANK {
        return Some(false);
    }
    let Some(key) = inside.strip_prefix(['"', '\'']) else {
        return (!inside.is_empty()).then_some(false);
    };
    match key.split_once(['"', '\'']) {
        Some((key, _)) => Some(plain_key(key) || ARGUMENTS.contains(&key)),
        None => (key.len() > MOST_KEY).then_some(false),
    }
}

pub(super) fn name_begun(text: &str) -> Option<&str> {
    let behind = |key: &&str| {
        let (_, behind) = text.split_once(&format!("\"{key}\""))?;
        let value = behind.trim_ascii_start().strip_prefix(':')?.trim_ascii_start();
        let (name, _) = value.strip_prefix('"')?.split_once('"')?;
        is_tool_name(name).then_some(name)
    };
    NAMES.iter().find_map(behind)
}

fn single(map: Map<String, Value>) -> Result<RawCall, CallError> {
    let mut entries = map.into_iter();
    match (entries.next(), entries.next()) {
        (Some((name, Value::Object(map))), None) if is_tool_name(&name) && !ARGUMENTS.contains(&name.as_str()) => {
            Ok(RawCall {
                name,
                arguments: RawArguments::Typed(map),
            })
        }
        _ => Err(CallError::NoCall),
    }
}

fn object(value: Value, repairs: &mut Vec<Repair>) -> Result<Map<String, Value>, CallError> {
    match value {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => {
            note(repairs, Repair::ArgumentsText);
            match relaxed::value(&text, repairs) {
                Some(Value::Object(map)) => Ok(map),
                _ => Err(CallError::Unreadable),
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => Err(CallError::Unfit),
    }
}

/// Parses a list of calls in Python syntax, such as `[read(path="a"), list()]`, or a single call.
pub(super) fn python_calls(text: &str) -> Result<Vec<RawCall>, CallError> {
    let mut reader = Reader::python(text);
    let list = reader.take(b'[');
    let mut calls = Vec::new();
    loop {
        reader.blank();
        if list && reader.take(b']') {
            break;
        }
        calls.push(python_call(&mut reader).ok_or(CallError::Unreadable)?);
        if !list {
            break;
        }
        reader.separator(b']').ok_or(CallError::Unreadable)?;
    }
    reader.blank();
    if reader.at_end() {
        Ok(calls)
    } else {
        Err(CallError::Unreadable)
    }
}

fn python_call(reader: &mut Reader<'_>) -> Option<RawCall> {
    let name = reader.name()?;
    reader.blank();
    if !reader.take(b'(') {
        return None;
    }
    reader.blank();
    // Gemma's chat template puts a call into `print`: `print(read(path="a"))`.
    if name == "print" {
        let call = python_call(reader)?;
        reader.blank();
        return reader.take(b')').then_some(call);
    }
    let mut arguments = Map::new();
    loop {
        reader.blank();
        if reader.take(b')') {
            break;
        }
        let key = reader.name()?;
        reader.blank();
        if !reader.take(b'=') {
            return None;
        }
        arguments.insert(key.to_owned(), reader.value(0)?);
        reader.separator(b')')?;
    }
    Some(RawCall {
        name: name.to_owned(),
        arguments: RawArguments::Typed(arguments),
    })
}

/// Parses `call:NAME{key:value}`. `mark` encloses strings.
pub(super) fn braced(text: &str, mark: &'static str) -> Option<RawCall> {
    let text = text.trim();
    let text = text.strip_prefix("call").unwrap_or(text).strip_prefix(':')?;
    let (name, _) = text.split_once('{')?;
    let mut reader = Reader::with_mark(text.get(name.len()..)?, mark);
    let Value::Object(map) = reader.value(0)? else {
        return None;
    };
    reader.blank();
    (reader.at_end() && is_tool_name(name)).then(|| RawCall {
        name: name.to_owned(),
        arguments: RawArguments::Typed(map),
    })
}

/// Parses `<path>a</path><limit>3</limit>`. A closing tag ends a value only if another opening tag or the end follows.
/// Otherwise, the tag is a part of the value.
pub(super) fn tag_arguments(inside: &str) -> Option<Vec<(String, Option<bool>, String)>> {
    let mut list = Vec::new();
    let mut rest = inside.trim_ascii_start();
    while !rest.is_empty() {
        let (key, behind) = rest.strip_prefix('<')?.split_once('>')?;
        if !is_tool_name(key) {
            return None;
        }
        let close = format!("</{key}>");
        let mut ends = behind.match_indices(&close).map(|(at, _)| at);
        let (value, after) = ends.find_map(|at| {
            let after = behind.get(at + close.len()..)?.trim_ascii_start();
            let ends = after.is_empty() || (after.starts_with('<') && !after.starts_with("</"));
            ends.then(|| (behind.get(..at).unwrap_or_default(), after))
        })?;
        list.push((key.to_owned(), None, value.to_owned()));
        rest = after;
    }
    Some(list)
}

pub(super) fn is_tool_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    !name.is_empty() && name.len() <= 128 && name.chars().all(fits)
}

pub(super) fn name_in(naming: Naming, head: &str) -> Option<&str> {
    match naming {
        Naming::Mistral => head.split('[').next().map(str::trim),
        Naming::DeepSeek => {
            let sep = ["<｜tool▁sep｜>", "<｜tool_sep｜>"]
                .into_iter()
                .find(|sep| head.contains(sep))?;
            let (before, behind) = head.split_once(sep)?;
            let behind = behind.split("```").next().unwrap_or_default().trim();
            Some(if behind.is_empty() { before.trim() } else { behind })
        }
        Naming::Kimi => {
            let id = head.trim().strip_suffix("<|tool_call_argument_begin|>")?.trim();
            Some(id.rsplit_once(':').map_or(id, |(name, _)| name))
        }
        Naming::Harmony => {
            let (_, behind) = head.split_once("to=")?;
            if !head.trim_end().ends_with("<|message|>") {
                return None;
            }
            behind.split(['<', ' ', '\n']).next()
        }
    }
}

/// Returns the attribute `name` of a tag, and whether the tag declares its content as a string.
pub(super) fn attribute(inside: &str) -> (&str, Option<bool>) {
    let inside = inside.trim();
    let (name, rest) = match inside.as_bytes().first() {
        Some(&quote @ (b'"' | b'\'')) => {
            let inner = inside.get(1..).unwrap_or_default();
            inner.split_once(char::from(quote)).unwrap_or((inner, ""))
        }
        _ => inside.split_once(' ').unwrap_or((inside, "")),
    };
    let text = match rest.trim() {
        "string=\"true\"" => Some(true),
        "string=\"false\"" => Some(false),
        _ => None,
    };
    (name.trim(), text)
}
