//! A text to be shown: the exact bytes, where each line lies, and a decoded line on request.

use std::borrow::Cow;
use std::sync::Arc;

use super::lines::split_end;
use crate::base::text::newlines;

/// What the bytes of a file are, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf8Bom,
    Utf16,
    /// Text in another encoding (Latin-1, GBK …): no zero byte, not valid UTF-8.
    Other,
    Binary,
}

impl Encoding {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            Self::Utf16
        } else if bytes.contains(&0) {
            Self::Binary
        } else if std::str::from_utf8(bytes).is_err() {
            Self::Other
        } else if bytes.starts_with(BOM) {
            Self::Utf8Bom
        } else {
            Self::Utf8
        }
    }
}

/// The mark some programs put before UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Bytes with their lines found. Cheap to clone but for the table of line starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    bytes: Arc<[u8]>,
    /// Where each line starts, and the end of the text.
    starts: Vec<usize>,
}

impl Text {
    pub(crate) fn of(bytes: Arc<[u8]>) -> Self {
        let mut starts = Vec::with_capacity(2 + newlines(&bytes));
        starts.push(0);
        let (words, rest) = bytes.as_chunks::<8>();
        for (word, at) in words.iter().zip((0..).step_by(8)) {
            let mut ends = line_ends(u64::from_le_bytes(*word));
            while ends != 0 {
                starts.push(at + ends.trailing_zeros() as usize / 8 + 1);
                ends &= ends - 1;
            }
        }
        let behind = bytes.len() - rest.len();
        let ends = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        starts.extend(ends.map(|(at, _)| behind + at + 1));
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        Self { bytes, starts }
    }

    /// Exactly what was put in.
    pub(crate) fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// The number of lines.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// A line with its end, by its 0-based number; empty past the last.
    pub(crate) fn line(&self, index: usize) -> &[u8] {
        match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(&start), Some(&end)) => self.bytes.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }

    /// A line as it is shown: without its end, every byte that is no UTF-8 as U+FFFD.
    pub(crate) fn shown(&self, index: usize) -> Cow<'_, str> {
        String::from_utf8_lossy(split_end(self.line(index)).0)
    }

    /// All lines, each with its end.
    pub(crate) fn lines(&self) -> Vec<&[u8]> {
        (0..self.len()).map(|index| self.line(index)).collect()
    }
}

/// The highest bit of each byte that is a line end.
fn line_ends(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differs = word ^ 0x0a0a_0a0a_0a0a_0a0a;
    !(((differs & LOW) + LOW) | differs | LOW)
}
