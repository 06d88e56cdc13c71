//! Parses nested tags. A list is written as several `<item>` tags, and an object has one tag for each key. The schema
//! determines the type of a text.

use serde_json::{Map, Value};

use super::value::{RawArguments, RawCall, is_tool_name};

const DEEPEST: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Text(String),
    Tags(Vec<(String, Tree)>),
}

/// Parses `NAME">` or `NAME>` and the tags up to the closing mark.
pub(super) fn call(inside: &str, mark: &str) -> Option<RawCall> {
    let (head, rest) = inside.split_once('>')?;
    let name = head.trim().trim_matches(['"', '\'']);
    if !is_tool_name(name) {
        return None;
    }
    let mut tags = Reader {
        parts: rest.split(mark).collect(),
        at: 0,
    };
    let Tree::Tags(arguments) = tags.tree(0)? else {
        return Some(RawCall {
            name: name.to_owned(),
            arguments: RawArguments::Nested(Vec::new()),
        });
    };
    (tags.at == tags.parts.len()).then(|| RawCall {
        name: name.to_owned(),
        arguments: RawArguments::Nested(arguments),
    })
}

struct Reader<'a> {
    parts: Vec<&'a str>,
    at: usize,
}

impl Reader<'_> {
    fn tree(&mut self, depth: usize) -> Option<Tree> {
        if depth > DEEPEST {
            return None;
        }
        let text = self.text_after_tag()?;
        let mut inside = Vec::new();
        while let Some(tag) = self.parts.get(self.at).and_then(|part| tag(part)) {
            if tag.starts_with('/') {
                break;
            }
            let name = tag.to_owned();
            let tree = self.tree(depth + 1)?;
            let close = self.parts.get(self.at).and_then(|part| self::tag(part))?;
            if close.strip_prefix('/') != Some(&name) {
                return None;
            }
            // Skip the whitespace that the format adds after a closing tag.
            self.at += 1;
            inside.push((name, tree));
        }
        Some(if inside.is_empty() {
            Tree::Text(text.to_owned())
        } else {
            Tree::Tags(inside)
        })
    }

    fn text_after_tag(&mut self) -> Option<String> {
        let part = self.parts.get(self.at)?;
        self.at += 1;
        let text = match tag(part) {
            Some(tag) => part.get(tag.len() + 2..).unwrap_or_default(),
            None => part,
        };
        Some(text.to_owned())
    }
}

fn tag(text: &str) -> Option<&str> {
    let (tag, _) = text.strip_prefix('<')?.split_once('>')?;
    is_tool_name(tag).then_some(tag)
}

impl Tree {
    pub(super) fn value(&self, schema: Option<&Value>, typed: &mut impl FnMut(&str, Option<&Value>) -> Value) -> Value {
        let of = |key: &str| schema.and_then(|schema| schema.get(key));
        let tags = match self {
            Self::Text(text) if text.trim().is_empty() && is_type(schema, "array") => return Value::Array(Vec::new()),
            Self::Text(text) if text.trim().is_empty() && is_type(schema, "object") => return Value::Object(Map::new()),
            Self::Text(text) => return typed(text, schema),
            Self::Tags(tags) => tags,
        };
        if tags.iter().all(|(name, _)| name == "item") && !is_type(schema, "object") {
            let items = tags.iter().map(|(_, item)| item.value(of("items"), typed));
            return items.collect();
        }
        let fields = tags.iter().map(|(name, tree)| {
            let schema = of("properties").and_then(|properties| properties.get(name));
            (name.clone(), tree.value(schema, typed))
        });
        Value::Object(fields.collect())
    }
}

fn is_type(schema: Option<&Value>, word: &str) -> bool {
    schema
        .and_then(|schema| schema.get("type"))
        .is_some_and(|kind| kind == word)
}
