use serde_json::{Value, json};

use super::schema::{misread, wrong};

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "enum": ["a", "b"]},
            "list": {"type": "array", "items": {"type": ["integer", "null"], "minimum": 1}, "maxItems": 3},
            "inner": {"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"], "additionalProperties": false}
        },
        "required": ["name"]
    })
}

#[test]
fn what_does_not_fit_is_named_by_its_place() {
    let says = |value: Value| wrong(&schema(), &value).unwrap_or_default();
    assert_eq!(
        says(json!({"name": "a", "list": [1, null], "inner": {"on": true}, "more": 1})),
        ""
    );
    assert_eq!(says(json!({})), "`name` is missing");
    assert_eq!(says(json!({"name": "c"})), "`name` must be one of \"a\", \"b\"");
    assert_eq!(
        says(json!({"name": "a", "list": [1, 0]})),
        "item 1 of `list` must be at least 1"
    );
    assert_eq!(
        says(json!({"name": "a", "list": [1, 1, 1, 1]})),
        "`list` has more than 3 items"
    );
    assert_eq!(
        says(json!({"name": "a", "list": ["x"]})),
        "item 0 of `list` must be of a type of [\"integer\",\"null\"]"
    );
    assert_eq!(says(json!({"name": "a", "inner": {}})), "`on` is missing");
    assert_eq!(
        says(json!({"name": "a", "inner": {"on": true, "off": 1}})),
        "`inner` have no `off`"
    );
}

#[test]
fn a_schema_with_a_word_that_nothing_acts_on_is_refused() {
    assert_eq!(misread(&schema()), None);
    assert!(misread(&json!({"type": "string"})).is_some());
    let nested = json!({"type": "object", "properties": {"a": {"pattern": "^x"}}});
    assert_eq!(
        misread(&nested).as_deref(),
        Some("the word `pattern` of JSON Schema is not understood here")
    );
    assert!(misread(&json!({"type": "object", "properties": {"a": {"type": "text"}}})).is_some());
    let mut deep = json!({"type": "object"});
    for _ in 0..40 {
        deep = json!({"type": "object", "properties": {"a": deep}});
    }
    assert_eq!(misread(&deep).as_deref(), Some("the schema is too deep"));
}
