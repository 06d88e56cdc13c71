//! JSON output: stable, and safe to show in a terminal.

use serde_json::Value;

use super::text::{is_hostile, joins};

pub fn line(value: &Value) -> String {
    escaped(&value.to_string())
}

/// Escapes hidden characters that JSON allows (DEL, C1 and bidi controls, line separators, byte order mark …)
/// as `\u…`. Joiners in emoji and words stay.
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

/// Repairs common errors: control characters, half surrogate pairs, and `NaN` or `Infinity`, which become
/// `null`. `None` if nothing is wrong.
pub fn repaired(json: &str) -> Option<String> {
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

/// Returns the decoded length of a JSON string. `None` for anything else.
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
mod tests {
    use serde_json::{Value, json};

    use super::{decoded_len, line, repaired};
    use crate::text::is_hostile;

    #[test]
    fn a_printed_line_holds_nothing_that_steers_a_terminal_and_reads_back_as_the_same_value() {
        let hidden: Vec<char> = ('\u{0}'..='\u{10ffff}').filter(|c| is_hostile(*c)).collect();
        for needed in
            "\u{7f}\u{80}\u{9b}\u{9f}\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2066}\u{2069}\u{feff}"
                .chars()
        {
            assert!(hidden.contains(&needed), "{needed:?}");
        }
        let text: String = hidden.iter().collect();
        let value = json!({ "a\u{9b}31m": [text, "plain \\ \"text\" 漢字 👨\u{200d}👩"] });
        let printed = line(&value);
        assert!(printed.contains("漢字 👨\u{200d}👩"));
        let steering = printed.replace("👨\u{200d}👩", "");
        assert!(!steering.chars().any(is_hostile), "{printed}");
        assert_eq!(serde_json::from_str::<Value>(&printed).unwrap(), value);
    }

    #[test]
    fn json_that_others_write_wrong_is_set_right() {
        for (wrong, right) in [
            (r#"{"a":"x \ud83d y"}"#, json!({"a": "x \u{fffd} y"})),
            (r#"{"a":"\udc00\ud83e\udd80"}"#, json!({"a": "\u{fffd}🦀"})),
            ("{\"a\":\"one\ntwo\tthree\"}", json!({"a": "one\ntwo\tthree"})),
            (
                r#"{"a":NaN,"b":[-Infinity,Infinity],"NaN":"NaN"}"#,
                json!({"a": null, "b": [null, null], "NaN": "NaN"}),
            ),
        ] {
            let set = repaired(wrong).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&set).unwrap(), right, "{wrong}");
        }
        for fine in [r#"{"a":"\\ud83d \" \u0041"}"#, "{\n\t\"a\": 1}", "7"] {
            assert_eq!(repaired(fine), None, "{fine}");
        }
    }

    #[test]
    fn a_length_is_that_of_the_decoded_text() {
        for text in [
            "",
            "plain",
            "a \"line\"\n and\ta tab",
            "a \\ backslash",
            "\u{1b}[1m bold \u{0}",
            "zwölf 漢字 🦀\\u0041",
        ] {
            let quoted = serde_json::to_string(text).unwrap();
            assert_eq!(decoded_len(&quoted), Some(text.len()), "{quoted}");
        }
        assert_eq!(decoded_len(r#""\ud83e\udd80""#), Some(4));
        for wrong in [r#""\ud83e""#, "7", "\"", "null"] {
            assert_eq!(decoded_len(wrong), None, "{wrong}");
        }
    }
}
