//! Writes request bodies.
//!
//! Each message is serialised independently of later ones, so that a longer history starts with the same bytes and server caches stay
//! valid.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::{Map, Value};

use super::ModelRequest;
use benchdog_domain::image::Images;
use benchdog_domain::message::ChatMessage;

/// Keys of the list of messages in the APIs.
pub(crate) const MESSAGES: [&str; 2] = ["messages", "input"];

/// Fields before and after the messages. A field that changes between requests comes after the messages.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub before: Map<String, Value>,
    pub after: Map<String, Value>,
}

impl Fields {
    /// Merges configured fields: keys replace the built-in ones, `null` removes one, and objects are merged by key. The
    /// messages cannot be changed.
    pub(crate) fn with_extra(mut self, extra: &Map<String, Value>) -> Self {
        for (key, value) in extra.iter().filter(|(key, _)| !MESSAGES.contains(&key.as_str())) {
            let fields = if self.before.contains_key(key) {
                &mut self.before
            } else {
                &mut self.after
            };
            merge(fields, key, value);
        }
        self
    }

    /// Writes the body. `key` is the name of the list of messages.
    pub(crate) fn into_body<M: Serialize>(
        self,
        key: &str,
        request: &ModelRequest,
        messages: impl Iterator<Item = M>,
    ) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(room(&request.messages, &request.images));
        bytes.push(b'{');
        write_fields(&self.before, &mut bytes);
        write(&key, &mut bytes);
        bytes.extend_from_slice(b":[");
        for (position, message) in messages.enumerate() {
            if position > 0 {
                bytes.push(b',');
            }
            write(&message, &mut bytes);
        }
        bytes.push(b']');
        if !self.after.is_empty() {
            bytes.push(b',');
            write_fields(&self.after, &mut bytes);
            bytes.pop();
        }
        bytes.push(b'}');
        bytes
    }
}

/// Merges objects recursively. Keeps `null` to remove fields that are written later.
pub(crate) fn merge_all(fields: &mut Map<String, Value>, extra: &Map<String, Value>) {
    for (key, value) in extra {
        match (fields.get_mut(key), value) {
            (Some(Value::Object(ours)), Value::Object(theirs)) => merge_all(ours, theirs),
            _ => {
                fields.insert(key.clone(), value.clone());
            }
        }
    }
}

fn merge(fields: &mut Map<String, Value>, key: &str, value: &Value) {
    match (fields.get_mut(key), value) {
        (_, Value::Null) => {
            fields.shift_remove(key);
        }
        (Some(Value::Object(ours)), Value::Object(theirs)) => {
            for (key, value) in theirs {
                merge(ours, key, value);
            }
        }
        _ => {
            fields.insert(key.to_owned(), value.clone());
        }
    }
}

fn room(messages: &[ChatMessage], images: &Images) -> usize {
    let length = |message: &ChatMessage| match message {
        ChatMessage::System(text) => text.len(),
        ChatMessage::User(text)
        | ChatMessage::Pictured { text, .. }
        | ChatMessage::Assistant { text, .. }
        | ChatMessage::Tool { text, .. } => text.len(),
    };
    // Adds a tenth for escapes, and a constant for calls and tools.
    let texts: usize = messages.iter().map(length).sum();
    let images: usize = images.values().map(|bytes| bytes.len() / 3 * 4).sum();
    images + texts + texts / 10 + messages.len() * 128 + 16 * 1024
}

fn write_fields(map: &Map<String, Value>, bytes: &mut Vec<u8>) {
    for (key, value) in map {
        write(key, bytes);
        bytes.push(b':');
        write(value, bytes);
        bytes.push(b',');
    }
}

/// Serialises a value. Ignores errors, because serialisation of plain data into memory cannot fail.
fn write(value: &impl serde::Serialize, bytes: &mut Vec<u8>) {
    let _ = serde_json::to_writer(bytes, value);
}

pub(crate) fn base64(bytes: &[u8], into: &mut String) {
    BASE64_STANDARD.encode_string(bytes, into);
}
