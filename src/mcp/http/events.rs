//! Parses server-sent events line by line. An event has the size limit of a message.

use std::collections::VecDeque;

use sse_stream::Sse;

use crate::limits::MOST_MESSAGE;
use benchdog_provider::sse::Lines;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

#[derive(Default)]
pub(super) struct Events {
    lines: Lines,
    open: Open,
    ready: VecDeque<Sse>,
}

#[derive(Default)]
struct Open {
    event: Sse,
    size: usize,
}

impl Events {
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        let Self { lines, open, ready } = self;
        lines.push(bytes, |line| ready.extend(open.line(line)));
        if lines.buffered() + open.size > MOST_MESSAGE {
            return Err(TooLong);
        }
        Ok(())
    }

    pub(super) fn next(&mut self) -> Option<Sse> {
        self.ready.pop_front()
    }
}

impl Open {
    fn line(&mut self, line: &[u8]) -> Option<Sse> {
        if line.is_empty() {
            self.size = 0;
            return Some(std::mem::take(&mut self.event)).filter(|event| *event != Sse::default());
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (name, rest) = line.split_at(colon);
        let value = rest.get(1..).unwrap_or_default();
        let value = String::from_utf8_lossy(value.strip_prefix(b" ").unwrap_or(value));
        match name {
            b"data" => {
                self.size += line.len();
                match &mut self.event.data {
                    Some(data) => {
                        data.push('\n');
                        data.push_str(&value);
                    }
                    None => self.event.data = Some(value.into_owned()),
                }
            }
            b"event" => self.event.event = Some(value.into_owned()),
            b"id" if !value.contains('\0') => self.event.id = Some(value.into_owned()),
            b"retry" => self.event.retry = value.parse().ok(),
            // Comments only keep the connection alive.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests;
