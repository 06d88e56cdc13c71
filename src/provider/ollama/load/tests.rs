use super::*;

#[test]
fn it_is_loaded_as_requests_would_have_it() {
    let extra = json!({"keep_alive": "2h", "options": {"num_gpu": 20}, "think": true});
    let extra = extra.as_object().unwrap();
    let sent = Value::Object(body("qwen3", Some(32_768), extra));
    let wanted = json!({
        "model": "qwen3", "stream": false, "keep_alive": "2h", "options": {"num_ctx": 32_768, "num_gpu": 20},
    });
    assert_eq!(sent, wanted);
}
