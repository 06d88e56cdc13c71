//! What a person wants to know of a certificate: whose it is, who vouches for it, until when. Nothing here is proof of anything.

use crate::base::text::reveal;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Certificate {
    pub(crate) subject: String,
    pub(crate) issuer: String,
    /// Days, as `2026-11-22`.
    pub(crate) from: String,
    pub(crate) until: String,
    /// Whether it vouches for itself, as those at the top of a chain do.
    pub(crate) is_own_issuer: bool,
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT: u8 = 0x06;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const BMP_STRING: u8 = 0x1e;

/// `2.5.4.3`, `2.5.4.10` and `2.5.4.11`: the common name, the organisation, its unit, as the one that says most comes first.
const NAMES: [&[u8]; 3] = [&[0x55, 4, 3], &[0x55, 4, 10], &[0x55, 4, 11]];

impl Certificate {
    /// `None`: it is not built like one.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut whole = Der(Der(bytes).next_of(SEQUENCE)?);
        let mut body = Der(whole.next_of(SEQUENCE)?);
        let (first, _) = body.next()?;
        if first == VERSION {
            // The serial number.
            body.next()?;
        }
        // The algorithm of the signature.
        body.next()?;
        let issuer = body.next_of(SEQUENCE)?;
        let mut validity = Der(body.next_of(SEQUENCE)?);
        let subject = body.next_of(SEQUENCE)?;
        Some(Self {
            subject: name(subject),
            issuer: name(issuer),
            from: day(validity.next()?)?,
            until: day(validity.next()?)?,
            is_own_issuer: issuer == subject,
        })
    }
}

/// The common name, or what else names somebody.
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

/// `YYMMDD…`, whose years go from 1950 to 2049, or `YYYYMMDD…`.
fn day((tag, bytes): (u8, &[u8])) -> Option<String> {
    let digits = std::str::from_utf8(bytes).ok()?;
    let (year, rest) = if tag == UTC_TIME {
        let (year, rest) = digits.split_at_checked(2)?;
        let century = if year.parse::<u32>().ok()? < 50 { "20" } else { "19" };
        (format!("{century}{year}"), rest)
    } else {
        let (year, rest) = digits.split_at_checked(4)?;
        (year.to_owned(), rest)
    };
    let (month, rest) = rest.split_at_checked(2)?;
    let (day, _) = rest.split_at_checked(2)?;
    let are_digits = [&year, month, day]
        .iter()
        .all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    are_digits.then(|| format!("{year}-{month}-{day}"))
}

/// Values in DER, one behind another.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// The tag and the content of the next value.
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
