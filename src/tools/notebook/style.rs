//! The style of a JSON text, so that new parts look like the old ones.

use serde_json::Value;

pub(super) struct Style {
    /// One level of indentation. `None` if everything is on one line.
    unit: Option<String>,
    newline: &'static str,
    colon: &'static str,
    comma: &'static str,
    /// Whether non-ASCII characters are escaped.
    ascii: bool,
}

pub(super) enum Part<'p> {
    Value(Value),
    Json(&'p str),
}

impl Style {
    pub(super) fn of(json: &str) -> Self {
        let inside = json.trim_start_matches(|c| c != '{').get(1..).unwrap_or_default();
        let newline = if inside.starts_with("\r\n") { "\r\n" } else { "\n" };
        let unit = inside.strip_prefix(newline).map(|line| {
            let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(0);
            line.get(..end).unwrap_or_default().to_owned()
        });
        let spaced = inside
            .split_once("\":")
            .is_none_or(|(_, value)| value.starts_with(char::is_whitespace));
        Self {
            comma: if unit.is_none() && spaced { ", " } else { "," },
            colon: if spaced { ": " } else { ":" },
            ascii: json.is_ascii() && has_escaped(json),
            newline,
            unit,
        }
    }

    pub(super) fn object(&self, parts: &[(&str, Part<'_>)], depth: usize) -> String {
        let members = parts.iter().map(|(name, part)| {
            let value = match part {
                Part::Value(value) => self.value(value, depth + 1),
                Part::Json(json) => (*json).to_owned(),
            };
            format!("\"{name}\"{}{value}", self.colon)
        });
        self.listed('{', '}', members, depth)
    }

    pub(super) fn value(&self, value: &Value, depth: usize) -> String {
        match value {
            Value::Array(items) => {
                let items = items.iter().map(|item| self.value(item, depth + 1));
                self.listed('[', ']', items, depth)
            }
            Value::String(text) => self.text(text),
            // Other values need no style, because the only objects among them are empty.
            other => other.to_string(),
        }
    }

    pub(super) fn listed(&self, open: char, close: char, items: impl Iterator<Item = String>, depth: usize) -> String {
        let items: Vec<String> = items.collect();
        if items.is_empty() {
            return format!("{open}{close}");
        }
        let (first, between) = (self.line(depth + 1), format!("{}{}", self.comma, self.line(depth + 1)));
        format!("{open}{first}{}{}{close}", items.join(&between), self.line(depth))
    }

    fn line(&self, depth: usize) -> String {
        match &self.unit {
            Some(unit) => format!("{}{}", self.newline, unit.repeat(depth)),
            None => String::new(),
        }
    }

    fn text(&self, text: &str) -> String {
        let json = Value::from(text).to_string();
        if !self.ascii {
            return json;
        }
        let mut out = String::with_capacity(json.len());
        for c in json.chars() {
            if c.is_ascii() {
                out.push(c);
            } else {
                let mut units = [0; 2];
                out.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
            }
        }
        out
    }
}

/// Whether the text contains a `\u` escape of a non-ASCII character.
fn has_escaped(json: &str) -> bool {
    json.match_indices("\\u").any(|(at, _)| {
        let digits = json.get(at + 2..at + 6).unwrap_or_default();
        u16::from_str_radix(digits, 16).is_ok_and(|unit| unit > 0x7f)
    })
}
