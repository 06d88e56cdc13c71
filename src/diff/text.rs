//! A text to be shown: the exact bytes, where each line lies, and a decoded line on request.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, OnceLock};

use super::lines::{between, split_end, starts};

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
#[derive(Debug, Clone)]
pub(crate) struct Text {
    bytes: Arc<[u8]>,
    /// Where each line starts, and the end of the text.
    starts: Vec<usize>,
    /// Made when it is first asked for: most texts are only compared.
    id: OnceLock<TextId>,
}

/// Tells one text from another without keeping either: its length and a hash of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TextId(usize, u64);

impl Text {
    pub(crate) fn of(bytes: Arc<[u8]>) -> Self {
        let starts = starts(&bytes);
        Self {
            bytes,
            starts,
            id: OnceLock::new(),
        }
    }

    pub(crate) fn id(&self) -> TextId {
        *self.id.get_or_init(|| {
            let mut hasher = DefaultHasher::new();
            hasher.write(&self.bytes);
            TextId(self.bytes.len(), hasher.finish())
        })
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
        between(&self.bytes, &self.starts)
    }
}
