//! The output of `opencode export ID`: one JSON document, whose messages are read one by one.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::builder::Builder;
use super::lines::unreadable;
use super::{Flaw, SessionsError};
use benchdog_base::clock::Time;
use benchdog_domain::message::Arguments;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::tool::CallStatus;

pub(super) fn read(file: &Path, builder: Builder) -> Result<Vec<SessionMeta>, SessionsError> {
    let opened = File::open(file).map_err(|error| unreadable(file, error))?;
    let mut document = Document { builder, failed: None };
    let mut reader = serde_json::Deserializer::from_reader(BufReader::with_capacity(256 << 10, opened));
    let read = (&mut document).deserialize(&mut reader).and_then(|()| reader.end());
    if let Some(error) = document.failed {
        return Err(error);
    }
    read.map_err(|error| SessionsError::Flawed {
        file: file.to_owned(),
        line: u64::try_from(error.line()).ok(),
        flaw: Flaw::from(error),
    })?;
    Ok(vec![document.builder.finish()?])
}

struct Document {
    builder: Builder,
    /// A storage error. It is stored, because a serde visitor cannot return such an error.
    failed: Option<SessionsError>,
}

impl<'de> DeserializeSeed<'de> for &mut Document {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Document {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an exported session")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "info" => describe(&mut self.builder, &map.next_value()?),
                "messages" => map.next_value_seed(Messages(&mut *self))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct Messages<'d>(&'d mut Document);

impl<'de> DeserializeSeed<'de> for Messages<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Messages<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<(), A::Error> {
        while let Some(each) = messages.next_element::<Value>()? {
            if let Err(error) = message(&mut self.0.builder, &each) {
                self.0.failed = Some(error);
                return Err(serde::de::Error::custom("not stored"));
            }
        }
        Ok(())
    }
}

fn describe(builder: &mut Builder, info: &Value) {
    let text = |key: &str| info.get(key).and_then(Value::as_str).unwrap_or_default();
    builder.workspace(text("directory"));
    builder.title(text("title"));
    builder.at(time(info));
}

fn time(info: &Value) -> Option<Time> {
    info.pointer("/time/created").and_then(Value::as_i64).map(Time)
}

fn message(builder: &mut Builder, message: &Value) -> Result<(), SessionsError> {
    let info = message.get("info").unwrap_or(&Value::Null);
    let parts = message.get("parts").and_then(Value::as_array);
    let parts = parts.map(Vec::as_slice).unwrap_or_default();
    builder.at(time(info));
    match info.get("role").and_then(Value::as_str) {
        Some("user") => {
            let texts = parts.iter().filter(|part| is(part, "text") && !is_added(part));
            let texts: Vec<&str> = texts.filter_map(|part| part.get("text")?.as_str()).collect();
            if texts.is_empty() {
                return Ok(());
            }
            builder.prompt(&texts.join("\n"))
        }
        Some("assistant") => {
            builder.model(info.get("modelID").and_then(Value::as_str).unwrap_or_default());
            parts.iter().try_for_each(|part| answered(builder, part))
        }
        _ => Ok(()),
    }
}

fn is(part: &Value, kind: &str) -> bool {
    part.get("type").and_then(Value::as_str) == Some(kind)
}

/// Whether opencode added the text itself, such as the content of a mentioned file.
fn is_added(part: &Value) -> bool {
    let flag = |key: &str| part.get(key).and_then(Value::as_bool).unwrap_or(false);
    flag("synthetic") || flag("ignored")
}

fn answered(builder: &mut Builder, part: &Value) -> Result<(), SessionsError> {
    let text = |path: &str| part.pointer(path).and_then(Value::as_str).unwrap_or_default();
    match text("/type") {
        "text" => {
            builder.said(text("/text"));
            Ok(())
        }
        "reasoning" => {
            builder.thought(text("/text"));
            Ok(())
        }
        "tool" => {
            let input = part.pointer("/state/input").and_then(Value::as_object).cloned();
            builder.call(
                text("/callID"),
                text("/tool"),
                Arguments::Object(input.unwrap_or_default()),
            );
            match text("/state/status") {
                "completed" => builder.result(text("/callID"), CallStatus::Ok, text("/state/output")),
                "error" => builder.result(text("/callID"), CallStatus::Error, text("/state/error")),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}
