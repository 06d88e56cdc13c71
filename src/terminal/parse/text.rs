//! Parses bytes of text: characters, pastes, and the colour in an answer of the terminal.

use std::borrow::Cow;

use super::{Input, csi};
use benchdog_base::text::{incoming, places};
use benchdog_keys::{Key, KeyCode};

pub(super) enum Utf8 {
    Char(char, usize),
    Incomplete,
    Invalid,
}

pub(super) fn character(bytes: &[u8]) -> Utf8 {
    let wanted = match bytes.first() {
        Some(0x00..=0x7f) => 1,
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return Utf8::Invalid,
    };
    let front = bytes.get(..wanted.min(bytes.len())).unwrap_or_default();
    match std::str::from_utf8(front) {
        Ok(text) => match text.chars().next() {
            // Eight-bit control characters are not text.
            Some(c) if c.is_control() => Utf8::Invalid,
            Some(c) => Utf8::Char(c, wanted),
            None => Utf8::Invalid,
        },
        Err(error) if error.error_len().is_none() && front.len() < wanted => Utf8::Incomplete,
        Err(_) => Utf8::Invalid,
    }
}

pub(super) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

pub(super) fn held_back(bytes: &[u8], mark: &[u8]) -> usize {
    (1..mark.len())
        .rev()
        .find(|count| mark.get(..*count).is_some_and(|front| bytes.ends_with(front)))
        .unwrap_or(0)
}

pub(super) fn front_of_letter(bytes: &[u8]) -> usize {
    let is_front = |count: &usize| {
        let from = bytes.len().checked_sub(*count);
        let front = from.and_then(|from| bytes.get(from..));
        front.is_some_and(|front| matches!(character(front), Utf8::Incomplete))
    };
    (1..=3).find(is_front).unwrap_or(0)
}

/// Converts pasted bytes to text with `\n` line ends and without control characters. Encoded keys are decoded, because
/// tmux with `extended-keys-format csi-u` encodes the line ends and tabs of a paste as keys.
pub(super) fn pasted(bytes: &[u8]) -> String {
    incoming(&String::from_utf8_lossy(&without_keys(bytes)))
}

fn without_keys(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    let mut from = 0;
    for at in places(bytes, b"\x1b[") {
        let rest = bytes.get(at + 2..).unwrap_or_default();
        let length = rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':'));
        let Some((parameters, last)) = length.and_then(|length| Some((rest.get(..length)?, *rest.get(length)?))) else {
            continue;
        };
        let is_key = last == b'u' || (last == b'~' && parameters.starts_with(b"27;"));
        if !is_key || parameters.is_empty() {
            continue;
        }
        out.extend_from_slice(bytes.get(from..at).unwrap_or_default());
        from = at + 2 + parameters.len() + 1;
        if let Some(Input::Key(key)) = csi::meaning(parameters, last)
            && let Some(c) = typed(key)
        {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    if from == 0 {
        return Cow::Borrowed(bytes);
    }
    out.extend_from_slice(bytes.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

fn typed(key: Key) -> Option<char> {
    match (key.code, key.ctrl) {
        (KeyCode::Enter, _) | (KeyCode::Char('j' | 'm'), true) => Some('\n'),
        (KeyCode::Tab, _) | (KeyCode::Char('i'), true) => Some('\t'),
        (KeyCode::Char(c), false) if !key.alt => Some(c),
        _ => None,
    }
}

/// Parses an answer such as `11;rgb:1e1e/1e1e/1e1e`, with one to four digits per channel.
pub(super) fn ground(answer: &[u8]) -> Option<Input> {
    let answer = std::str::from_utf8(answer).ok()?;
    let colour = answer
        .strip_prefix("11;rgb:")
        .or_else(|| answer.strip_prefix("11;rgba:"))?;
    let mut channels = colour.split('/').map(|digits| {
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)?.checked_sub(1)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        // Values of at most four hexadecimal digits are exact in an f32.
        (most > 0 && most <= 0xffff).then(|| value as f32 / most as f32)
    });
    let mut next = || channels.next().flatten();
    Some(Input::Ground(next()?, next()?, next()?))
}
