//! Writes request bodies.
//!
//! The bytes of a message do not depend on later messages. Each request therefore starts with the bytes of the previous
//! one, and the server can use its prompt cache.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::{Map, Value};

use super::ModelRequest;
use benchdog_domain::image::Images;
use benchdog_domain::message::ChatMessage;

/// Names that the APIs use for the list of messages.
pub(crate) const MESSAGES: [&str; 2] = ["messages", "input"];

/// Fields before and after the messages. Fields that change between requests come after the messages, because a change
/// before them would invalidate the server's prompt cache.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub before: Map<String, Value>,
    pub after: Map<String, Value>,
}

impl Fields {
    /// Merges the configured fields into the built-in ones. `null` removes a field, objects are merged key by key, and
    /// any other value replaces the built-in one. The message list cannot be replaced.
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

/// Merges objects recursively. Stores `null` instead of removing the key, because the field to remove may be added
/// later.
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
    // Estimate the capacity: a tenth more than the text for escapes, and constants for calls and tools.
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

/// Writes a value as JSON. Ignores errors, because writing plain data into memory cannot fail.
fn write(value: &impl serde::Serialize, bytes: &mut Vec<u8>) {
    let _ = serde_json::to_writer(bytes, value);
}

pub(crate) fn base64(bytes: &[u8], into: &mut String) {
    BASE64_STANDARD.encode_string(bytes, into);
}
