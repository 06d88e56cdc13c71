//! Markdown files with YAML front matter between `---` lines. Accepts unquoted text. Errors have line numbers.

use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};
use serde_saphyr::Spanned;

use super::document::{Data, Node, Property};
use super::problem::Location;

/// An error with its line, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatterError {
    pub line: u64,
    pub why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'t> {
    pub front: Option<(&'t str, u64)>,
    pub body: &'t str,
}

pub fn parts(text: &str) -> Result<Parts<'_>, FrontMatterError> {
    let whole = text.trim_start_matches('\u{feff}');
    let text = whole.trim_start_matches(['\n', '\r']);
    let skipped = whole.len() - text.len();
    let skipped = whole.get(..skipped).unwrap_or_default().matches('\n').count() as u64;
    match split(text) {
        Ok(Some((front, body))) => Ok(Parts {
            front: Some((front, skipped + 2)),
            body,
        }),
        Ok(None) => Ok(Parts {
            front: None,
            body: text,
        }),
        Err(why) => Err(FrontMatterError { line: skipped + 1, why }),
    }
}

fn split(text: &str) -> Result<Option<(&str, &str)>, String> {
    let is_mark = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if !is_mark(first) {
        return Ok(None);
    }
    let mut end = first.len();
    for line in lines {
        if is_mark(line) {
            let front = text.get(first.len()..end).unwrap_or_default();
            return Ok(Some((front, text.get(end + line.len()..).unwrap_or_default())));
        }
        end += line.len();
    }
    Err("the front matter has no closing `---`".to_owned())
}

/// Parses the front matter as a value. Values of `plain` keys may contain colons without quotes. Line numbers in errors
/// count from the start of the front matter.
pub fn read<T: DeserializeOwned + Default>(front: &str, plain: &[&str]) -> Result<T, FrontMatterError> {
    match serde_saphyr::from_str::<Option<T>>(front) {
        Ok(read) => Ok(read.unwrap_or_default()),
        Err(error) => serde_saphyr::from_str(&quote_sentences(front, plain)).map_err(|_| FrontMatterError {
            line: error.location().map_or(1, |location| location.line()),
            why: one_line(&error.to_string()),
        }),
    }
}

/// Parses the front matter as a tree with positions in the file. `first` is the file line at which it starts.
pub fn tree(file: &str, front: &str, first: u64, plain: &[&str]) -> Result<Node, FrontMatterError> {
    let read: Spanned<Tree> = match serde_saphyr::from_str(front) {
        Ok(read) => read,
        Err(error) => serde_saphyr::from_str(&quote_sentences(front, plain)).map_err(|_| FrontMatterError {
            line: error.location().map_or(1, |location| location.line()) + first - 1,
            why: one_line(&error.to_string()),
        })?,
    };
    Ok(Place { file, first }.node(read))
}

fn quote_sentences(front: &str, keys: &[&str]) -> String {
    let mut out = String::new();
    let mut lines = front.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, text)) = plain(line, keys) else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        let mut text = text.to_owned();
        let mut more = 0;
        // Only a description may have several lines. A name has one.
        while key == "description"
            && let Some(line) = lines.next_if(|line| line.starts_with([' ', '\t']))
        {
            text.push(' ');
            text.push_str(line.trim());
            more += 1;
        }
        // Write the text as a JSON string, which is always valid YAML. Keep the number of lines, so that later lines
        // keep their numbers.
        let text = Value::from(text);
        out.push_str(&format!("{key}: {text}\n{}", "\n".repeat(more)));
    }
    out
}

fn plain<'l>(line: &'l str, keys: &[&str]) -> Option<(&'l str, &'l str)> {
    let (key, text) = line.split_once(':')?;
    let text = text.split_once(" #").map_or(text, |(text, _)| text).trim();
    let is_plain = !text.is_empty() && !text.starts_with(['"', '\'', '|', '>', '[', '{']);
    (keys.contains(&key) && is_plain).then_some((key, text))
}

fn one_line(text: &str) -> String {
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("it is no YAML");
    let first = first.trim_start_matches("error: ");
    // YAML's message counts lines from the start of the front matter. Remove its line number, and add the correct one.
    let said = match first.split_once(": ") {
        Some((place, said)) if place.starts_with("line ") => said,
        _ => first,
    };
    said.trim_end_matches('.').to_owned()
}

enum Tree {
    Scalar(Value),
    List(Vec<Spanned<Tree>>),
    Object(Vec<(Spanned<String>, Spanned<Tree>)>),
}

struct Place<'f> {
    file: &'f str,
    first: u64,
}

impl Place<'_> {
    fn of<T>(&self, spanned: &Spanned<T>) -> Location {
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Location {
            file: self.file.to_owned(),
            line: number(self.first.saturating_add(spanned.referenced.line()).saturating_sub(1)),
            column: number(spanned.referenced.column()),
        }
    }

    fn node(&self, spanned: Spanned<Tree>) -> Node {
        let place = self.of(&spanned);
        let data = match spanned.value {
            Tree::Scalar(value) => Data::Scalar(value),
            Tree::List(items) => Data::List(items.into_iter().map(|item| self.node(item)).collect()),
            Tree::Object(properties) => {
                let properties = properties.into_iter().map(|(name, value)| Property {
                    place: self.of(&name),
                    name: name.value,
                    value: self.node(value),
                });
                Data::Object(properties.collect())
            }
        };
        Node { place, data }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyTree)
    }
}

struct AnyTree;

impl<'de> Visitor<'de> for AnyTree {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Scalar(Number::from_f64(value).map_or(Value::Null, Value::Number)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Scalar(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Tree, E> {
        Ok(Tree::Scalar(Value::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Tree::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            object.push(entry);
        }
        Ok(Tree::Object(object))
    }
}

#[cfg(test)]
mod tests;
