//! JSON output that is stable and safe to show in a terminal.

use serde_json::Value;

use super::text::{is_hostile, joins};

pub fn line(value: &Value) -> String {
    escaped(&value.to_string())
}

/// Escapes hidden characters that JSON allows (DEL, C1 and bidi controls, line separators, byte order mark …) as `\u…`.
/// Leaves joiners inside emoji and words unchanged.
pub fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut before = None;
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        if is_hostile(c) && !joins(before, c, chars.peek().copied()) {
            let mut units = [0; 2];
            out.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
        before = Some(c);
    }
    out
}

/// Repairs control characters, half surrogate pairs, and `NaN` or `Infinity`, which become `null`. `None` if there is
/// nothing to repair.
pub fn repair(json: &str) -> Option<String> {
    let mut out = String::with_capacity(json.len() + 16);
    let mut changed = false;
    let mut in_text = false;
    let mut rest = json;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        if in_text && c == '\\' {
            taken = match (unit(rest), rest.get(6..).and_then(unit)) {
                (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
                (Some(0xd800..=0xdfff), _) => {
                    out.push_str("\\ufffd");
                    changed = true;
                    rest = rest.get(6..).unwrap_or_default();
                    continue;
                }
                (Some(_), _) => 6,
                (None, _) => rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end),
            };
        } else if in_text && c.is_ascii_control() {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
            changed = true;
            rest = rest.get(1..).unwrap_or_default();
            continue;
        } else if c == '"' {
            in_text = !in_text;
        } else if !in_text
            && let Some(word) = ["NaN", "Infinity", "-Infinity"]
                .iter()
                .find(|word| rest.starts_with(**word))
        {
            out.push_str("null");
            changed = true;
            rest = rest.get(word.len()..).unwrap_or_default();
            continue;
        }
        let (part, behind) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        out.push_str(part);
        rest = behind;
    }
    changed.then_some(out)
}

fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

/// Returns the decoded length of a JSON string. `None` for any other text.
pub fn decoded_len(quoted: &str) -> Option<usize> {
    let written = quoted.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let rare = [br"\\".as_slice(), br"\u"];
    if rare
        .iter()
        .any(|escape| memchr::memmem::find(written, escape).is_some())
    {
        return serde_json::from_str::<String>(quoted).ok().map(|text| text.len());
    }
    // Every other escape is one backslash and one byte.
    Some(written.len() - memchr::memchr_iter(b'\\', written).count())
}

#[cfg(test)]
mod tests;
