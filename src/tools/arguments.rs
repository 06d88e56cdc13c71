//! Typed access to call arguments. Accepts argument aliases, numbers sent as text, and text sent as numbers. Errors
//! name the wrong argument and list the expected ones.

use serde_json::{Map, Value};

use super::Refusal;
use super::row::{Row, Serves};
use super::size::shorten;
use benchdog_base::repair::{self, Repaired};
use benchdog_domain::message::Arguments;

/// Maximum characters that an error message quotes of unparsable arguments.
const SHOWN: usize = 200;

/// Argument names with their aliases.
pub(super) type Names = &'static [(&'static str, &'static [&'static str])];

pub struct Args<'a> {
    row: &'a Row,
    given: Map<String, Value>,
    unknown: Vec<String>,
}

impl<'a> Args<'a> {
    pub(super) fn of(row: &'a Row, arguments: &Arguments) -> Result<Self, Refusal> {
        let map = match arguments {
            Arguments::Object(map) => map.clone(),
            Arguments::Raw(text) if text.trim().is_empty() => Map::new(),
            Arguments::Raw(text) => match repair::object(text) {
                Repaired::Object(map) => map,
                Repaired::Cut => return Err(cut(row, text)),
                Repaired::Hopeless => return Err(unreadable(row, text)),
            },
        };
        if matches!(row.serves, Some(Serves::Elsewhere)) {
            return Ok(Self {
                row,
                given: unwrapped(map, row),
                unknown: Vec::new(),
            });
        }
        let mut given = Map::new();
        let mut unknown = Vec::new();
        for (name, value) in unwrapped(map, row) {
            match canonical(row, &name) {
                Some(name) if !value.is_null() => {
                    given.entry(name).or_insert(value);
                }
                Some(_) => {}
                None => unknown.push(name),
            }
        }
        Ok(Self { row, given, unknown })
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        match self.given.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(Value::Bool(flag)) => Ok(Some(flag.to_string())),
            Some(Value::Array(parts)) if parts.len() == 1 && parts.iter().all(Value::is_string) => {
                Ok(parts.first().and_then(Value::as_str).map(str::to_owned))
            }
            Some(other) => Err(self.wrong(name, "text", other)),
        }
    }

    pub(crate) fn required_text(&self, name: &str) -> Result<String, Refusal> {
        self.text(name)?.ok_or_else(|| self.missing(name))
    }

    pub(crate) fn filled_text(&self, name: &str) -> Result<String, Refusal> {
        let text = self.required_text(name)?;
        if text.trim().is_empty() {
            return Err(self.refuse(&format!("`{name}` is empty")));
        }
        Ok(text)
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Refusal> {
        let Some(value) = self.given.get(name) else {
            return Ok(None);
        };
        let number = match value {
            Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
            Value::String(text) if text.trim().is_empty() => return Ok(None),
            Value::String(text) => {
                let text = text.trim();
                text.parse().ok().or_else(|| whole(text.parse().ok()?))
            }
            _ => None,
        };
        number
            .map(Some)
            .ok_or_else(|| self.wrong(name, "a whole number, not negative", value))
    }

    pub(crate) fn flag(&self, name: &str) -> Result<bool, Refusal> {
        let Some(value) = self.given.get(name) else {
            return Ok(false);
        };
        let flag = match value {
            Value::Bool(flag) => Some(*flag),
            Value::Number(number) => number.as_u64().filter(|n| *n <= 1).map(|n| n == 1),
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "1" | "on" => Some(true),
                "false" | "no" | "0" | "off" | "" => Some(false),
                _ => None,
            },
            _ => None,
        };
        flag.ok_or_else(|| self.wrong(name, "true or false", value))
    }

    /// Returns a list. Parses JSON text, and turns a single value into a list.
    pub(crate) fn list(&self, name: &str) -> Result<Option<Vec<Value>>, Refusal> {
        match self.given.get(name) {
            None => Ok(None),
            Some(Value::Array(items)) => Ok(Some(items.clone())),
            Some(Value::String(text)) => match repair::value(text) {
                Some(Value::Array(items)) => Ok(Some(items)),
                Some(Value::Object(map)) => Ok(Some(vec![Value::Object(map)])),
                _ => Ok(Some(vec![Value::String(text.clone())])),
            },
            Some(Value::Object(map)) => Ok(Some(vec![Value::Object(map.clone())])),
            Some(other) => Err(self.wrong(name, "a list", other)),
        }
    }

    /// Returns an object. Parses JSON text.
    pub(crate) fn object(&self, name: &str) -> Result<Option<Map<String, Value>>, Refusal> {
        match self.given.get(name) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map.clone())),
            Some(Value::String(text)) => match repair::value(text) {
                Some(Value::Object(map)) => Ok(Some(map)),
                _ => Err(self.wrong(name, "an object", &Value::String(text.clone()))),
            },
            Some(other) => Err(self.wrong(name, "an object", other)),
        }
    }

    /// Returns the arguments in an element of the list `name`. A text or number is the value of `main`.
    pub(crate) fn inside(&self, name: &str, one: &Value, main: &'static str, names: Names) -> Result<Self, Refusal> {
        let mut given = Map::new();
        let mut unknown = Vec::new();
        match one {
            Value::Object(map) => {
                for (key, value) in map {
                    match own_name(names, key) {
                        Some(own) if !value.is_null() => {
                            given.entry(own).or_insert_with(|| value.clone());
                        }
                        Some(_) => {}
                        None => unknown.push(key.clone()),
                    }
                }
            }
            Value::String(_) | Value::Number(_) => {
                given.insert(main.to_owned(), one.clone());
            }
            Value::Null | Value::Bool(_) | Value::Array(_) => return Err(self.wrong(name, "a list of objects", one)),
        }
        Ok(Self {
            row: self.row,
            given,
            unknown,
        })
    }

    pub(crate) fn all(&self) -> &Map<String, Value> {
        &self.given
    }

    pub(super) fn into_understood(mut self) -> Map<String, Value> {
        for (name, shape) in self.row.properties() {
            let is_text = shape.get("type").and_then(Value::as_str) == Some("string");
            if !is_text || self.given.get(name).is_none_or(Value::is_string) || self.is_handed_on() {
                continue;
            }
            if let Ok(Some(text)) = self.text(name) {
                self.given.insert(name.clone(), Value::String(text));
            }
        }
        self.given
    }

    fn is_handed_on(&self) -> bool {
        matches!(self.row.serves, Some(Serves::Elsewhere))
    }

    pub(crate) fn has_required(&self) -> Result<(), Refusal> {
        match required(self.row).find(|name| !self.given.contains_key(*name)) {
            Some(name) => Err(self.missing(name)),
            None => Ok(()),
        }
    }

    /// Returns all arguments, for a tool with a strict schema. Refuses unknown ones.
    pub(crate) fn only_known(&self) -> Result<Map<String, Value>, Refusal> {
        match self.unknown.first() {
            None => Ok(self.given.clone()),
            Some(name) => Err(self.refuse(&format!("`{}` has no argument `{name}`", self.row.name()))),
        }
    }

    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.given.get(name)
    }

    pub(crate) fn refuse(&self, what: &str) -> Refusal {
        Refusal::new("bad_arguments", format!("{what}. {}", expected(self.row)))
    }

    fn missing(&self, name: &str) -> Refusal {
        let tool = self.row.name();
        let unknown = match self.unknown.as_slice() {
            [] => String::new(),
            names => format!(
                " (unknown: {})",
                names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
            ),
        };
        self.refuse(&format!("`{tool}` needs the argument `{name}`{unknown}"))
    }

    fn wrong(&self, name: &str, wanted: &str, got: &Value) -> Refusal {
        self.refuse(&format!(
            "`{name}` must be {wanted}, not `{}`",
            shorten(&got.to_string(), 80)
        ))
    }
}

fn whole(number: f64) -> Option<u64> {
    // A float above 2^53 is not exact. No argument needs larger numbers.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a whole number in range on the same line"
    )]
    (number >= 0.0 && number.fract() == 0.0 && number < 9e15).then_some(number as u64)
}

fn unwrapped(map: Map<String, Value>, row: &Row) -> Map<String, Value> {
    if map.len() == 1
        && let Some((name, value)) = map.iter().next()
        && !row.properties().any(|(known, _)| known == name)
        && ["arguments", "args", "input", "parameters", "params", "kwargs"].contains(&name.as_str())
    {
        match value {
            Value::Object(inner) => return inner.clone(),
            Value::String(text) => {
                if let Repaired::Object(inner) = repair::object(text) {
                    return inner;
                }
            }
            _ => {}
        }
    }
    map
}

/// Returns the canonical name of an argument for an alias or another spelling (`filePath`, `file-path`).
fn canonical(row: &Row, name: &str) -> Option<String> {
    let wanted = plain(name);
    match row.properties().find(|(own, _)| plain(own) == wanted) {
        Some((own, _)) => Some(own.clone()),
        None => own_name(row.arguments, name).map(str::to_owned),
    }
}

fn own_name(names: Names, name: &str) -> Option<&'static str> {
    let wanted = plain(name);
    let is_meant =
        |own: &str, others: &[&str]| plain(own) == wanted || others.iter().any(|other| plain(other) == wanted);
    names
        .iter()
        .find_map(|(own, others)| is_meant(own, others).then_some(*own))
}

fn plain(name: &str) -> String {
    name.replace(['_', '-', ' '], "").to_ascii_lowercase()
}

fn unreadable(row: &Row, text: &str) -> Refusal {
    Refusal::new(
        "bad_arguments",
        format!(
            "The arguments of `{}` are not a JSON object. They begin: {}\n{}",
            row.name(),
            shorten(text.trim(), SHOWN),
            expected(row)
        ),
    )
}

fn cut(row: &Row, text: &str) -> Refusal {
    let length = text.chars().count();
    let tail: String = text.chars().skip(length.saturating_sub(80)).collect();
    Refusal::new(
        "bad_arguments",
        format!(
            "The arguments of `{}` stop in the middle of a text, so they were not used. They begin: {}\nThey end: …{tail}\n\
             Make the call again, with less text in it if the answer was cut for length. {}",
            row.name(),
            shorten(text.trim(), SHOWN),
            expected(row)
        ),
    )
}

fn required(row: &Row) -> impl Iterator<Item = &str> {
    let names = row.parameters.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

fn expected(row: &Row) -> String {
    let required: Vec<&str> = required(row).collect();
    let mut rows: Vec<String> = Vec::new();
    for (name, shape) in row.properties() {
        let kind = shape.get("type").and_then(Value::as_str).unwrap_or("any");
        let must = if required.contains(&name.as_str()) {
            ", required"
        } else {
            ""
        };
        rows.push(format!("{name} ({kind}{must})"));
    }
    if rows.is_empty() {
        return format!("`{}` takes no arguments.", row.name());
    }
    format!("Expected: {}.", rows.join(", "))
}

#[cfg(test)]
mod tests;
