use super::parse_list;

/// Returns `id: window` for every model in `body`.
fn windows(body: &str) -> Option<Vec<String>> {
    let models = parse_list(body.as_bytes())?;
    Some(
        models
            .iter()
            .map(|model| format!("{}: {:?}", model.id, model.context))
            .collect(),
    )
}

#[test]
fn every_servers_name_for_the_window_is_known() {
    let body = r#"{"data": [
        {"id": "vllm", "max_model_len": 4096},
        {"id": "hosted", "context_length": 131072},
        {"id": "groq", "context_window": 32768},
        {"id": "lmstudio", "loaded_context_length": 8192, "max_context_length": 40960},
        {"id": "llamacpp", "meta": {"n_ctx_train": 32768, "n_params": 7}},
        {"id": "llamacpp-new", "meta": {"n_ctx_train": 32768, "n_ctx": 2048}},
        {"id": "zero", "context_length": 0},
        {"id": "silent"}
    ]}"#;
    assert_eq!(
        windows(body).unwrap(),
        [
            "vllm: Some(4096)",
            "hosted: Some(131072)",
            "groq: Some(32768)",
            "lmstudio: Some(8192)",
            "llamacpp: None",
            "llamacpp-new: Some(2048)",
            "zero: None",
            "silent: None",
        ]
    );
}

#[test]
fn ollama_without_models_answers_null_which_is_an_empty_list() {
    assert_eq!(windows(r#"{"object": "list", "data": null}"#), Some(Vec::new()));
    assert_eq!(windows(r#"{"models": null}"#), Some(Vec::new()));
    assert_eq!(windows(r#"{"data": null, "models": ["a"]}"#).unwrap(), ["a: None"]);
}

#[test]
fn lists_come_under_several_names_or_bare() {
    assert_eq!(
        windows(r#"{"models": [{"name": "a", "model": "a"}]}"#).unwrap(),
        ["a: None"]
    );
    assert_eq!(windows(r#"[{"id": "b"}, "c"]"#).unwrap(), ["b: None", "c: None"]);
    assert_eq!(windows(r#"{"data": []}"#), Some(Vec::new()));
    assert_eq!(windows(r#"{"status": "ok"}"#), None);
    assert_eq!(windows("null"), None);
    assert_eq!(windows("<html>"), None);
}
