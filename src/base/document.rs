//! A JSONC file as a tree with line numbers.
//!
//! Accepts comments and trailing commas. Rejects other JSON5 features, because other programs could not read a file
//! with them.

mod change;

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};
use serde_json::{Map, Number, Value};

use super::problem::{Location, Problem};
pub use change::change;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    pub name: &'static str,
    /// Maximum size in KB. A larger file is rejected as a mistake.
    pub most_kb: u64,
}

impl Form {
    fn size(self) -> String {
        match self.most_kb {
            kb if kb % 1_000 == 0 => format!("{} MB", kb / 1_000),
            kb => format!("{kb} KB"),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub place: Location,
    pub data: Data,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    Scalar(Value),
    List(Vec<Node>),
    Object(Vec<Property>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    pub name: String,
    pub place: Location,
    pub value: Node,
}

impl Node {
    pub fn to_value(&self) -> Value {
        match &self.data {
            Data::Scalar(value) => value.clone(),
            Data::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Data::Object(properties) => Value::Object(
                properties
                    .iter()
                    .map(|property| (property.name.clone(), property.value.to_value()))
                    .collect::<Map<_, _>>(),
            ),
        }
    }

    pub fn kind(&self) -> &'static str {
        match &self.data {
            Data::Scalar(Value::Null) => "null",
            Data::Scalar(Value::Bool(_)) => "true or false",
            Data::Scalar(Value::Number(_)) => "a number",
            Data::Scalar(_) => "a string",
            Data::List(_) => "a list",
            Data::Object(_) => "an object",
        }
    }

    pub fn property(&self, name: &str) -> Option<&Property> {
        match &self.data {
            Data::Object(properties) => properties.iter().find(|property| property.name == name),
            Data::Scalar(_) | Data::List(_) => None,
        }
    }
}

pub fn read(path: &Path, form: Form) -> Result<Option<Vec<u8>>, Problem> {
    let name = form.name;
    let failed = |text: String| Problem::new(Location::file(&path.display().to_string()), text);
    // Check the kind first, because opening a pipe would block.
    let found = match std::fs::metadata(path) {
        Ok(found) => found,
        Err(error)
            if matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(failed(format!("cannot be read: {error}"))),
    };
    if found.is_dir() {
        return Err(failed(format!("is a folder, not a {name} file")));
    }
    if !found.is_file() {
        return Err(failed(format!("is a pipe or a device, not a {name} file")));
    }
    let file = File::open(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
    let mut bytes = Vec::new();
    let most = form.most_kb * 1_000;
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > most {
        return Err(failed(format!(
            "is larger than {}, which no {name} needs; is it the right file?",
            form.size()
        )));
    }
    Ok(Some(bytes))
}

pub fn text(file: &str, bytes: Vec<u8>) -> Result<String, Problem> {
    String::from_utf8(bytes).map_err(|error| {
        let sound = error.utf8_error().valid_up_to();
        let line = error
            .as_bytes()
            .iter()
            .take(sound)
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        Problem::new(
            Location {
                file: file.to_owned(),
                line,
                column: 1,
            },
            "is not UTF-8 text",
        )
    })
}

/// Parses a file. `None` if the file is empty or contains only comments.
pub fn parse(file: &str, text: &str) -> Result<Option<Node>, Vec<Problem>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::of(file, text);
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options())
        .map_err(|error| vec![Problem::new(lines.place(error.range().start), sentence(error.kind()))])?;
    let mut problems = Vec::new();
    let root = parsed.value.map(|value| lines.node(&value, &mut problems));
    if problems.is_empty() { Ok(root) } else { Err(problems) }
}

fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn sentence(kind: &jsonc_parser::errors::ParseErrorKind) -> String {
    let text = kind.to_string();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}", first.to_lowercase(), letters.as_str()),
        None => text,
    }
}

struct Lines<'a> {
    file: &'a str,
    text: &'a str,
    starts: Vec<usize>,
    /// Last byte with a computed column, and the column. Nodes are visited in file order. Each byte is therefore
    /// scanned only once, even in a file with one long line.
    counted: Cell<(usize, usize)>,
}

impl<'a> Lines<'a> {
    fn of(file: &'a str, text: &'a str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        let counted = Cell::new((0, 0));
        Self {
            file,
            text,
            starts,
            counted,
        }
    }

    fn place(&self, at: usize) -> Location {
        let line = self.starts.partition_point(|start| *start <= at).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let (from, before) = match self.counted.get() {
            (counted, before) if (start..=at).contains(&counted) => (counted, before),
            _ => (start, 0),
        };
        let before = before + self.text.get(from..at).map_or(0, |text| text.chars().count());
        self.counted.set((at, before));
        Location {
            file: self.file.to_owned(),
            line,
            column: before + 1,
        }
    }

    fn node(&self, value: &ast::Value<'_>, problems: &mut Vec<Problem>) -> Node {
        let place = self.place(value.range().start);
        let data = match value {
            ast::Value::NullKeyword(_) => Data::Scalar(Value::Null),
            ast::Value::BooleanLit(flag) => Data::Scalar(Value::Bool(flag.value)),
            ast::Value::StringLit(text) => Data::Scalar(Value::String(text.value.clone().into_owned())),
            ast::Value::NumberLit(number) => match serde_json::from_str::<Number>(number.value) {
                Ok(number) => Data::Scalar(Value::Number(number)),
                Err(_) => {
                    problems.push(Problem::new(
                        place.clone(),
                        format!("`{}` is not a number JSON knows", number.value),
                    ));
                    Data::Scalar(Value::Null)
                }
            },
            ast::Value::Array(list) => Data::List(list.elements.iter().map(|item| self.node(item, problems)).collect()),
            ast::Value::Object(object) => Data::Object(self.properties(object, problems)),
        };
        Node { place, data }
    }

    fn properties(&self, object: &ast::Object<'_>, problems: &mut Vec<Problem>) -> Vec<Property> {
        let mut properties: Vec<Property> = Vec::with_capacity(object.properties.len());
        let mut first = HashMap::with_capacity(object.properties.len());
        for property in &object.properties {
            let name = property.name.as_str().to_owned();
            let place = self.place(property.range.start);
            match first.entry(property.name.as_str()) {
                Entry::Occupied(first) => problems.push(Problem::new(
                    place.clone(),
                    format!("`{name}` is set twice; the first is on line {}", first.get()),
                )),
                Entry::Vacant(free) => {
                    free.insert(place.line);
                }
            }
            let value = self.node(&property.value, problems);
            properties.push(Property { name, place, value });
        }
        properties
    }
}

#[cfg(test)]
mod tests;
