//! Decodes a file in any supported encoding, with notes on the encoding and line ends.

use std::borrow::Cow;

use benchdog_base::charset::{self, Charset, Found};

pub(super) struct Decoded<'b> {
    pub(super) text: Cow<'b, str>,
    pub(super) notes: Vec<String>,
}

/// Decodes text. Returns `None` for binary data. `preferred` is the configured encoding of the workspace.
pub(super) fn decoded(bytes: &[u8], preferred: Option<Charset>) -> Option<Decoded<'_>> {
    let Decoded { text, mut notes } = match charset::decoded(bytes, preferred) {
        Some((found, text)) => in_charset(found, &text),
        None if bytes.iter().take(8192).any(|byte| *byte == 0) => return None,
        None => utf8(bytes),
    };
    if text.contains("\r\n") {
        notes.push("has CRLF line ends, which are not shown".to_owned());
    }
    if !text.is_empty() && !text.ends_with('\n') {
        notes.push("has no line end after its last line".to_owned());
    }
    Some(Decoded { text, notes })
}

fn utf8(bytes: &[u8]) -> Decoded<'_> {
    let mut notes = Vec::new();
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => {
            notes.push("begins with a byte order mark, which is not shown".to_owned());
            rest
        }
        None => bytes,
    };
    let text = String::from_utf8_lossy(bytes);
    if matches!(text, Cow::Owned(_)) {
        notes.push("is not UTF-8: bytes that are no text are shown as \u{fffd}".to_owned());
    }
    Decoded { text, notes }
}

fn in_charset(found: Found, text: &str) -> Decoded<'static> {
    let name = found.charset.name();
    let is = if found.sure { "is" } else { "is not UTF-8 and probably" };
    let mut notes = vec![format!("{is} {name}, shown as text; changes are written back in it")];
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => {
            notes.push("begins with a byte order mark, which is not shown".to_owned());
            rest
        }
        None => text,
    };
    Decoded {
        text: Cow::Owned(text.to_owned()),
        notes,
    }
}
