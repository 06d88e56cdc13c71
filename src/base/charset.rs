//! Detects, decodes and encodes texts that are not UTF-8. Accepts only texts that convert back to the same bytes, so
//! that an edit changes nothing else.

use chardetng::EncodingDetector;
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252,
};

/// Maximum ratio of valid non-ASCII characters to invalid sequences, both counted as UTF-8. A file above this ratio is
/// damaged UTF-8. Any other file may have another encoding.
const FLAWED: usize = 3;
/// Number of bytes at the beginning of a file in which UTF-16 without a byte order mark is detected.
const LOOKED_AT: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    Utf16Le,
    Utf16Be,
    Latin1,
    Table(&'static Encoding),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub charset: Charset,
    /// Whether a byte order mark, the setting or enough text proves the encoding. Otherwise, it is only likely.
    pub sure: bool,
}

pub const NAMES: &[&str] = &[
    "auto",
    "gbk",
    "gb18030",
    "big5",
    "shift-jis",
    "euc-jp",
    "euc-kr",
    "utf-16le",
    "utf-16be",
    "latin-1",
    "windows-1251",
    "windows-1252",
];

impl Charset {
    pub fn from_name(word: &str) -> Option<Self> {
        Some(match word {
            "gbk" => Self::Table(GBK),
            "gb18030" => Self::Table(GB18030),
            "big5" => Self::Table(BIG5),
            "shift-jis" => Self::Table(SHIFT_JIS),
            "euc-jp" => Self::Table(EUC_JP),
            "euc-kr" => Self::Table(EUC_KR),
            "utf-16le" => Self::Utf16Le,
            "utf-16be" => Self::Utf16Be,
            "latin-1" => Self::Latin1,
            "windows-1251" => Self::Table(WINDOWS_1251),
            "windows-1252" => Self::Table(WINDOWS_1252),
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Latin1 => "ISO-8859-1",
            Self::Table(encoding) if encoding == GB18030 => "GB18030",
            Self::Table(encoding) => encoding.name(),
        }
    }

    /// Decodes the bytes. `None` if they are invalid or would not convert back.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<String> {
        let text = match self {
            Self::Utf16Le => utf16(bytes, u16::from_le_bytes)?,
            Self::Utf16Be => utf16(bytes, u16::from_be_bytes)?,
            Self::Latin1 => bytes.iter().map(|byte| char::from(*byte)).collect(),
            Self::Table(encoding) => encoding
                .decode_without_bom_handling_and_without_replacement(bytes)?
                .into_owned(),
        };
        let back = self.encode(&text).ok()?;
        (back == bytes && !text.chars().any(is_no_text)).then_some(text)
    }

    pub fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        match self {
            Self::Utf16Le => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Self::Utf16Be => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            Self::Latin1 => text
                .chars()
                .map(|c| u8::try_from(u32::from(c)).map_err(|_| c))
                .collect(),
            Self::Table(encoding) => {
                let (bytes, _, has_unmappable) = encoding.encode(text);
                if !has_unmappable {
                    return Ok(bytes.into_owned());
                }
                let mut one = [0; 4];
                let lacks = |c: &char| encoding.encode(c.encode_utf8(&mut one)).2;
                Err(text.chars().find(lacks).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let text: Result<String, _> = char::decode_utf16(pairs.iter().copied().map(unit)).collect();
    text.ok().filter(|_| odd.is_empty())
}

fn is_no_text(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1a}' | '\u{1c}'..='\u{1f}')
}

/// Returns encoding and text. `None` for UTF-8 or binary data. `preferred` is the configured encoding.
pub fn decoded(bytes: &[u8], preferred: Option<Charset>) -> Option<(Found, String)> {
    let found = |charset: Charset, sure| Some((Found { charset, sure }, charset.decode(bytes)?));
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return None,
        [0xff, 0xfe, ..] => return found(Charset::Utf16Le, true),
        [0xfe, 0xff, ..] => return found(Charset::Utf16Be, true),
        _ => {}
    }
    if let Some(charset) = preferred.filter(|charset| matches!(charset, Charset::Utf16Le | Charset::Utf16Be)) {
        let found = found(charset, true).filter(|_| bytes.contains(&0));
        if found.is_some() {
            return found;
        }
    }
    if bytes.contains(&0) {
        return bare_utf16(bytes).and_then(|charset| found(charset, true));
    }
    if std::str::from_utf8(bytes).is_ok() || is_flawed_utf8(bytes) {
        return None;
    }
    if let Some(preferred) = preferred.and_then(|charset| found(charset, true)) {
        return Some(preferred);
    }
    let mut detector = EncodingDetector::new();
    detector.feed(bytes, true);
    let (guess, sure) = detector.guess_assess(None, false);
    // If the text would not convert back from the detected encoding, try encodings with more characters.
    let others = [GB18030, WINDOWS_1252];
    let usable = |encoding: &&'static Encoding| *encoding != ISO_2022_JP && *encoding != UTF_8;
    let mut all = std::iter::once((guess, sure)).chain(others.map(|other| (other, false)));
    all.find_map(|(encoding, sure)| {
        let encoding = Some(encoding).filter(usable)?;
        found(Charset::Table(encoding), sure || (encoding == GB18030 && guess == GBK))
    })
}

fn is_flawed_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    valid > broken * FLAWED
}

/// Detects UTF-16 without a byte order mark. Chooses the byte order with more ASCII characters. `None` if they include
/// neither spaces nor line ends.
fn bare_utf16(bytes: &[u8]) -> Option<Charset> {
    let looked_at = bytes.get(..bytes.len().min(LOOKED_AT)).unwrap_or(bytes);
    let count = |unit: fn([u8; 2]) -> u16, fits: fn(u16) -> bool| {
        let (pairs, _) = looked_at.as_chunks::<2>();
        pairs.iter().filter(|pair| fits(unit(**pair))).count()
    };
    let ascii = |unit: u16| matches!(unit, 0x9 | 0xa | 0xd | 0x20..=0x7e);
    let blank = |unit: u16| matches!(unit, 0xa | 0x20);
    let (little, big) = (count(u16::from_le_bytes, ascii), count(u16::from_be_bytes, ascii));
    if little >= big {
        (count(u16::from_le_bytes, blank) > 0).then_some(Charset::Utf16Le)
    } else {
        (count(u16::from_be_bytes, blank) > 0).then_some(Charset::Utf16Be)
    }
}

#[cfg(test)]
mod tests;
