//! The bytes of a file as text: UTF-8, UTF-16 where a mark begins it, and what is special about it in words.

use std::borrow::Cow;

/// A text without its byte order mark, and what is said of its bytes.
pub(super) struct Decoded<'b> {
    pub(super) text: Cow<'b, str>,
    pub(super) notes: Vec<&'static str>,
}

/// `None`: the bytes are no text.
pub(super) fn decoded(bytes: &[u8]) -> Option<Decoded<'_>> {
    let Decoded { text, mut notes } = match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return None,
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        _ if bytes.iter().take(8192).any(|byte| *byte == 0) => return None,
        _ => utf8(bytes),
    };
    if text.contains("\r\n") {
        notes.push("has CRLF line ends, which are not shown");
    }
    if !text.is_empty() && !text.ends_with('\n') {
        notes.push("has no line end after its last line");
    }
    Some(Decoded { text, notes })
}

fn utf8(bytes: &[u8]) -> Decoded<'_> {
    let mut notes = Vec::new();
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => {
            notes.push("begins with a byte order mark, which is not shown");
            rest
        }
        None => bytes,
    };
    let text = String::from_utf8_lossy(bytes);
    if matches!(text, Cow::Owned(_)) {
        notes.push("is not UTF-8: bytes that are no text are shown as \u{fffd}");
    }
    Decoded { text, notes }
}

/// `None` where no text has such units: another kind of file may begin with the same two bytes.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Decoded<'static>> {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let text: Result<String, _> = char::decode_utf16(pairs.iter().copied().map(unit)).collect();
    let text = text.ok().filter(|text| odd.is_empty() && !text.contains('\0'))?;
    Some(Decoded {
        text: Cow::Owned(text),
        notes: vec!["is UTF-16, shown as text; `edit` and `write` do not change it"],
    })
}
