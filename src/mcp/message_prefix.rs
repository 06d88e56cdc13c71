//! Finds the id in the beginning of an oversized response. Parsing stops at the result or error.

use rmcp::model::RequestId;
use serde::de::DeserializeOwned;
use serde_json::Value;

const WINDOW: usize = 1024;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum MessagePrefix {
    Response(RequestId),
    Request,
    Unknown,
}

impl MessagePrefix {
    pub(super) fn of(line: &[u8]) -> Self {
        let line = line.get(..line.len().min(WINDOW)).unwrap_or_default();
        let Some(mut rest) = line.trim_ascii_start().strip_prefix(b"{") else {
            return Self::Unknown;
        };
        let mut id = None;
        while let Some((name, tail)) = next::<String>(rest) {
            match name.as_str() {
                "method" => return Self::Request,
                "result" | "error" => break,
                _ => {}
            }
            let Some(value) = tail.trim_ascii_start().strip_prefix(b":").map(<[u8]>::trim_ascii_start) else {
                break;
            };
            let Some((value, tail)) = next::<Value>(value) else {
                break;
            };
            if name == "id" {
                id = serde_json::from_value(value).ok();
            }
            // Without a following comma, the prefix may end within the value.
            let Some(tail) = tail.trim_ascii_start().strip_prefix(b",") else {
                break;
            };
            rest = tail;
        }
        id.map_or(Self::Unknown, Self::Response)
    }
}

fn next<T: DeserializeOwned>(text: &[u8]) -> Option<(T, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<T>();
    let value = values.next()?.ok()?;
    let tail = text.get(values.byte_offset()..)?;
    (!tail.is_empty()).then_some((value, tail))
}

#[cfg(test)]
mod tests;
