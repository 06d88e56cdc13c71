//! Forms that an MCP server asks a person to fill in during a call: fields, answers, and the reply to the server.

mod checked;

use serde_json::{Map, Number, Value};

use super::server::{Need, ServerName};

pub const ACCEPT: &str = "accept";
pub const DECLINE: &str = "decline";

pub const YES: &str = "true";
pub const NO: &str = "false";

/// Maximum length of a text in characters, unless the server sets another limit.
pub const MOST_LETTERS: u64 = 4_000;

/// A form. Its texts contain no control characters, and its size is limited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub server: ServerName,
    pub message: String,
    pub fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub title: String,
    pub about: String,
    pub need: Need,
    pub kind: FieldKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    Text {
        least: u64,
        most: u64,
        format: Option<Format>,
        pattern: Option<String>,
        default: Option<String>,
    },
    Number {
        whole: bool,
        least: Option<Number>,
        most: Option<Number>,
        default: Option<Number>,
    },
    Flag {
        default: Option<bool>,
    },
    One {
        of: Vec<Offer>,
        default: Option<usize>,
    },
    Several {
        of: Vec<Offer>,
        least: u64,
        most: u64,
        default: Vec<usize>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Email,
    Uri,
    Date,
    DateTime,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub value: String,
    pub shown: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    Given(Map<String, Value>),
    Declined,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyWrong {
    Missing,
    Length {
        least: u64,
        most: u64,
    },
    NoNumber,
    NotWhole,
    Range {
        least: Option<Number>,
        most: Option<Number>,
    },
    Count {
        least: u64,
        most: u64,
    },
    Format(Format),
    Pattern(String),
}

impl Form {
    /// Builds the reply from the answers. The first answer accepts or declines the form, and the others fill its
    /// fields. Invalid answers cancel the form.
    pub fn filled(&self, answers: &[Vec<String>]) -> Reply {
        match answers.first().and_then(|first| first.first()).map(String::as_str) {
            Some(ACCEPT) => self.given(answers).map_or(Reply::Cancelled, Reply::Given),
            Some(DECLINE) => Reply::Declined,
            Some(_) | None => Reply::Cancelled,
        }
    }

    fn given(&self, answers: &[Vec<String>]) -> Option<Map<String, Value>> {
        let mut given = Map::new();
        for (at, field) in self.fields.iter().enumerate() {
            let answers = answers.get(at + 1).map_or(&[][..], Vec::as_slice);
            let value = field.value(answers).ok()?;
            given.extend(value.map(|value| (field.name.clone(), value)));
        }
        Some(given)
    }
}

impl Field {
    pub fn label(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }

    pub fn written(&self) -> Option<String> {
        match &self.kind {
            FieldKind::Text { default, .. } => default.clone(),
            FieldKind::Number { default, .. } => default.as_ref().map(Number::to_string),
            FieldKind::Flag { .. } | FieldKind::One { .. } | FieldKind::Several { .. } => None,
        }
    }

    pub fn value(&self, answers: &[String]) -> Result<Option<Value>, WhyWrong> {
        let answers: Vec<&str> = answers
            .iter()
            .map(|one| one.trim())
            .filter(|one| !one.is_empty())
            .collect();
        match (answers.first(), self.need, &self.kind) {
            (None, Need::Optional, _) => Ok(None),
            // If a required field has no minimum, an empty selection is valid.
            (Some(_), _, FieldKind::Several { of, least, most, .. })
            | (None, Need::Required, FieldKind::Several { of, least, most, .. }) => {
                checked::several(of, &answers, (*least, *most)).map(Some)
            }
            (None, Need::Required, _) => Err(WhyWrong::Missing),
            (Some(answer), _, kind) => checked::one(kind, answer).map(Some),
        }
    }
}

#[cfg(test)]
mod tests;
