//! Reads the subject, issuer and validity of a certificate for display. Verifies nothing.

use std::cmp::Ordering;

use benchdog_base::text::reveal;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    pub subject: String,
    pub issuer: String,
    /// Start of the validity in UTC, such as `2026-11-22T21:59:24`.
    pub from: String,
    pub until: String,
    /// Whether the subject is also the issuer, as in root certificates.
    pub is_own_issuer: bool,
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT: u8 = 0x06;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const BMP_STRING: u8 = 0x1e;

/// Object identifiers of the common name, the organisation and the unit (`2.5.4.3`, `2.5.4.10`, `2.5.4.11`). The first
/// of these that a subject contains is shown as its name.
const NAMES: [&[u8]; 3] = [&[0x55, 4, 3], &[0x55, 4, 10], &[0x55, 4, 11]];

impl Certificate {
    pub fn first_day(&self) -> &str {
        day(&self.from)
    }

    pub fn last_day(&self) -> &str {
        day(&self.until)
    }

    /// Compares the time `now` with the validity period. `Equal` means that the certificate is valid.
    pub(super) fn dates(&self, now: &str) -> Ordering {
        if now < self.from.as_str() {
            Ordering::Less
        } else if now > self.until.as_str() {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }

    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut whole = Der(Der(bytes).next_of(SEQUENCE)?);
        let mut body = Der(whole.next_of(SEQUENCE)?);
        let (first, _) = body.next()?;
        if first == VERSION {
            // Skip the serial number, which follows the version.
            body.next()?;
        }
        // Skip the signature algorithm.
        body.next()?;
        let issuer = body.next_of(SEQUENCE)?;
        let mut validity = Der(body.next_of(SEQUENCE)?);
        let subject = body.next_of(SEQUENCE)?;
        Some(Self {
            subject: name(subject),
            issuer: name(issuer),
            from: instant(validity.next()?)?,
            until: instant(validity.next()?)?,
            is_own_issuer: issuer == subject,
        })
    }
}

fn day(instant: &str) -> &str {
    instant.split_once('T').map_or(instant, |(day, _)| day)
}

fn name(parts: &[u8]) -> String {
    let mut found = [const { None }; NAMES.len()];
    let mut sets = Der(parts);
    while let Some(set) = sets.next_of(SET) {
        let mut pairs = Der(set);
        while let Some(pair) = pairs.next_of(SEQUENCE) {
            let mut pair = Der(pair);
            let (Some(kind), Some(value)) = (pair.next_of(OBJECT), pair.next()) else {
                continue;
            };
            if let Some(at) = NAMES.iter().position(|name| *name == kind) {
                found[at] = Some(text(value));
            }
        }
    }
    let said = found.into_iter().flatten().next();
    said.map_or_else(|| "?".to_owned(), |said| reveal(&said).into_owned())
}

fn text((tag, bytes): (u8, &[u8])) -> String {
    if tag == BMP_STRING {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
            .collect();
        return String::from_utf16_lossy(&units);
    }
    String::from_utf8_lossy(bytes).into_owned()
}

/// Parses `YYMMDDhhmmssZ` (years 1950 to 2049) or `YYYYMMDDhhmmssZ`.
fn instant((tag, bytes): (u8, &[u8])) -> Option<String> {
    let digits = std::str::from_utf8(bytes).ok()?.strip_suffix('Z')?;
    let digits = match tag {
        UTC_TIME => {
            let century = if digits.get(..2)?.parse::<u32>().ok()? < 50 {
                "20"
            } else {
                "19"
            };
            format!("{century}{digits}")
        }
        _ => digits.to_owned(),
    };
    if digits.len() != 14 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (year, rest) = digits.split_at_checked(4)?;
    let pairs: Vec<&str> = rest
        .as_bytes()
        .chunks(2)
        .filter_map(|pair| std::str::from_utf8(pair).ok())
        .collect();
    let (date, time) = pairs.split_at_checked(2)?;
    Some(format!("{year}-{}T{}", date.join("-"), time.join(":")))
}

struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (&length, mut rest) = rest.split_first()?;
        let mut length = usize::from(length);
        if length >= 0x80 {
            let (bytes, behind) = rest
                .split_at_checked(length - 0x80)
                .filter(|(bytes, _)| bytes.len() <= 4)?;
            length = bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
            rest = behind;
        }
        let (content, behind) = rest.split_at_checked(length)?;
        self.0 = behind;
        Some((tag, content))
    }

    fn next_of(&mut self, wanted: u8) -> Option<&'a [u8]> {
        self.next()
            .filter(|(tag, _)| *tag == wanted)
            .map(|(_, content)| content)
    }
}
