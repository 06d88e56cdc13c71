use super::*;

#[test]
fn a_variable_is_a_path_and_a_value_of_its_kind() {
    for (name, written, told) in [
        (
            "BENCHDOG__NETWORK__OFFLINE",
            "true",
            json!({"network": {"offline": true}}),
        ),
        ("BENCHDOG__MODEL", "7", json!({"model": "7"})),
        ("BENCHDOG__FALLBACK", "a/b", json!({"fallback": ["a/b"]})),
        ("BENCHDOG__FALLBACK", r#"["a", "b"]"#, json!({"fallback": ["a", "b"]})),
        ("BENCHDOG__NETWORK__PROXY", "null", json!({"network": {"proxy": null}})),
        (
            "BENCHDOG__PROVIDER__LOCAL__MODELS__Qwen/Qwen3__CONTEXT",
            "4096",
            json!({"provider": {"local": {"models": {"Qwen/Qwen3": {"context": 4096}}}}}),
        ),
    ] {
        let read: Value = serde_json::from_str(&document(name, written).unwrap()).unwrap();
        assert_eq!(read, told, "{name}={written}");
    }
    assert_eq!(document("BENCHDOG_MODEL", "m"), None);
}
