//! Messages from the client: reads JSON-RPC lines up to a maximum length, and classifies them.

use std::io::{self, BufRead};

use agent_client_protocol_schema::v1::{Error, ErrorCode};
use serde_json::{Map, Value};
use tokio::sync::mpsc;

/// Maximum length of a line in bytes. Large, because prompts may contain whole files.
pub const LONGEST_LINE: usize = 16 * 1024 * 1024;

const WAITING: usize = 16;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Read {
    Line(Vec<u8>),
    TooLong,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    Response {
        id: Value,
        result: Result<Value, Error>,
    },
    /// Contains the error to return to the sender.
    Malformed {
        /// The id, or `null` if the message has no usable id.
        id: Value,
        error: Error,
    },
}

/// Reads lines on a separate thread. The channel closes at the end of input.
pub(crate) fn start(input: impl BufRead + Send + 'static) -> mpsc::Receiver<Read> {
    let (sends, lines) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || read_on(input, &sends));
    lines
}

fn read_on(mut input: impl BufRead, sends: &mpsc::Sender<Read>) {
    // A read error is treated as the end of input.
    while let Ok(Some(read)) = next(&mut input) {
        if sends.blocking_send(read).is_err() {
            return;
        }
    }
}

fn next(input: &mut impl BufRead) -> io::Result<Option<Read>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let part = match input.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if part.is_empty() {
            // A last line without a line break is incomplete, so it is ignored.
            return Ok(None);
        }
        let end = part.iter().position(|byte| *byte == b'\n');
        let (taken, used) = match end {
            Some(end) => (part.get(..end).unwrap_or_default(), end + 1),
            None => (part, part.len()),
        };
        is_too_long |= line.len() + taken.len() > LONGEST_LINE;
        match is_too_long {
            true => line = Vec::new(),
            false => line.extend_from_slice(taken),
        }
        input.consume(used);
        if end.is_some() {
            return Ok(Some(if is_too_long { Read::TooLong } else { Read::Line(line) }));
        }
    }
}

/// Parses a message. `None` for an empty line.
pub(crate) fn parse(line: &[u8]) -> Option<Incoming> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    Some(match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => sorted(fields),
        Ok(_) => invalid(Value::Null, "a message is one JSON object"),
        Err(error) => Incoming::Malformed {
            id: Value::Null,
            error: Error::new(ErrorCode::ParseError.into(), format!("Parse error: {error}")),
        },
    })
}

fn sorted(mut fields: Map<String, Value>) -> Incoming {
    let id = fields.remove("id");
    if let Some(wrong) = id.as_ref().filter(|id| !is_id(id)) {
        return invalid(Value::Null, &format!("`{wrong}` cannot be an id"));
    }
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid(id.unwrap_or_default(), "`jsonrpc` must be \"2.0\"");
    }
    match (fields.remove("method"), id) {
        (Some(Value::String(method)), id) => {
            let params = fields.remove("params").unwrap_or_default();
            match id {
                Some(id) => Incoming::Request { id, method, params },
                None => Incoming::Notification { method, params },
            }
        }
        (Some(_), id) => invalid(id.unwrap_or_default(), "`method` must be a string"),
        (None, Some(id)) => match (fields.remove("result"), fields.remove("error")) {
            (Some(result), None) => Incoming::Response { id, result: Ok(result) },
            (None, Some(error)) => {
                let error = serde_json::from_value(error).unwrap_or_else(|_| Error::internal_error());
                Incoming::Response { id, result: Err(error) }
            }
            (Some(_), Some(_)) | (None, None) => invalid(id, "a message has `method`, or one of `result` and `error`"),
        },
        (None, None) => invalid(Value::Null, "a message has `method` or `id`"),
    }
}

fn is_id(value: &Value) -> bool {
    match value {
        Value::Null | Value::String(_) => true,
        Value::Number(number) => number.is_i64() || number.is_u64(),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

fn invalid(id: Value, why: &str) -> Incoming {
    Incoming::Malformed {
        id,
        error: Error::new(ErrorCode::InvalidRequest.into(), format!("Invalid request: {why}")),
    }
}

pub(crate) fn too_long() -> Incoming {
    let most = LONGEST_LINE / (1024 * 1024);
    Incoming::Malformed {
        id: Value::Null,
        error: Error::new(
            ErrorCode::ParseError.into(),
            format!("Parse error: the line is longer than {most} MiB"),
        ),
    }
}
