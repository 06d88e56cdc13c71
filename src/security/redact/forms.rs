//! Encoded forms of a configured key.

use std::fmt::Write;

/// Minimum length of an encoded form. A shorter form could appear in any text.
const SHORTEST: usize = 12;

const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The last two characters of the standard and the URL-safe base64 alphabet.
const LAST: [[char; 2]; 2] = [['+', '/'], ['-', '_']];

/// Returns the key itself, and the key in hexadecimal, base64, percent-encoding and JSON escapes.
pub(super) fn of(key: &str) -> Vec<String> {
    let json = serde_json::to_string(key).unwrap_or_default();
    let json = json.get(1..json.len().saturating_sub(1)).unwrap_or_default().to_owned();
    let mut forms = vec![key.to_owned(), json.replace('/', "\\/"), json];
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    for digits in [hex, upper_hex] {
        forms.push(each(key.bytes(), digits));
        forms.push(each(key.bytes(), |byte| format!("%{}", digits(byte))));
        forms.push(each(key.bytes(), |byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{}", digits(byte)),
        }));
        let units = key.encode_utf16().flat_map(u16::to_be_bytes).enumerate();
        forms.push(each(units, |(index, byte)| {
            let begins = if index % 2 == 0 { "\\u" } else { "" };
            format!("{begins}{}", digits(byte))
        }));
    }
    forms.extend(
        LAST.iter()
            .flat_map(|last| (0..3).map(|before| base64(key.as_bytes(), before, *last))),
    );
    forms.retain(|form| form.len() >= SHORTEST);
    forms.sort();
    forms.dedup();
    forms
}

fn each<T>(all: impl Iterator<Item = T>, write: impl Fn(T) -> String) -> String {
    all.map(write).collect()
}

fn hex(byte: u8) -> String {
    format!("{byte:02x}")
}

fn upper_hex(byte: u8) -> String {
    format!("{byte:02X}")
}

/// Returns the base64 characters that depend only on the key. `before` is the offset of the key in a three-byte group.
fn base64(key: &[u8], before: usize, last: [char; 2]) -> String {
    let mut out = String::new();
    let (mut bits, mut count) = (0_u32, 0);
    for byte in std::iter::repeat_n(&0, before).chain(key) {
        bits = (bits << 8) | u32::from(*byte);
        count += 8;
        while count >= 6 {
            count -= 6;
            let index = (bits >> count) & 63;
            let [plus, slash] = last;
            let letter = LETTERS.get(index as usize).map(|letter| char::from(*letter));
            let _ = out.write_char(letter.unwrap_or(if index == 62 { plus } else { slash }));
        }
    }
    out.split_off((before * 8).div_ceil(6))
}

#[cfg(test)]
mod tests;
