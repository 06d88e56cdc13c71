//! The messages of language servers, with only the fields that Benchdog uses.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::diagnostics::Diagnostic;
use super::limits::{MOST_ERRORS, MOST_OTHERS};
use super::{Place, uri};
use benchdog_base::text::{clean, one_line, truncate};
use benchdog_domain::finding::Severity;

const MOST_PARSED: usize = 5_000;
/// Maximum width of a message, in display columns.
const MOST_LETTERS: usize = 400;
const MOST_CODE: usize = 60;
const MOST_PLACES: usize = 2_000;

#[derive(Deserialize)]
pub(crate) struct Message<'m> {
    #[serde(default)]
    pub(crate) id: Option<Value>,
    #[serde(borrow, default)]
    pub(crate) method: Option<Cow<'m, str>>,
    #[serde(borrow, default)]
    pub(crate) params: Option<&'m RawValue>,
    #[serde(borrow, default)]
    pub(crate) result: Option<&'m RawValue>,
    #[serde(default)]
    pub(crate) error: Option<ResponseError>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ResponseError {
    #[serde(default)]
    pub(crate) code: i64,
    #[serde(default)]
    pub(crate) message: String,
}

#[derive(Deserialize)]
pub(crate) struct PublishedDiagnostics<'m> {
    #[serde(borrow)]
    pub(crate) uri: Cow<'m, str>,
    #[serde(default)]
    pub(crate) version: Option<i64>,
    pub(crate) diagnostics: DiagnosticList,
}

#[derive(Deserialize)]
pub(crate) struct PulledDiagnostics {
    #[serde(default)]
    pub(crate) items: DiagnosticList,
}

/// The diagnostics in a message. Diagnostics beyond the limits are omitted.
#[derive(Default)]
pub(crate) struct DiagnosticList(pub(crate) Vec<Diagnostic>);

impl<'de> Deserialize<'de> for DiagnosticList {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(DiagnosticListVisitor)
    }
}

struct DiagnosticListVisitor;

impl<'de> Visitor<'de> for DiagnosticListVisitor {
    type Value = DiagnosticList;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("diagnostics")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<DiagnosticList, S::Error> {
        let (mut kept, mut parsed, mut errors) = (Vec::new(), 0, 0);
        while parsed < MOST_PARSED {
            let Some(raw) = items.next_element::<&'de RawValue>()? else {
                return Ok(DiagnosticList(kept));
            };
            parsed += 1;
            let Some(found) = diagnostic(raw) else { continue };
            let is_error = found.severity == Severity::Error;
            let others = kept.len() - errors;
            if is_error && errors < MOST_ERRORS || !is_error && others < MOST_OTHERS {
                errors += usize::from(is_error);
                kept.push(found);
            }
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(DiagnosticList(kept))
    }
}

#[derive(Deserialize)]
struct RawDiagnostic {
    range: RawRange,
    #[serde(default)]
    severity: Option<u8>,
    message: Value,
    #[serde(default)]
    code: Option<Value>,
}

#[derive(Deserialize)]
struct RawRange {
    start: RawPosition,
}

#[derive(Deserialize)]
struct RawPosition {
    line: u32,
    character: u32,
}

fn diagnostic(raw: &RawValue) -> Option<Diagnostic> {
    let raw: RawDiagnostic = serde_json::from_str(raw.get()).ok()?;
    let message = match &raw.message {
        Value::String(text) => text.as_str(),
        markup => markup.get("value")?.as_str()?,
    };
    let code = match &raw.code {
        Some(Value::String(code)) => Some(code.clone()),
        Some(Value::Number(code)) => Some(code.to_string()),
        _ => None,
    };
    Some(Diagnostic {
        line: raw.range.start.line.saturating_add(1),
        character: raw.range.start.character,
        severity: match raw.severity {
            Some(1) | None => Severity::Error,
            Some(2) => Severity::Warning,
            Some(_) => Severity::Note,
        },
        message: short_line(message, MOST_LETTERS),
        code: code
            .map(|code| short_line(&code, MOST_CODE))
            .filter(|code| !code.is_empty()),
    })
}

/// Returns at most `most` display columns of the text, as one line without control characters.
pub(crate) fn short_line(text: &str, most: usize) -> String {
    // A server may send megabytes, so truncate the text before cleaning it.
    let cut = text.get(..text.floor_char_boundary(8 * most)).unwrap_or_default();
    truncate(&clean(&one_line(cut)), most).into_owned()
}

#[derive(Deserialize)]
struct RawPlace<'m> {
    #[serde(borrow, default)]
    uri: Option<Cow<'m, str>>,
    #[serde(default)]
    range: Option<RawRange>,
    #[serde(borrow, default, rename = "targetUri")]
    target_uri: Option<Cow<'m, str>>,
    #[serde(default, rename = "targetSelectionRange")]
    target_range: Option<RawRange>,
}

/// Parses one location, a list of locations, or a list of location links.
pub(crate) fn places(result: &RawValue) -> Vec<Place> {
    let many: Vec<&RawValue> = match serde_json::from_str(result.get()) {
        Ok(many) => many,
        Err(_) => vec![result],
    };
    many.into_iter().take(MOST_PLACES).filter_map(place).collect()
}

fn place(raw: &RawValue) -> Option<Place> {
    let raw: RawPlace<'_> = serde_json::from_str(raw.get()).ok()?;
    let start = raw.range.or(raw.target_range)?.start;
    Some(Place {
        path: uri::to_path(&raw.uri.or(raw.target_uri)?)?,
        line: start.line.saturating_add(1),
        column: start.character.saturating_add(1),
    })
}

#[cfg(test)]
mod tests;
