//! What a server asks a person while a call of its runs: a form of plain fields, what may be answered in each, and what the server is
//! told. Plain data; whoever asks is elsewhere.

mod checked;

use serde_json::{Map, Number, Value};

use super::server::{Need, ServerName};

/// The answers to whether anything is told at all.
pub(crate) const ACCEPT: &str = "accept";
pub(crate) const DECLINE: &str = "decline";

/// The answers to what is so or not.
pub(crate) const YES: &str = "true";
pub(crate) const NO: &str = "false";

/// Letters of a text where its server says nothing.
pub(crate) const MOST_LETTERS: u64 = 4_000;

/// Without what steers a terminal, and within bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) server: ServerName,
    /// In the words of the server.
    pub(crate) message: String,
    pub(crate) fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// As the server knows it.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) need: Need,
    pub(crate) kind: FieldKind,
}

/// What is answered in a field, and what stands there before anybody answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Text {
        /// Letters.
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
        /// Its place among them.
        default: Option<usize>,
    },
    /// So many of them.
    Several {
        of: Vec<Offer>,
        least: u64,
        most: u64,
        default: Vec<usize>,
    },
}

/// What a text is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Email,
    Uri,
    Date,
    DateTime,
}

/// A value to choose, and what people read in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) value: String,
    pub(crate) shown: String,
}

/// What a server is told.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    Given(Map<String, Value>),
    Declined,
    /// Nobody answered.
    Cancelled,
}

/// Why an answer is not what the server asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WhyWrong {
    Missing,
    Length {
        least: u64,
        most: u64,
    },
    NoNumber,
    NotWhole,
    /// It is a number, and less or more than may be given.
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
    /// What the answers come to: first whether anything is told, then one to each field. Of answers that do not fit nothing is told.
    pub(crate) fn filled(&self, answers: &[Vec<String>]) -> Reply {
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
    pub(crate) fn label(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }

    /// What is told where nobody changes it, as it would be written. `None`: nothing, or it is chosen.
    pub(crate) fn written(&self) -> Option<String> {
        match &self.kind {
            FieldKind::Text { default, .. } => default.clone(),
            FieldKind::Number { default, .. } => default.as_ref().map(Number::to_string),
            FieldKind::Flag { .. } | FieldKind::One { .. } | FieldKind::Several { .. } => None,
        }
    }

    /// What an answer comes to. `None`: nothing is told of it.
    pub(crate) fn value(&self, answers: &[String]) -> Result<Option<Value>, WhyWrong> {
        let answers: Vec<&str> = answers
            .iter()
            .map(|one| one.trim())
            .filter(|one| !one.is_empty())
            .collect();
        match (answers.first(), self.need, &self.kind) {
            (None, Need::Optional, _) => Ok(None),
            // None of them is an answer where none need be chosen.
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
