//! Encodes spans in the JSON format of OTLP: ids in hexadecimal, enums as numbers, 64-bit integers as text.

use serde_json::{Map, Value as Json, json};

use benchdog_base::clock::Time;
use benchdog_base::id::BlobId;

const NAME: &str = "benchdog";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) trace: TraceId,
    pub(crate) id: SpanId,
    pub(crate) parent: Option<SpanId>,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) began: Time,
    pub(crate) ended: Time,
    pub(crate) attributes: Vec<(&'static str, Value)>,
    /// The code of the failure. `None` if the operation succeeded.
    pub(crate) error: Option<String>,
}

/// A trace id of 32 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TraceId(String);

/// A span id of 16 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SpanId(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Internal,
    Client,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Whole(u64),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Whole(number)
    }
}

impl TraceId {
    /// Returns the trace id of a turn, derived from the id of the session and the number of the turn.
    pub(crate) fn of(session: &str, turn: u64) -> Self {
        Self(digest(&format!("{session} {turn}"), 32))
    }

    pub(crate) fn span(&self, number: u64) -> SpanId {
        SpanId(digest(&format!("{} {number}", self.0), 16))
    }
}

fn digest(text: &str, digits: usize) -> String {
    BlobId::of(text.as_bytes()).0.chars().take(digits).collect()
}

pub(crate) fn body(spans: &[Span]) -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION");
    let resource = [
        ("service.name", Value::from(NAME)),
        ("service.version", Value::from(version)),
    ];
    let spans: Vec<Json> = spans.iter().map(encoded).collect();
    let body = json!({ "resourceSpans": [{
        "resource": { "attributes": attributes(&resource) },
        "scopeSpans": [{ "scope": { "name": NAME, "version": version }, "spans": spans }],
    }] });
    serde_json::to_vec(&body).unwrap_or_default()
}

fn encoded(span: &Span) -> Json {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Json| drop(fields.insert(name.to_owned(), value));
    set("traceId", json!(span.trace.0));
    set("spanId", json!(span.id.0));
    if let Some(parent) = &span.parent {
        set("parentSpanId", json!(parent.0));
    }
    set("name", json!(span.name));
    let kind = match span.kind {
        Kind::Internal => 1,
        Kind::Client => 3,
    };
    set("kind", json!(kind));
    set("startTimeUnixNano", json!(nanoseconds(span.began)));
    set("endTimeUnixNano", json!(nanoseconds(span.ended.max(span.began))));
    let mut all = span.attributes.clone();
    if let Some(error) = &span.error {
        all.push(("error.type", Value::from(error.as_str())));
        set("status", json!({ "code": 2 }));
    }
    set("attributes", attributes(&all));
    Json::Object(fields)
}

fn nanoseconds(time: Time) -> String {
    (i128::from(time.0) * 1_000_000).to_string()
}

fn attributes(all: &[(&'static str, Value)]) -> Json {
    let attribute = |(key, value): &(&'static str, Value)| {
        let value = match value {
            Value::Text(text) => json!({ "stringValue": text }),
            Value::Whole(number) => json!({ "intValue": number.to_string() }),
        };
        json!({ "key": key, "value": value })
    };
    all.iter().map(attribute).collect()
}

#[cfg(test)]
pub(super) mod tests;
