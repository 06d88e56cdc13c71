//! Decodes the response to a request: an event stream, a JSON answer, a JSON error, or an HTML page. The result does
//! not depend on how the bytes are split into pieces.

use std::sync::Arc;

use super::answer::Answer;
pub use super::answer::Decoded;
use super::bounds::Bound;
use super::cause;
use super::chunk::Chunk;
use super::failure::{Curable, Kind, ProviderError};
use super::sse::{Field, Lines};
use super::textcalls::Recogniser;
use benchdog_domain::message::{Delta, ToolDeclaration};

const REFUSAL: usize = 256 << 10;

#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub framing: Framing,
    /// Parses a payload, which may be empty. Fails if the payload is not valid JSON.
    pub read: for<'a> fn(&'a str) -> Result<Vec<Chunk<'a>>, serde_json::Error>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    Events,
    Lines,
}

#[derive(Debug)]
pub struct Decoder {
    format: Format,
    status: u16,
    retry_after: Option<std::time::Duration>,
    form: Form,
    lines: Lines,
    /// Incomplete JSON that the next `data:` line may continue.
    pending: String,
    error_event: bool,
    stray: Option<String>,
    is_enough: bool,
    answer: Answer,
}

#[derive(Debug)]
enum Form {
    Unknown(Vec<u8>),
    Stream,
    /// A JSON answer, an HTML page, or an error response. Parsed when the body is complete.
    Document(Vec<u8>),
}

impl Decoder {
    /// Creates a decoder. Ignores the content type, because some servers announce a stream and send a plain error.
    pub fn new(format: Format, status: u16) -> Self {
        Self {
            format,
            status,
            retry_after: None,
            form: match status {
                200..=299 => Form::Unknown(Vec::new()),
                _ => Form::Document(Vec::new()),
            },
            lines: Lines::default(),
            pending: String::new(),
            error_event: false,
            stray: None,
            is_enough: false,
            answer: Answer::default(),
        }
    }

    pub fn reading_calls(mut self, recogniser: Recogniser, in_thoughts: Option<Arc<[ToolDeclaration]>>) -> Self {
        self.answer.reading_calls(recogniser, in_thoughts);
        self
    }

    pub(crate) fn retry_after(mut self, wait: Option<std::time::Duration>) -> Self {
        self.retry_after = wait;
        self
    }

    /// Decodes bytes. Merges neighbouring chunks of the same kind into one delta.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Delta> {
        let mut deltas = Vec::new();
        if let Form::Unknown(held) = &mut self.form {
            held.extend_from_slice(bytes);
            let Some(form) = detect_form(held, self.format.framing) else {
                self.answer.error = Bound::Line.check(held.len());
                return deltas;
            };
            let held = std::mem::take(held);
            match form {
                BodyForm::Document => self.form = Form::Document(held),
                BodyForm::Stream => {
                    self.form = Form::Stream;
                    self.read_lines(&held, &mut deltas);
                }
            }
            return deltas;
        }
        match &mut self.form {
            Form::Document(body) => {
                body.extend_from_slice(bytes);
                if (200..300).contains(&self.status) {
                    self.answer.error = Bound::Document.check(body.len());
                } else if body.len() > REFUSAL {
                    self.is_enough = true;
                }
            }
            Form::Unknown(_) => {}
            Form::Stream => self.read_lines(bytes, &mut deltas),
        }
        deltas
    }

    pub(crate) fn prompt_read(&mut self) -> Option<(u64, u64)> {
        self.answer.read.take()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.answer.done || self.answer.error.is_some() || self.is_enough
    }

    /// Whether the model ended its answer. Token counts may still follow.
    pub(crate) fn is_finished(&self) -> bool {
        self.answer.finish.is_some()
    }

    pub fn finish(mut self) -> Decoded {
        let mut deltas = Vec::new();
        match std::mem::replace(&mut self.form, Form::Stream) {
            Form::Document(body) => self.read_document(&body, &mut deltas),
            Form::Unknown(_) | Form::Stream => {
                if let Some(last) = self.lines.finish() {
                    self.line(&last, &mut deltas);
                }
            }
        }
        self.answer.into_decoded(self.stray.as_deref())
    }

    fn read_lines(&mut self, bytes: &[u8], deltas: &mut Vec<Delta>) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.push(bytes, |line| self.line(line, deltas));
        if self.answer.error.is_none() {
            self.answer.error = Bound::Line.check(lines.buffered() + self.pending.len());
        }
        self.lines = lines;
    }

    fn line(&mut self, line: &[u8], deltas: &mut Vec<Delta>) {
        if self.is_over() {
            return;
        }
        let field = match self.format.framing {
            Framing::Events => Field::of(line),
            Framing::Lines if line.trim_ascii().is_empty() => Field::Ignored,
            Framing::Lines => Field::Data(line),
        };
        match field {
            Field::Data(payload) => self.payload(&String::from_utf8_lossy(payload), deltas),
            Field::Event(name) => self.error_event = name == b"error",
            Field::Blank => {
                self.error_event = false;
                if !self.pending.is_empty() {
                    self.record_garbage();
                }
            }
            Field::Ignored => {}
            Field::Stray(line) => self.stray(&String::from_utf8_lossy(line), deltas),
        }
    }

    /// Parses a payload as soon as its JSON is complete, without waiting for the blank line that ends the event.
    fn payload(&mut self, mut payload: &str, deltas: &mut Vec<Delta>) {
        // Some gateways wrap another server's `data:` lines in `data:` lines, so the prefix can be repeated.
        while let Some(inner) = payload.trim_start().strip_prefix("data:") {
            payload = inner;
        }
        let alone = payload.trim();
        if self.pending.is_empty() {
            if is_done(alone) {
                self.answer.done = true;
                self.answer.begun = true;
                return;
            }
            if alone.is_empty() || is_keep_alive(alone) {
                return;
            }
        }
        let joined;
        let whole = if self.pending.is_empty() {
            payload
        } else {
            joined = format!("{}\n{payload}", self.pending);
            &joined
        };
        match (self.format.read)(whole) {
            Ok(_) if self.error_event => self.record_error(whole),
            Ok(chunks) => {
                for chunk in chunks {
                    self.answer.take(chunk, deltas);
                }
                self.pending.clear();
            }
            Err(error) if error.is_eof() => self.pending = whole.to_owned(),
            Err(_) if self.error_event => self.record_error(whole),
            Err(_) => {
                whole.clone_into(&mut self.pending);
                self.record_garbage();
            }
        }
    }

    fn record_error(&mut self, payload: &str) {
        let error = serde_json::from_str(payload)
            .ok()
            .and_then(|value| cause::from_object(&value));
        let plain = || ProviderError::new(Kind::Server(Curable::Perhaps), cause::one_line(payload));
        self.answer.error = Some(error.unwrap_or_else(plain));
    }

    fn record_garbage(&mut self) {
        let payload = std::mem::take(&mut self.pending);
        if self.is_finished() || "[DONE]".starts_with(payload.trim()) {
            // The answer had already ended, or the connection closed in the middle of `[DONE]`. Neither is an error.
            return;
        }
        let start: String = payload.chars().take(80).collect();
        self.answer.error = Some(ProviderError::new(
            Kind::Garbage,
            format!("`{}`", cause::one_line(&start)),
        ));
    }

    /// Processes a line that is not valid in an event stream: an error, or a chunk without the prefix `data:`.
    fn stray(&mut self, line: &str, deltas: &mut Vec<Delta>) {
        if is_done(line.trim()) {
            self.answer.done = true;
            return;
        }
        // llama.cpp before 2025 sent errors in a field named `error` instead of `data`.
        let (field, payload) = line
            .strip_prefix("error:")
            .map_or(("", line), |rest| ("error", rest.trim()));
        let chunks = match payload.trim_start().starts_with('{') {
            true => (self.format.read)(payload).unwrap_or_default(),
            false => Vec::new(),
        };
        if field == "error" {
            return self.record_error(payload);
        }
        let understood = chunks.iter().any(|chunk| *chunk != Chunk::default());
        if !understood {
            self.stray.get_or_insert_with(|| cause::one_line(line));
        }
        let begun = self.answer.begun;
        for chunk in chunks {
            self.answer.take(chunk, deltas);
        }
        if let Some(error) = &mut self.answer.error
            && begun
        {
            // If an answer has begun, the stream is incomplete, and the line's text explains why.
            error.kind = Kind::StreamEndedEarly;
        }
    }

    fn read_document(&mut self, body: &[u8], deltas: &mut Vec<Delta>) {
        if self.answer.error.is_some() {
            return;
        }
        if !(200..300).contains(&self.status) {
            self.answer.error = Some(cause::from_response(self.status, body, self.retry_after));
            return;
        }
        if cause::is_compressed(body) {
            self.answer.error = Some(ProviderError::new(Kind::NotAnApi, cause::COMPRESSED).with_status(self.status));
            return;
        }
        let text = String::from_utf8_lossy(body);
        let text = text.trim_start_matches('\u{feff}').trim();
        if let Some(title) = cause::page_title(text) {
            self.answer.error = Some(ProviderError::new(Kind::NotAnApi, title).with_status(self.status));
            return;
        }
        match (self.format.read)(text) {
            Ok(chunks) => {
                for chunk in chunks {
                    self.answer.take(chunk, deltas);
                }
                // A complete JSON document is a complete answer, even without a finish reason.
                self.answer.done |= self.answer.begun;
                if !self.answer.begun {
                    self.stray = Some(cause::one_line(text));
                }
            }
            Err(error) if error.is_eof() => self.answer.begun = true,
            // The body has one JSON object on each line, or an object followed by events.
            Err(_) => {
                let mut lines = Lines::default();
                lines.push(text.as_bytes(), |line| self.line(line, deltas));
                if let Some(last) = lines.finish() {
                    self.line(&last, deltas);
                }
            }
        }
    }
}

enum BodyForm {
    Stream,
    Document,
}

/// Detects the form of a body by its first byte that is not whitespace.
fn detect_form(held: &[u8], framing: Framing) -> Option<BodyForm> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if held.len() < MARK.len() && MARK.starts_with(held) {
        return None;
    }
    let rest = held.strip_prefix(MARK).unwrap_or(held);
    match *rest.iter().find(|byte| !byte.is_ascii_whitespace())? {
        b'{' | b'[' if framing == Framing::Lines => Some(BodyForm::Stream),
        b'{' | b'[' | b'<' | cause::COMPRESSED_MARK => Some(BodyForm::Document),
        _ => Some(BodyForm::Stream),
    }
}

fn is_done(payload: &str) -> bool {
    let word = payload.trim_matches('"');
    word.eq_ignore_ascii_case("[DONE]") || word == "DONE"
}

fn is_keep_alive(payload: &str) -> bool {
    payload.starts_with(':')
        || ["ping", "keep-alive", "keepalive", "heartbeat"]
            .iter()
            .any(|word| payload.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
