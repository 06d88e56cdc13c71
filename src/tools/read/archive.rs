//! Lists the entries of ZIP, tar and gzip files from their headers, without extracting them.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use crate::size::{shorten, visible};
use benchdog_base::disk::bytes_text;
use benchdog_base::json::escaped;
use benchdog_base::text::grouped;

const MOST_ENTRIES: usize = 20_000;
/// Maximum characters of a shown entry name.
const LONGEST_NAME: usize = 1_000;
/// Maximum bytes of the list.
const MOST_TEXT: usize = 4 << 20;
/// Maximum bytes that are decompressed from a gzip file.
const MOST_UNPACKED: u64 = 256 << 20;
const BLOCK: usize = 512;
/// Maximum bytes of a tar header with a long name.
const MOST_NAME: u64 = 64 << 10;

pub(super) struct Listing {
    pub(super) kind: &'static str,
    /// One line for each entry.
    pub(super) text: String,
    pub(super) notes: Vec<String>,
    /// The reason why the list may lack entries.
    pub(super) damage: Option<String>,
    entries: usize,
}

/// Returns `None` if the bytes do not start like an archive.
pub(super) fn listed(bytes: &[u8]) -> Option<Listing> {
    let mut listing = Listing {
        kind: "ZIP archive",
        text: String::new(),
        notes: Vec::new(),
        damage: None,
        entries: 0,
    };
    let done = match bytes {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => zip(bytes, &mut listing),
        [0x1f, 0x8b, ..] => gzip(bytes, &mut listing),
        _ if is_tar(bytes) => {
            listing.kind = "tar archive";
            tar(bytes, &mut listing)
        }
        _ => return None,
    };
    if let Err(why) = done {
        listing.notes.push(format!("is listed in part: {why}"));
        listing.damage = Some(why);
    }
    Some(listing)
}

impl Listing {
    fn add(&mut self, name: &[u8], size: Option<u64>, more: &str) -> Result<(), String> {
        if self.entries == MOST_ENTRIES {
            return Err(format!("it has more than {} entries", grouped(MOST_ENTRIES as u64)));
        }
        if self.text.len() > MOST_TEXT {
            return Err(format!("its list is longer than {}", bytes_text(MOST_TEXT)));
        }
        self.entries += 1;
        let name = shown(name);
        let size = size.map(|size| bytes_text(usize::try_from(size).unwrap_or(usize::MAX)));
        self.text
            .push_str(&format!("{name}\t{}{more}\n", size.unwrap_or_default()));
        Ok(())
    }
}

/// Escapes characters that a terminal or a reader would hide.
fn shown(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    let visible: Cow<'_, str> = visible(&name);
    shorten(&escaped(&visible), LONGEST_NAME)
}

/// Reads the central directory, at the end of the file.
fn zip(bytes: &[u8], listing: &mut Listing) -> Result<(), String> {
    let damaged = || "its list of entries is damaged".to_owned();
    // A comment of at most 64 KiB follows the last record.
    let from = bytes.len().saturating_sub(22 + 0xffff);
    let tail = bytes.get(from..).unwrap_or_default();
    let end = tail
        .windows(4)
        .rposition(|four| four == b"PK\x05\x06")
        .ok_or_else(damaged)?;
    let end = tail.get(end..).unwrap_or_default();
    let mut at = match le32(end, 16).ok_or_else(damaged)? {
        // A ZIP64 archive has the offset in another record.
        u32::MAX => {
            let record = tail
                .windows(4)
                .rposition(|four| four == b"PK\x06\x06")
                .ok_or_else(damaged)?;
            let low = tail.get(record + 48..record + 56).ok_or_else(damaged)?;
            let low = u64::from_le_bytes(low.try_into().map_err(|_| damaged())?);
            usize::try_from(low).map_err(|_| damaged())?
        }
        at => at as usize,
    };
    loop {
        let record = bytes.get(at..).ok_or_else(damaged)?;
        match record.get(..4) {
            Some(b"PK\x01\x02") => {}
            Some(b"PK\x05\x06" | b"PK\x06\x06") => return Ok(()),
            _ => return Err(damaged()),
        }
        let number = |at| le16(record, at).map(usize::from).ok_or_else(damaged);
        let (name, extra, comment) = (number(28)?, number(30)?, number(32)?);
        let size = le32(record, 24).filter(|size| *size != u32::MAX).map(u64::from);
        let is_encrypted = number(8)? & 1 == 1;
        let text = record.get(46..46 + name).ok_or_else(damaged)?;
        let size = size.filter(|_| !text.ends_with(b"/"));
        listing.add(text, size, if is_encrypted { ", encrypted" } else { "" })?;
        at += 46 + name + extra + comment;
    }
}

fn gzip(bytes: &[u8], listing: &mut Listing) -> Result<(), String> {
    let unpacked = || MultiGzDecoder::new(bytes).take(MOST_UNPACKED);
    let mut first = [0; BLOCK];
    let read = filled(&mut unpacked(), &mut first).map_err(|error| error.to_string());
    if read
        .as_ref()
        .is_ok_and(|read| is_tar(first.get(..*read).unwrap_or_default()))
    {
        listing.kind = "tar archive, packed with gzip";
        return tar(unpacked(), listing);
    }
    listing.kind = "file, packed with gzip";
    read?;
    let size = io::copy(&mut unpacked(), &mut io::sink()).map_err(|error| error.to_string())?;
    let decoder = MultiGzDecoder::new(bytes);
    let name = decoder
        .header()
        .and_then(|header| header.filename())
        .unwrap_or(b"(no name)")
        .to_vec();
    listing.add(&name, Some(size), "")?;
    match size {
        MOST_UNPACKED => Err(format!("only {} were unpacked", bytes_text(MOST_UNPACKED as usize))),
        _ => Ok(()),
    }
}

fn is_tar(block: &[u8]) -> bool {
    let Some(block) = block.get(..BLOCK) else { return false };
    let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
    // In the checksum, the bytes of the checksum field count as spaces.
    let field: u64 = block.iter().skip(148).take(8).map(|byte| u64::from(*byte)).sum();
    number(block, 148, 8) == Some(sum - field + 8 * u64::from(b' '))
}

fn tar(mut from: impl Read, listing: &mut Listing) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    let mut long_name = None;
    loop {
        let mut block = [0; BLOCK];
        let read = filled(&mut from, &mut block).map_err(told)?;
        if block.iter().all(|byte| *byte == 0) {
            return if read == 0 && listing.entries == 0 {
                Err("it is empty".to_owned())
            } else {
                Ok(())
            };
        }
        if read < BLOCK || !is_tar(&block) {
            return Err("it is damaged or incomplete".to_owned());
        }
        let size = number(&block, 124, 12).ok_or("a size is damaged")?;
        let padded = size.checked_next_multiple_of(BLOCK as u64).ok_or("a size is damaged")?;
        let kind = block.get(156).copied().unwrap_or_default();
        match kind {
            // An extra header before the entry's header holds a name that is too long.
            b'L' | b'x' if size <= MOST_NAME => {
                let mut data = vec![0; usize::try_from(padded).unwrap_or(0)];
                from.read_exact(&mut data).map_err(told)?;
                data.truncate(usize::try_from(size).unwrap_or(0));
                long_name = if kind == b'L' {
                    Some(until_zero(&data).to_vec())
                } else {
                    pax_path(&data)
                };
                continue;
            }
            b'L' | b'x' | b'g' | b'K' => {}
            _ => {
                let name = long_name.take().unwrap_or_else(|| ustar_name(&block));
                let target = shown(until_zero(block.get(157..257).unwrap_or_default()));
                let (size, more) = match kind {
                    b'5' => (None, String::new()),
                    b'1' | b'2' => (None, format!("link to {target}")),
                    b'3' | b'4' | b'6' => (None, "device".to_owned()),
                    _ => (Some(size), String::new()),
                };
                listing.add(&name, size, &more)?;
            }
        }
        let skipped = io::copy(&mut from.by_ref().take(padded), &mut io::sink()).map_err(told)?;
        if skipped < size {
            let most = bytes_text(MOST_UNPACKED as usize);
            return Err(format!("it is incomplete, or larger than {most}"));
        }
    }
}

fn ustar_name(block: &[u8]) -> Vec<u8> {
    let name = until_zero(block.get(..100).unwrap_or_default());
    let prefix = match block.get(257..263) {
        Some(b"ustar\0") => until_zero(block.get(345..500).unwrap_or_default()),
        _ => &[],
    };
    if prefix.is_empty() {
        name.to_vec()
    } else {
        [prefix, b"/", name].concat()
    }
}

/// Finds the path in pax records, such as `18 path=some/name\n`.
fn pax_path(data: &[u8]) -> Option<Vec<u8>> {
    let mut rest = data;
    loop {
        let space = rest.iter().position(|byte| *byte == b' ')?;
        let len: usize = str::from_utf8(rest.get(..space)?).ok()?.parse().ok()?;
        let record = rest.get(space + 1..len)?;
        if let Some(path) = record.strip_prefix(b"path=") {
            return Some(path.strip_suffix(b"\n").unwrap_or(path).to_vec());
        }
        rest = rest.get(len..)?;
    }
}

/// Reads a number in octal, or in base 256 if the first bit is set.
fn number(block: &[u8], at: usize, len: usize) -> Option<u64> {
    let field = block.get(at..at + len)?;
    if field.first()? & 0x80 != 0 {
        let low = field.get(len.checked_sub(8)?..)?;
        return Some(u64::from_be_bytes(low.try_into().ok()?));
    }
    let text = str::from_utf8(until_zero(field)).ok()?.trim();
    if text.is_empty() {
        return Some(0);
    }
    u64::from_str_radix(text, 8).ok()
}

fn until_zero(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Reads until the buffer is full or the input ends, and returns the number of bytes.
fn filled(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while let Some(rest) = buffer.get_mut(read..).filter(|rest| !rest.is_empty()) {
        match from.read(rest)? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}

fn le16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
