use serde_json::{Value, json};

use super::fields;
use benchdog_domain::agent::Thinking;

fn said(thinking: Thinking, base_url: &str) -> Value {
    fields(Some(thinking), base_url).into()
}

#[test]
fn each_server_is_told_in_its_own_words() {
    let local = "http://127.0.0.1:8000/v1";
    assert_eq!(
        said(Thinking::Off, local),
        json!({"chat_template_kwargs": {"enable_thinking": false, "thinking": false}})
    );
    assert_eq!(said(Thinking::High, local)["reasoning_effort"], "high");
    let hosted = "https://api.openai.com/v1";
    assert_eq!(said(Thinking::Low, hosted), json!({"reasoning_effort": "low"}));
    let alibaba = "https://dashscope-intl.aliyuncs.com/compatible-mode/v1";
    assert_eq!(said(Thinking::Off, alibaba), json!({"enable_thinking": false}));
}

#[test]
fn nothing_is_said_where_the_person_says_nothing() {
    assert!(fields(None, "http://127.0.0.1:8000/v1").is_empty());
}
