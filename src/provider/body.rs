//! Writes a request body. The `messages` array of a longer history begins with the very bytes of the shorter one, so that a
//! server's prefix cache stays good; every message is therefore written by itself, from itself alone.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::{Map, Value};

use super::ModelRequest;
use crate::domain::image::Images;
use crate::domain::message::ChatMessage;

/// The fields in front of `messages` and those behind it. A server reads the whole body before it begins, but what changes from
/// request to request stands behind.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) before: Map<String, Value>,
    pub(crate) after: Map<String, Value>,
}

impl Fields {
    /// Merges what the configuration adds: its keys replace ours, a `null` takes one away, and an object is merged into one of
    /// ours key by key. `messages` it cannot touch.
    pub(crate) fn with_extra(mut self, extra: &Map<String, Value>) -> Self {
        for (key, value) in extra.iter().filter(|(key, _)| *key != "messages") {
            let fields = if self.before.contains_key(key) {
                &mut self.before
            } else {
                &mut self.after
            };
            merge(fields, key, value);
        }
        self
    }

    /// The whole body.
    pub(crate) fn around<M: Serialize>(self, request: &ModelRequest, messages: impl Iterator<Item = M>) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(room(&request.messages, &request.images));
        bytes.push(b'{');
        write_fields(&self.before, &mut bytes);
        bytes.extend_from_slice(b"\"messages\":[");
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

/// Merges `extra` into `fields`, key by key where both hold an object. A `null` stays, to take away what is written later.
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

/// About the length of the written messages. Growing by doubling would hold a long history three times over.
fn room(messages: &[ChatMessage], images: &Images) -> usize {
    let length = |message: &ChatMessage| match message {
        ChatMessage::System(text) => text.len(),
        ChatMessage::User(text)
        | ChatMessage::Pictured { text, .. }
        | ChatMessage::Assistant { text, .. }
        | ChatMessage::Tool { text, .. } => text.len(),
    };
    // A tenth for what is escaped; calls and tools have the rest.
    let texts: usize = messages.iter().map(length).sum();
    let images: usize = images.values().map(|bytes| bytes.len() / 3 * 4).sum();
    images + texts + texts / 10 + messages.len() * 128 + 16 * 1024
}

/// Each field and a comma.
fn write_fields(map: &Map<String, Value>, bytes: &mut Vec<u8>) {
    for (key, value) in map {
        write(key, bytes);
        bytes.push(b':');
        write(value, bytes);
        bytes.push(b',');
    }
}

/// Writing plain data into memory cannot fail; if it did, the server would reject the body and say why.
fn write(value: &impl serde::Serialize, bytes: &mut Vec<u8>) {
    let _ = serde_json::to_writer(bytes, value);
}

pub(crate) fn base64(bytes: &[u8], into: &mut String) {
    BASE64_STANDARD.encode_string(bytes, into);
}
