//! Finds the end of a value with brackets and strings. Scans no byte twice.

const DEEPEST: usize = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// JSON, or the same values with Python's quotes and literals.
    Json,
    /// Calls in Python syntax, such as `read(path="x")`.
    Python,
}

#[derive(Debug)]
pub(super) struct Span {
    notation: Notation,
    /// The closing bytes of the open brackets, outermost first.
    open: Vec<u8>,
    quote: Option<u8>,
    escaped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanState {
    More,
    End(usize),
    Bad(usize),
}

impl Span {
    pub(super) fn new(notation: Notation) -> Self {
        Self {
            notation,
            open: Vec::new(),
            quote: None,
            escaped: false,
        }
    }

    pub(super) fn read(&mut self, bytes: &[u8], at: usize) -> SpanState {
        let reached = self.scan(bytes, at);
        let end = match reached {
            SpanState::More => bytes.len(),
            SpanState::End(end) | SpanState::Bad(end) => end,
        };
        super::spent(end.saturating_sub(at));
        reached
    }

    fn scan(&mut self, bytes: &[u8], at: usize) -> SpanState {
        for (index, &byte) in bytes.iter().enumerate().skip(at) {
            if let Some(quote) = self.quote {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    _ if byte == quote => self.quote = None,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' | b'\'' => self.quote = Some(byte),
                b'{' => self.open.push(b'}'),
                b'[' => self.open.push(b']'),
                b'(' if self.notation == Notation::Python => self.open.push(b')'),
                b'}' | b']' | b')' => {
                    if self.open.pop() != Some(byte) {
                        return SpanState::Bad(index);
                    }
                    if self.open.is_empty() {
                        return SpanState::End(index + 1);
                    }
                }
                _ if self.fits(byte) => {}
                _ => return SpanState::Bad(index),
            }
            if self.open.len() > DEEPEST {
                return SpanState::Bad(index);
            }
        }
        SpanState::More
    }

    fn fits(&self, byte: u8) -> bool {
        let plain = byte.is_ascii_alphanumeric()
            || byte.is_ascii_whitespace()
            || matches!(byte, b'_' | b'+' | b'-' | b'.' | b':' | b',');
        plain || (self.notation == Notation::Python && byte == b'=')
    }

    pub(super) fn missing(&self) -> Option<usize> {
        self.quote.is_none().then_some(self.open.len())
    }
}
