//! A text to show: its exact bytes, the starts of its lines, and lines decoded on request.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, OnceLock};

use super::lines::{between, split_end, starts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf8Bom,
    Utf16,
    /// Another encoding, such as Latin-1 or GBK: not UTF-8, and without zero bytes.
    Other,
    Binary,
}

impl Encoding {
    pub fn of(bytes: &[u8]) -> Self {
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

pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Cloning shares the bytes but copies the line starts.
#[derive(Debug, Clone)]
pub struct Text {
    bytes: Arc<[u8]>,
    starts: Vec<usize>,
    /// The hash of the text, computed on first use because most texts are only compared.
    id: OnceLock<TextId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextId(usize, u64);

impl Text {
    pub fn of(bytes: Arc<[u8]>) -> Self {
        let starts = starts(&bytes);
        Self {
            bytes,
            starts,
            id: OnceLock::new(),
        }
    }

    pub fn id(&self) -> TextId {
        *self.id.get_or_init(|| {
            let mut hasher = DefaultHasher::new();
            hasher.write(&self.bytes);
            TextId(self.bytes.len(), hasher.finish())
        })
    }

    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn line(&self, index: usize) -> &[u8] {
        match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(&start), Some(&end)) => self.bytes.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Returns a line without its line end. Shows invalid bytes as U+FFFD.
    pub fn shown(&self, index: usize) -> Cow<'_, str> {
        String::from_utf8_lossy(split_end(self.line(index)).0)
    }

    pub(crate) fn lines(&self) -> Vec<&[u8]> {
        between(&self.bytes, &self.starts)
    }
}
