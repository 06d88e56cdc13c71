use serde_json::json;

use super::*;

#[track_caller]
fn reads(text: &str, wanted: Value) {
    match object(text) {
        Repaired::Object(map) => assert_eq!(Value::Object(map), wanted, "{text}"),
        Repaired::Cut => panic!("cut: {text}"),
        Repaired::Hopeless => panic!("hopeless: {text}"),
    }
}

#[test]
fn common_slips_are_understood() {
    reads("{\"a\": 1,}", json!({"a": 1}));
    reads("{\"a\": [1, 2,],}", json!({"a": [1, 2]}));
    reads(
        "{'a': 'it\\'s', \"b\": True, 'c': None, d: False}",
        json!({"a": "it's", "b": true, "c": null, "d": false}),
    );
    reads("{\"a\": \"one\ntwo\"}", json!({"a": "one\ntwo"}));
    reads("{\"a\": \"\\d+\\.rs\"}", json!({"a": "\\d+\\.rs"}));
    reads("\"{\\\"a\\\": 1}\"", json!({"a": 1}));
    reads("{\"a\": \"x\"}}", json!({"a": "x"}));
    reads("```json\n{\"a\": 1}\n```", json!({"a": 1}));
    reads("{\"a\": '\\u6f22\\ud83d\\ude00'}", json!({"a": "漢😀"}));
}

#[test]
fn brackets_missing_at_the_very_end_are_added() {
    reads("{\"a\": {\"b\": \"c\"", json!({"a": {"b": "c"}}));
    reads("{\"a\": [{\"b\": \"c\"}", json!({"a": [{"b": "c"}]}));
    reads("{\"a\": \"b\", ", json!({"a": "b"}));
}

#[test]
fn what_was_cut_in_the_middle_is_not_guessed() {
    for text in [
        "{\"a\": \"b",
        "{\"a\": 1",
        "{\"a\": tr",
        "{\"a\":",
        "{\"a\": \"b\", \"c",
        "{\"a\": \"b\\",
        "{\"a\": ['x', '",
    ] {
        assert!(matches!(object(text), Repaired::Cut), "{text}");
    }
}

#[test]
fn other_text_is_no_object() {
    for text in [
        "",
        "hello",
        "[1]",
        "{\"a\" 1}",
        "{\"a\": b c}",
        "{\"a\": 1} and more",
        "{\"a\": \"b\" \"c\": 1}",
        "{{}}",
        "12",
    ] {
        assert!(!matches!(object(text), Repaired::Object(_)), "{text}");
    }
}

#[test]
fn nesting_without_end_does_not_overflow_the_stack() {
    assert!(matches!(
        object(&"{\"a\":".repeat(100_000)),
        Repaired::Hopeless | Repaired::Cut
    ));
    assert!(value(&"[".repeat(100_000)).is_none());
}
