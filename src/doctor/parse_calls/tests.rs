use super::{declared, parse_calls};
use benchdog_tools::Registry;

#[test]
fn the_object_has_the_calls_and_the_text_that_stays() {
    let tools = declared(
        br#"[{"type": "function", "function": {"name": "say", "parameters": {"type": "object"}}}, {"name": "hear"}]"#,
    );
    let tools = tools.unwrap();
    let text = "So.\n<tool_call>{\"name\": \"say\", \"arguments\": {\"b\": 1, \"a\": 2}}</tool_call>\n<function=hear>\n</function>";
    assert_eq!(
        parse_calls(text, tools).to_string(),
        r#"{"calls":[{"name":"say","arguments":{"b":1,"a":2}},{"name":"hear","arguments":{}}],"text":"So."}"#
    );
}

#[test]
fn our_own_tools_are_found_by_their_other_names() {
    let text = r#"{"name": "Read", "parameters": {"file_path": "a.rs"}}"#;
    assert_eq!(
        parse_calls(text, Registry::builtin().declarations()).to_string(),
        r#"{"calls":[{"name":"read","arguments":{"file_path":"a.rs"}}],"text":""}"#
    );
}
