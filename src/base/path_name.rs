//! File names for display and input. An invalid UTF-8 byte is shown as `\xNN`, and can be typed in this form.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use unicode_normalization::UnicodeNormalization;

pub fn display(path: &Path) -> Cow<'_, str> {
    let bytes = path.as_os_str().as_bytes();
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    Cow::Owned(out)
}

fn unescape(text: &[u8]) -> Option<OsString> {
    let digit = |byte: &u8| {
        char::from(*byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, behind)) = rest.split_first() {
        if let [b'\\', b'x', high, low, more @ ..] = rest
            && let (Some(high), Some(low)) = (digit(high), digit(low))
            && high >= 8
        {
            out.push(high * 16 + low);
            rest = more;
        } else {
            out.push(*first);
            rest = behind;
        }
    }
    (out != text).then(|| OsString::from_vec(out))
}

pub fn has_other_spelling(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    !bytes.is_ascii() || bytes.windows(2).any(|two| two == b"\\x")
}

/// Returns the existing name that is equivalent to the missing `name`. `None` unless exactly one name is equivalent.
pub fn find_equivalent(name: &OsStr, names: impl Iterator<Item = OsString>) -> Option<OsString> {
    let escaped = unescape(name.as_bytes());
    let composed: Option<String> = name.to_str().map(|text| text.nfc().collect());
    let is_meant = |other: &OsString| {
        Some(other) == escaped.as_ref()
            || (other.to_str().zip(composed.as_ref())).is_some_and(|(other, composed)| other.nfc().eq(composed.chars()))
    };
    let mut found = names.filter(is_meant);
    let one = found.next()?;
    found.next().is_none().then_some(one)
}

#[cfg(test)]
mod tests;
