//! Parses server-sent events by line, limited to the maximum message size.

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
        if lines.held() + open.size > MOST_MESSAGE {
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
            // Comments keep the connection alive. Other fields are ignored.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&str]) -> Vec<Sse> {
        let mut events = Events::default();
        for piece in pieces {
            events.push(piece.as_bytes()).unwrap();
        }
        std::iter::from_fn(|| events.next()).collect()
    }

    #[test]
    fn an_event_is_whole_at_its_blank_line_however_it_was_cut() {
        let whole = ": hello\nid: 7\nretry: 20\ndata: {\"a\":\ndata:1}\r\n\r\ndata: x\n\n";
        let expected = vec![
            Sse::default().id("7").retry(20).data("{\"a\":\n1}"),
            Sse::default().data("x"),
        ];
        assert_eq!(read(&[whole]), expected);
        for at in 1..whole.len() {
            let (first, rest) = whole.split_at(at);
            assert_eq!(read(&[first, rest]), expected, "{at}");
        }
        assert!(read(&["data: cut"]).is_empty(), "what has no end counts as nothing");
    }

    #[test]
    fn an_event_without_end_is_left_whether_in_one_line_or_in_many() {
        let much = "x".repeat(1 << 20);
        for piece in [much.clone(), format!("data: {much}\n")] {
            let mut events = Events::default();
            let taken = (0..100).take_while(|_| events.push(piece.as_bytes()).is_ok()).count();
            assert!((14..=16).contains(&taken), "{taken}");
        }
    }
}
