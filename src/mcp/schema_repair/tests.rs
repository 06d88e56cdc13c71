use super::*;

#[test]
fn what_is_no_schema_becomes_what_was_meant_or_goes() {
    for (odd, sound) in [
        (
            json!({"type": "object", "properties": {"m": "object", "n": null, "l": {"type": "array", "items": "string"}}}),
            json!({"type": "object", "properties": {"m": {"type": "object"}, "n": {}, "l": {"type": "array", "items": {"type": "string"}}}}),
        ),
        (
            json!({"type": "object", "properties": null, "required": null}),
            json!({"type": "object", "properties": {}}),
        ),
        (
            json!({"properties": {"a": {"type": "str", "required": true}}, "required": ["b", 1]}),
            json!({"properties": {"a": {"type": "string"}}, "required": ["b", "a"]}),
        ),
        (
            json!({"items": [{"type": "int"}, "bool"], "enum": [], "anyOf": [], "description": 7, "minimum": "1"}),
            json!({"items": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}}),
        ),
        (
            json!({"additionalProperties": "string"}),
            json!({"additionalProperties": {"type": "string"}}),
        ),
        (
            json!({"type": ["string", "None", 3]}),
            json!({"type": ["string", "null"]}),
        ),
        (json!({"type": "Any", "not": null}), json!({})),
    ] {
        assert_eq!(repair(odd.clone()), (sound, true), "{odd}");
    }
}

#[test]
fn a_schema_stays_as_it_is() {
    let sound = json!({
        "type": "object", "required": ["a"], "additionalProperties": false, "$defs": {"x": true},
        "properties": {"a": {"type": ["string", "null"], "enum": ["x", null], "default": null},
            "type": {"description": "d"}, "required": {"type": "boolean"}, "b": {"$ref": "#/$defs/x", "x-own": 1}},
    });
    assert_eq!(repair(sound.clone()), (sound, false));
}
