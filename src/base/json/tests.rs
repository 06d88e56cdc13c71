use serde_json::{Value, json};

use super::{decoded_len, line, repair};
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
        let set = repair(wrong).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&set).unwrap(), right, "{wrong}");
    }
    for fine in [r#"{"a":"\\ud83d \" \u0041"}"#, "{\n\t\"a\": 1}", "7"] {
        assert_eq!(repair(fine), None, "{fine}");
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
