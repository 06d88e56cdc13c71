//! Splits server-sent events into lines and fields. The caller joins the fields, because only the caller knows when a
//! payload is complete.

/// Splits a byte stream into lines at LF, CR or CRLF. Other separators, such as U+2028, do not end a line.
#[derive(Debug, Default)]
pub struct Lines {
    partial: Vec<u8>,
    /// Whether the last byte was a CR. A following LF belongs to the same line end.
    after_cr: bool,
    /// Whether the first line was read. Only the first line can begin with a byte order mark.
    begun: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field<'a> {
    Data(&'a [u8]),
    Event(&'a [u8]),
    Blank,
    /// A comment, such as a keep-alive message, or a field that is not used.
    Ignored,
    Stray(&'a [u8]),
}

impl Lines {
    pub fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(&[u8])) {
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
                each(self.strip_bom(head));
            } else {
                let mut line = std::mem::take(&mut self.partial);
                line.extend_from_slice(head);
                each(self.strip_bom(&line));
                line.clear();
                self.partial = line;
            }
        }
    }

    pub fn buffered(&self) -> usize {
        self.partial.len()
    }

    pub(crate) fn finish(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.partial);
        let line = self.strip_bom(&line).to_vec();
        (!line.is_empty()).then_some(line)
    }

    fn strip_bom<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
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
        // Some proxies indent lines, or pad them to make a buffer flush.
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
