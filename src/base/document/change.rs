//! Changes one value of a file in place. Comments, order and everything else stay.

use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::options;

/// Returns the text with a new value at `path`, or without it. `None` if that is no object or unreadable.
pub fn change(text: &str, path: &[&str], value: Option<&Value>) -> Option<String> {
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    let begun = if text.is_empty() { "{\n}\n" } else { text };
    let root = CstRootNode::parse(begun, &options()).ok()?;
    let object = root.object_value_or_create()?;
    match value {
        Some(value) => set(&object, path, value)?,
        None => remove(&object, path),
    }
    Some(format!("{mark}{root}"))
}

fn set(object: &CstObject, path: &[&str], value: &Value) -> Option<()> {
    match path {
        [] => None,
        [last] => {
            match object.get(last) {
                Some(property) => property.set_value(input(value)),
                None => {
                    object.append(last, input(value));
                }
            }
            Some(())
        }
        [first, rest @ ..] => set(&object.object_value_or_create(first)?, rest, value),
    }
}

fn remove(object: &CstObject, path: &[&str]) {
    match path {
        [] => {}
        [last] => {
            if let Some(property) = object.get(last) {
                property.remove();
            }
        }
        [first, rest @ ..] => {
            if let Some(below) = object.object_value(first) {
                remove(&below, rest);
            }
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => CstInputValue::Object(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), input(value)))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
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
}
