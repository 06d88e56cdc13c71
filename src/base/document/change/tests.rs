use serde_json::json;

use super::change;

#[test]
fn what_stands_around_a_value_stays_as_it_was_written() {
    let text = "// mine\n{\n  // why\n  \"ui\": { \"mouse\": true, /* c */ \"vim\": false }, // here\n  \"model\": \"a\",\n}\n";
    assert_eq!(
        change(text, &["ui", "mouse"], Some(&json!(false))).unwrap(),
        text.replace("true", "false")
    );
    assert_eq!(
        change(text, &["model"], Some(&json!("b \"c\""))).unwrap(),
        text.replace("\"a\"", r#""b \"c\"""#)
    );
    let added = change(text, &["compaction", "warn"], Some(&json!([0.5, 0.9]))).unwrap();
    for part in ["// mine\n", "  // why\n", "/* c */", "// here\n", "[0.5, 0.9]"] {
        assert!(added.contains(part), "{added}");
    }
    let read = |text: &str| super::super::parse("f", text).unwrap().unwrap().to_value();
    assert_eq!(read(&added)["compaction"]["warn"], json!([0.5, 0.9]));
    assert_eq!(read(&added)["model"], json!("a"));
    let without = change(text, &["ui", "vim"], None).unwrap();
    assert_eq!(read(&without), json!({"ui": {"mouse": true}, "model": "a"}));
    assert!(without.contains("// why") && without.contains("// here"), "{without}");
}

#[test]
fn a_file_that_says_nothing_yet_gets_its_first_value() {
    for (text, kept) in [
        ("", ""),
        ("{}", ""),
        ("// later\n", "// later\n"),
        ("\u{feff}{}", "\u{feff}"),
    ] {
        let changed = change(text, &["ui", "mouse"], Some(&json!(false))).unwrap();
        assert!(changed.starts_with(kept), "{changed:?}");
        let read = super::super::parse("f", &changed).unwrap().unwrap().to_value();
        assert_eq!(read, json!({"ui": {"mouse": false}}), "{text:?}");
    }
    assert_eq!(change("", &["a"], Some(&json!(1))).unwrap(), "{\n  \"a\": 1\n}\n");
}

#[test]
fn what_is_not_an_object_is_not_changed() {
    for text in ["[1]", "{\"ui\": 3}", "{\"ui\": ", "{\"ui\": {}} x"] {
        assert_eq!(change(text, &["ui", "mouse"], Some(&json!(false))), None, "{text}");
    }
}
