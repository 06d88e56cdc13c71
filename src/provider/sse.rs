//! Server-sent events from bytes as they arrive: lines first, then the field a line holds.
//!
//! Knows the wire format only. Payloads are not joined here: a reader that knows what a payload is decides when it
//! is whole, so that nothing waits for the blank line behind it.

/// Cuts a byte stream into lines at LF, CR or CRLF. Nothing else ends a line, U+2028 in particular does not.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// A line whose end has not arrived.
    partial: Vec<u8>,
    /// The last byte was a CR; an LF that follows belongs to it.
    after_cr: bool,
    /// Whether the first line was read; only that one can start with a byte order mark.
    begun: bool,
}

/// What one line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field<'a> {
    Data(&'a [u8]),
    Event(&'a [u8]),
    /// The end of an event.
    Blank,
    /// A comment (keep-alive) or a field that does not concern us.
    Ignored,
    /// A line that is no field of the format: something else writes into this stream.
    Stray(&'a [u8]),
}

impl Lines {
    /// Hands every line that ends within `bytes` to `each`, without its end.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(&[u8])) {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_cr)
                && let Some(rest) = bytes.strip_prefix(b"\n")
            {
                bytes = rest;
                continue;
            }
            let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.partial.extend_from_slice(bytes);
                return;
            };
            let (head, tail) = bytes.split_at(end);
            self.after_cr = tail.first() == Some(&b'\r');
            bytes = tail.get(1..).unwrap_or_default();
            if self.partial.is_empty() {
                each(self.without_mark(head));
            } else {
                let mut line = std::mem::take(&mut self.partial);
                line.extend_from_slice(head);
                each(self.without_mark(&line));
                line.clear();
                self.partial = line;
            }
        }
    }

    /// The bytes of the line whose end has not arrived.
    pub(crate) fn held(&self) -> usize {
        self.partial.len()
    }

    /// The line that the end of the stream cut off, if there is one.
    pub(crate) fn finish(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.partial);
        let line = self.without_mark(&line).to_vec();
        (!line.is_empty()).then_some(line)
    }

    fn without_mark<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        if std::mem::replace(&mut self.begun, true) {
            return line;
        }
        line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
    }
}

impl<'a> Field<'a> {
    pub(crate) fn of(line: &'a [u8]) -> Self {
        if line.is_empty() {
            return Self::Blank;
        }
        // Indented lines and the padding some proxies flush their buffers with.
        let line = match line.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\0')) {
            Some(start) => line.get(start..).unwrap_or_default(),
            None => return Self::Ignored,
        };
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => {
                let (name, rest) = line.split_at(colon);
                let value = rest.get(1..).unwrap_or_default();
                (name, value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &b""[..]),
        };
        match name {
            b"data" => Self::Data(value),
            b"event" => Self::Event(value),
            b"" | b"id" | b"retry" => Self::Ignored,
            _ => Self::Stray(line),
        }
    }
}

#[cfg(test)]
mod tests;
