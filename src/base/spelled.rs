//! File names as shown and typed. Each byte of invalid UTF-8 is shown as `\xNN`, and accepted in that form.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use unicode_normalization::UnicodeNormalization;

pub fn shown(path: &Path) -> Cow<'_, str> {
    let bytes = path.as_os_str().as_bytes();
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing into memory cannot fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    Cow::Owned(out)
}

fn unescaped(text: &[u8]) -> Option<OsString> {
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

/// Returns the existing name meant by a missing one. `None` if there is none or more than one.
pub fn meant(name: &OsStr, names: impl Iterator<Item = OsString>) -> Option<OsString> {
    let escaped = unescaped(name.as_bytes());
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
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_utf8_is_shown_escaped_and_found_in_that_spelling() {
        let name = OsString::from_vec(b"caf\xe9 \xff.txt".to_vec());
        assert_eq!(shown(Path::new(&name)), "caf\\xe9 \\xff.txt");
        let all = || [OsString::from("other"), name.clone()].into_iter();
        assert_eq!(meant(OsStr::new("caf\\xe9 \\xff.txt"), all()), Some(name.clone()));
        assert_eq!(meant(OsStr::new("caf\\xe9.txt"), all()), None);
        assert_eq!(shown(Path::new("a\\xe9")), "a\\xe9", "text stays as it is");
    }

    #[test]
    fn names_of_another_normal_form_mean_the_one_that_is_there() {
        let (composed, decomposed) = ("\u{dc}bersicht \u{ac00}", "U\u{308}bersicht \u{1100}\u{1161}");
        let all = |names: &[&str]| names.iter().map(OsString::from).collect::<Vec<_>>().into_iter();
        for (wanted, there) in [(composed, decomposed), (decomposed, composed)] {
            assert_eq!(meant(OsStr::new(wanted), all(&["x", there])), Some(there.into()));
        }
        assert_eq!(
            meant(OsStr::new("\u{212b}"), all(&["\u{c5}", "A\u{30a}"])),
            None,
            "two are meant"
        );
    }
}
