//! `benchdog read-image`: the process that decodes an image and writes it as PNG. The process gives up its rights
//! before it reads the first byte of the image.

use std::ffi::OsString;
use std::io::Cursor;
use std::process::ExitCode;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use serde::{Deserialize, Serialize};

use crate::read::sealed::{MOST_SECONDS, input, say};
use benchdog_base::panics::caught;
use benchdog_children::confined::{Bounds, seal};
use benchdog_domain::image::MOST_SIDE;

/// The hidden command, which `main` checks before anything else.
pub const READ_IMAGE: &str = "read-image";

/// Limits of the process in bytes. `mapped` includes about 100 MB of the program itself. `own` must hold the pixels and
/// their scaled copy.
const BOUNDS: Bounds = Bounds {
    mapped: 560 << 20,
    own: 320 << 20,
    cpu_seconds: MOST_SECONDS,
};

/// Maximum bytes that the decoder may allocate, enough for 32 million pixels of four bytes.
const MOST_PIXELS: u64 = 128 << 20;

/// Maximum width and height in pixels of the sent image. Larger images are scaled down, as model providers would do.
const SENT_SIDE: u32 = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::read) enum Format {
    Bmp,
    Ico,
    Tiff,
}

/// Task of the process: decode the image on standard input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) len: usize,
    pub(super) format: Format,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    Png {
        /// The PNG image as base64.
        png: String,
        /// Width and height of the original image.
        width: u32,
        height: u32,
    },
    Failed(String),
    /// The process could not give up its rights, so it read nothing.
    Unsealed(String),
}

impl Format {
    pub(in crate::read) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'I', b'I', b'*', 0, ..] | [b'M', b'M', 0, b'*', ..] => Some(Self::Tiff),
            // In a BMP header, the reserved fields are zero.
            [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => Some(Self::Bmp),
            // An ICO file has at least one image, and the reserved byte of the image's entry is zero.
            [0, 0, 1, 0, count, 0, _, _, _, 0, ..] if *count > 0 => Some(Self::Ico),
            _ => None,
        }
    }

    pub(in crate::read) fn name(self) -> &'static str {
        match self {
            Self::Bmp => "a BMP image",
            Self::Ico => "an icon (ICO)",
            Self::Tiff => "a TIFF image",
        }
    }

    fn of_decoder(self) -> ImageFormat {
        match self {
            Self::Bmp => ImageFormat::Bmp,
            Self::Ico => ImageFormat::Ico,
            Self::Tiff => ImageFormat::Tiff,
        }
    }
}

pub fn read_image(arguments: &[OsString]) -> ExitCode {
    let order = arguments.first().and_then(|order| order.to_str());
    let Some(order) = order.and_then(|order| serde_json::from_str::<Order>(order).ok()) else {
        return ExitCode::from(2);
    };
    let done = match seal(&BOUNDS) {
        Err(error) => say(&Answer::Unsealed(error.to_string())),
        Ok(()) => input(order.len).and_then(|bytes| say(&converted(bytes, order.format))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Writing fails if the parent process no longer reads the answer.
        Err(_) => ExitCode::FAILURE,
    }
}

pub(super) fn converted(bytes: Vec<u8>, format: Format) -> Answer {
    let broken = || Answer::Failed("its structure is broken".to_owned());
    caught(|| to_png(bytes, format).unwrap_or_else(|error| Answer::Failed(error.to_string()))).unwrap_or_else(broken)
}

fn to_png(bytes: Vec<u8>, format: Format) -> image::ImageResult<Answer> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_SIDE);
    limits.max_image_height = Some(MOST_SIDE);
    limits.max_alloc = Some(MOST_PIXELS);
    let (bytes, decoder) = match png_of_icon(&bytes).filter(|_| format == Format::Ico) {
        Some(png) => (png.to_vec(), ImageFormat::Png),
        None => (bytes, format.of_decoder()),
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), decoder);
    reader.limits(limits);
    let image = reader.decode()?;
    let (width, height) = (image.width(), image.height());
    let image = match width.max(height) > SENT_SIDE {
        true => image.thumbnail(SENT_SIDE, SENT_SIDE),
        false => image,
    };
    // PNG has no floating-point colours.
    let image = DynamicImage::ImageRgba8(image.into_rgba8());
    let mut png = Vec::new();
    image.write_to(&mut Cursor::new(&mut png), ImageFormat::Png)?;
    Ok(Answer::Png {
        png: STANDARD.encode(png),
        width,
        height,
    })
}

/// Returns the largest image of an icon, if that image is PNG. The ICO decoder would reject a PNG image without alpha.
fn png_of_icon(bytes: &[u8]) -> Option<&[u8]> {
    let number = |entry: &[u8], at: usize| {
        let four: [u8; 4] = entry.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(four)).ok()
    };
    // A side of 256 pixels is written as 0.
    let side = |entry: &[u8], at: usize| entry.get(at).map_or(0, |side| u32::from(side.wrapping_sub(1)) + 1);
    let count = usize::from(*bytes.get(4)?);
    let entries = bytes.get(6..)?.chunks_exact(16).take(count);
    let largest = entries.max_by_key(|entry| side(entry, 0) * side(entry, 1))?;
    let (length, from) = (number(largest, 8)?, number(largest, 12)?);
    let image = bytes.get(from..from.checked_add(length)?)?;
    image.starts_with(b"\x89PNG\r\n\x1a\n").then_some(image)
}

pub(super) fn decoded(png: &str) -> Option<Vec<u8>> {
    STANDARD.decode(png).ok()
}
