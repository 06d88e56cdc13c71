//! Images that go along with a prompt: which kinds a model is sent, told by their first bytes and never by their name.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::id::BlobId;

/// The longest that is sent.
pub(crate) const MOST_BYTES: u64 = 10 << 20;

/// What one prompt may take along.
pub(crate) const MOST: usize = 8;

/// What an image costs before a server has counted it.
pub(crate) const TOKENS: u64 = 800;

/// The bytes of the images of a request.
pub(crate) type Images = BTreeMap<BlobId, Arc<[u8]>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ImageKind {
    Png,
    Jpeg,
    Gif,
    Webp,
}

/// Why no image could be taken from the clipboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoImage {
    /// The clipboard of the person is on another machine.
    Far,
    /// No program that reads the clipboard was found.
    NoTool,
    NoneThere,
    TooLarge,
    /// Who holds the clipboard did not answer in time.
    Silent,
    /// It could not be written, for this reason.
    NotKept(String),
}

/// An image as the log names it; its bytes are stored beside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Image {
    pub(crate) kind: ImageKind,
    pub(crate) blob: BlobId,
    pub(crate) bytes: u64,
}

impl Image {
    pub(crate) fn of(kind: ImageKind, bytes: &[u8]) -> Self {
        Self {
            kind,
            blob: BlobId::of(bytes),
            bytes: bytes.len() as u64,
        }
    }
}

impl ImageKind {
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::Webp => "WebP",
        }
    }

    /// As `data:` addresses name it.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ImageKind;

    #[test]
    fn an_image_is_told_by_its_first_bytes() {
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\nrest"[..], Some(ImageKind::Png)),
            (b"\xff\xd8\xff\xe0", Some(ImageKind::Jpeg)),
            (b"GIF87a", Some(ImageKind::Gif)),
            (b"GIF89a...", Some(ImageKind::Gif)),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some(ImageKind::Webp)),
            (b"RIFF\x10\0\0\0WAVEfmt ", None),
            (b"\x89PNG", None),
            (b"GIF88a", None),
            (b"<svg/>", None),
            (b"", None),
        ] {
            assert_eq!(ImageKind::of(bytes), kind, "{bytes:?}");
        }
    }
}
