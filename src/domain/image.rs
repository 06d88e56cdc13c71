//! Images of prompts and results. They are validated on arrival, because an invalid image makes every later request
//! fail.

mod shape;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use benchdog_base::id::BlobId;

pub const MOST_BYTES: u64 = 10 << 20;

pub const MOST: usize = 8;

/// Maximum side length in pixels. Vendors refuse larger images.
pub const MOST_SIDE: u32 = 8_000;

/// Limits for the images of a request. Some vendors accept only smaller images if there are more than 20, or reject
/// requests with more than 32 MB of base64 text.
pub const MOST_TOGETHER: usize = 20;
pub const MOST_BYTES_TOGETHER: u64 = 20 << 20;

pub const TOKENS: u64 = 800;

pub type Images = BTreeMap<BlobId, Arc<[u8]>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImageKind {
    Png,
    Jpeg,
    Gif,
    Webp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    kind: ImageKind,
    bytes: Arc<[u8]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flaw {
    Broken { kind: ImageKind },
    Bytes { kind: ImageKind, bytes: u64 },
    Sides { kind: ImageKind, width: u32, height: u32 },
}

impl Picture {
    /// Detects and validates an image. `None` if the bytes do not start like an image.
    pub fn of(bytes: &Arc<[u8]>) -> Option<Result<Self, Flaw>> {
        let kind = ImageKind::of(bytes)?;
        Some(match flaw(kind, bytes) {
            None => Ok(Self {
                kind,
                bytes: Arc::clone(bytes),
            }),
            Some(flaw) => Err(flaw),
        })
    }

    pub fn kind(&self) -> ImageKind {
        self.kind
    }

    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    pub fn image(&self) -> Image {
        Image::of(self.kind, &self.bytes)
    }
}

fn flaw(kind: ImageKind, bytes: &[u8]) -> Option<Flaw> {
    let len = bytes.len() as u64;
    if len > MOST_BYTES {
        return Some(Flaw::Bytes { kind, bytes: len });
    }
    match shape::sides(kind, bytes) {
        None | Some((0, _) | (_, 0)) => Some(Flaw::Broken { kind }),
        Some((width, height)) if width.max(height) > MOST_SIDE => Some(Flaw::Sides { kind, width, height }),
        Some(_) => None,
    }
}

/// Remaining capacity for images in a request. Earlier images take precedence, because sent messages must not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    images: usize,
    bytes: u64,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            images: MOST_TOGETHER,
            bytes: MOST_BYTES_TOGETHER,
        }
    }
}

impl Room {
    /// Reserves space for an image, and returns whether it fits. Smaller images may still fit after a rejected one.
    pub fn put(&mut self, bytes: u64) -> bool {
        let left = self.bytes.checked_sub(bytes).filter(|_| self.images > 0);
        if let Some(left) = left {
            (self.images, self.bytes) = (self.images - 1, left);
        }
        left.is_some()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoImage {
    Far,
    NoTool,
    NoneThere,
    TooLarge,
    Silent,
    NotKept(String),
}

/// A logged image. Its bytes are stored as a blob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    pub kind: ImageKind,
    pub blob: BlobId,
    pub bytes: u64,
}

impl Image {
    pub fn of(kind: ImageKind, bytes: &[u8]) -> Self {
        Self {
            kind,
            blob: BlobId::of(bytes),
            bytes: bytes.len() as u64,
        }
    }
}

impl ImageKind {
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    pub fn sides(self, bytes: &[u8]) -> Option<(u32, u32)> {
        shape::sides(self, bytes).filter(|(width, height)| *width > 0 && *height > 0)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::Webp => "WebP",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }
}

#[cfg(test)]
mod tests;
