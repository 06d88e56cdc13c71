//! Arguments as tags in tags: a list is repeated `<item>`, an object has a tag for each key, and everything else is text that gets its type
//! from the schema.

use serde_json::{Map, Value};

use super::value::{RawArguments, RawCall, is_tool_name};

/// Deeper nesting than any tool has.
const DEEPEST: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Text(String),
    Tags(Vec<(String, Tree)>),
}

/// `"NAME">` and what follows up to the mark that closes the call.
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

/// Reads pieces of text, each of which begins with a tag but for the first.
struct Reader<'a> {
    parts: Vec<&'a str>,
    at: usize,
}

impl Reader<'_> {
    /// What stands in a tag, from the text behind it on. The tag that closes it stays.
    fn tree(&mut self, depth: usize) -> Option<Tree> {
        if depth > DEEPEST {
            return None;
        }
        let text = self.behind_tag()?;
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
            // What stands behind a closed tag is white space of the template.
            self.at += 1;
            inside.push((name, tree));
        }
        Some(if inside.is_empty() {
            Tree::Text(text.to_owned())
        } else {
            Tree::Tags(inside)
        })
    }

    /// The text of the next piece behind its tag.
    fn behind_tag(&mut self) -> Option<String> {
        let part = self.parts.get(self.at)?;
        self.at += 1;
        let text = match tag(part) {
            Some(tag) => part.get(tag.len() + 2..).unwrap_or_default(),
            None => part,
        };
        Some(text.to_owned())
    }
}

/// The inside of the tag with which a text begins.
fn tag(text: &str) -> Option<&str> {
    let (tag, _) = text.strip_prefix('<')?.split_once('>')?;
    is_tool_name(tag).then_some(tag)
}

impl Tree {
    /// The value that a schema makes of it; `typed` reads a text.
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
