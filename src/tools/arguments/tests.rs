use serde_json::json;

use super::*;
use crate::{grep, read};

fn args(row: &Row, value: Value) -> Args<'_> {
    let Value::Object(map) = value else { panic!("an object") };
    Args::of(row, &Arguments::Object(map)).unwrap()
}

fn raw(text: &str) -> Result<Args<'static>, Refusal> {
    static ROW: std::sync::LazyLock<Row> = std::sync::LazyLock::new(read::row);
    Args::of(&ROW, &Arguments::Raw(text.to_owned()))
}

#[test]
fn numbers_and_flags_may_be_written_as_text() {
    let row = grep::row();
    let given = args(
        &row,
        json!({"pattern": 12, "limit": "12", "context": 2.0, "ignore_case": "True"}),
    );
    assert_eq!(given.text("pattern").unwrap().as_deref(), Some("12"));
    assert_eq!(given.number("limit").unwrap(), Some(12));
    assert_eq!(given.number("context").unwrap(), Some(2));
    assert!(given.flag("ignore_case").unwrap());
    let given = args(
        &row,
        json!({"pattern": "x", "limit": -1, "context": 1.5, "ignore_case": "maybe"}),
    );
    assert!(given.number("limit").is_err() && given.number("context").is_err() && given.flag("ignore_case").is_err());
}

#[test]
fn other_names_of_arguments_are_understood_and_null_is_nothing() {
    let row = read::row();
    for name in ["path", "file_path", "filePath", "file-path", "FILE_PATH", "target_file"] {
        let given = args(&row, json!({name: "a.rs", "limit": null}));
        assert_eq!(given.text("path").unwrap().as_deref(), Some("a.rs"), "{name}");
        assert_eq!(given.number("limit").unwrap(), None);
    }
}

#[test]
fn arguments_one_level_deeper_are_lifted() {
    let row = read::row();
    let given = args(&row, json!({"arguments": {"path": "a"}}));
    assert_eq!(given.required_text("path").unwrap(), "a");
    let given = args(&row, json!({"input": "{\"path\": \"b\"}"}));
    assert_eq!(given.required_text("path").unwrap(), "b");
}

#[test]
fn a_missing_argument_is_named_with_what_is_expected() {
    let refusal = args(&read::row(), json!({"flie": "a"}))
        .filled_text("path")
        .unwrap_err();
    assert_eq!(
        refusal.outcome.output,
        "`read` needs the argument `path` (unknown: `flie`). \
         Expected: path (string, required), offset (integer), limit (integer)."
    );
    assert_eq!(refusal.outcome.code.as_deref(), Some("bad_arguments"));
}

#[test]
fn a_wrong_argument_is_named_with_what_came() {
    let refusal = args(&read::row(), json!({"path": {"a": 1}}))
        .filled_text("path")
        .unwrap_err();
    assert!(
        refusal
            .outcome
            .output
            .starts_with("`path` must be text, not `{\"a\":1}`."),
        "{}",
        refusal.outcome.output
    );
}

#[test]
fn slips_in_the_json_are_repaired() {
    for text in [
        "{'path': 'a',}",
        "{\"path\": \"a\"",
        "```json\n{\"path\": \"a\"}\n```",
        "{path: \"a\"}",
    ] {
        assert_eq!(raw(text).unwrap().required_text("path").unwrap(), "a", "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_shown_back_and_not_guessed() {
    let long = format!("read the file {} please", "x".repeat(500));
    let output = raw(&long).err().unwrap().outcome.output;
    assert!(
        output.contains("They begin: read the file xxx") && output.contains("Expected: path"),
        "{output}"
    );
    assert!(output.contains("more characters]") && output.len() < 500, "{output}");
    let output = raw("{\"path\": \"src/ma").err().unwrap().outcome.output;
    assert!(output.contains("stop in the middle of a text"), "{output}");
}

#[test]
fn lists_may_be_one_thing_or_a_text() {
    let row = crate::ask::row();
    let given = args(&row, json!({"question": "?", "options": "[\"a\", \"b\"]"}));
    assert_eq!(given.list("options").unwrap().unwrap(), [json!("a"), json!("b")]);
    let given = args(&row, json!({"question": "?", "options": "only"}));
    assert_eq!(given.list("options").unwrap().unwrap(), [json!("only")]);
}
