//! Reads image dimensions from headers, and checks that the data is complete. Decodes no pixels.

use super::ImageKind;

pub(super) fn sides(kind: ImageKind, bytes: &[u8]) -> Option<(u32, u32)> {
    match kind {
        ImageKind::Png => png(bytes),
        ImageKind::Jpeg => jpeg(bytes),
        ImageKind::Gif => gif(bytes),
        ImageKind::Webp => webp(bytes),
    }
}

/// Parses PNG: chunks with a 4-byte length, 4-byte name, data and 4-byte checksum. The first chunk is `IHDR`, the last
/// is `IEND`, and image data is between them.
fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let (mut rest, mut sides, mut has_data) = (bytes.get(8..)?, None, false);
    loop {
        let len = usize::try_from(be32(rest, 0)?).ok()?;
        let name = rest.get(4..8)?;
        let data = rest.get(8..len.checked_add(8)?)?;
        let sum = be32(rest, len.checked_add(8)?)?;
        match (name, sides) {
            (b"IHDR", None) if len == 13 && sum == crc(name, data) => sides = Some((be32(data, 0)?, be32(data, 4)?)),
            (_, None) | (b"IHDR", Some(_)) => return None,
            (b"IDAT", Some(_)) => has_data |= len > 0,
            (b"IEND", Some(sides)) => return has_data.then_some(sides),
            (_, Some(_)) => {}
        }
        rest = rest.get(len.checked_add(12)?..)?;
    }
}

fn crc(name: &[u8], data: &[u8]) -> u32 {
    let bit = |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
    let byte = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), bit);
    !name.iter().chain(data).fold(u32::MAX, byte)
}

/// Parses JPEG: segments of a marker and usually a 2-byte length. A frame segment has the dimensions. Image data
/// follows the scan segment, up to the end marker.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let (mut rest, mut sides) = (bytes.get(2..)?, None);
    loop {
        let (0xff, marker) = (*rest.first()?, *rest.get(1)?) else {
            return None;
        };
        let len = match marker {
            // Fill bytes, and markers without data.
            0xff => 1,
            0x01 | 0xd0..=0xd8 => 2,
            0xd9 => return None,
            _ => usize::from(be16(rest, 2)?) + 2,
        };
        let segment = rest.get(..len)?;
        match marker {
            0xc4 | 0xc8 | 0xcc => {}
            0xc0..=0xcf => sides = Some((u32::from(be16(segment, 7)?), u32::from(be16(segment, 5)?))),
            0xda => {
                let ends = rest.get(len..)?.windows(2).rev().any(|two| two == [0xff, 0xd9]);
                return sides.filter(|_| ends);
            }
            _ => {}
        }
        rest = rest.get(len..)?;
    }
}

/// Parses GIF: screen descriptor, extensions, and the complete first image. Models ignore further images.
fn gif(bytes: &[u8]) -> Option<(u32, u32)> {
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let sides = (u32::from(le16(bytes, 6)?), u32::from(le16(bytes, 8)?));
    let mut rest = bytes.get(13 + table(*bytes.get(10)?)..)?;
    loop {
        match *rest.first()? {
            0x21 => rest = behind_blocks(rest.get(2..)?)?,
            0x2c => {
                let image = 10 + table(*rest.get(9)?);
                let has_data = *rest.get(image + 1)? > 0;
                behind_blocks(rest.get(image + 1..)?)?;
                return has_data.then_some(sides);
            }
            _ => return None,
        }
    }
}

fn behind_blocks(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let len = usize::from(*rest.first()?);
        rest = rest.get(len + 1..)?;
        if len == 0 {
            return Some(rest);
        }
    }
}

/// Parses WebP: a total length, then chunks with a 4-byte name and 4-byte length.
fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    let whole = usize::try_from(le32(bytes, 4)?).ok()?.checked_add(8)?;
    let bytes = bytes.get(..whole)?;
    let len = usize::try_from(le32(bytes, 16)?).ok()?;
    let (name, data) = (bytes.get(12..16)?, bytes.get(20..len.checked_add(20)?)?);
    match name {
        b"VP8 " if data.get(3..6)? == [0x9d, 0x01, 0x2a] => {
            let side = |at| Some(u32::from(le16(data, at)? & 0x3fff));
            Some((side(6)?, side(8)?))
        }
        b"VP8L" if *data.first()? == 0x2f => {
            let bits = le32(data, 1)?;
            Some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
        }
        b"VP8X" => {
            // Each dimension has three bytes. Read the height as four bytes, starting one byte earlier.
            let (width, height) = (le32(data, 4)? & 0x00ff_ffff, le32(data, 6)? >> 8);
            has_frame(bytes.get(20 + len + len % 2..)?).then_some((width + 1, height + 1))
        }
        _ => None,
    }
}

fn has_frame(mut rest: &[u8]) -> bool {
    let next = |rest: &[u8]| {
        let len = usize::try_from(le32(rest, 4)?).ok()?;
        rest.get(8..len.checked_add(8)?)?;
        Some(len)
    };
    while let Some(len) = next(rest) {
        if matches!(rest.get(..4), Some(b"VP8 " | b"VP8L" | b"ANMF")) {
            return len > 0;
        }
        rest = rest.get(8 + len + len % 2..).unwrap_or_default();
    }
    false
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    four.try_into().ok().map(u32::from_be_bytes)
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    be32(bytes, at).map(u32::swap_bytes)
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..at.checked_add(2)?)?;
    two.try_into().ok().map(u16::from_be_bytes)
}

fn le16(bytes: &[u8], at: usize) -> Option<u16> {
    be16(bytes, at).map(u16::swap_bytes)
}

#[cfg(test)]
mod tests;
