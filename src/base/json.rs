//! JSON as it is printed: the same value for every reader, and harmless where a terminal shows it.

use serde_json::Value;

use super::text::{is_hostile, joins};

/// One value on one line, without its newline.
pub(crate) fn line(value: &Value) -> String {
    escaped(&value.to_string())
}

/// JSON, or text that quotes some, with the hidden characters that JSON allows unescaped (DEL, C1 controls, bidi
/// controls, line separators, the byte order mark …) written as `\u…`. A joiner inside an emoji or a word stays.
pub(crate) fn escaped(json: &str) -> String {
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

/// How many bytes a text of JSON is once it is decoded. `None`: it is no text.
pub(crate) fn decoded_len(quoted: &str) -> Option<usize> {
    let written = quoted.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let rare = [br"\\".as_slice(), br"\u"];
    if rare
        .iter()
        .any(|escape| memchr::memmem::find(written, escape).is_some())
    {
        return serde_json::from_str::<String>(quoted).ok().map(|text| text.len());
    }
    // Each of the others begins with one backslash and stands for one byte.
    Some(written.len() - memchr::memchr_iter(b'\\', written).count())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{decoded_len, line};
    use crate::base::text::is_hostile;

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
