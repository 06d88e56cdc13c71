//! The reasoning effort, in the format of each server.

use serde_json::{Map, Value, json};

use benchdog_domain::agent::Thinking;

/// Returns the fields for a server, which configured ones override.
pub(super) fn fields(thinking: Option<Thinking>, base_url: &str) -> Map<String, Value> {
    let Some(level) = thinking else { return Map::new() };
    let on = level != Thinking::Off;
    let said = if base_url.contains("dashscope") {
        match level {
            Thinking::Off => json!({ "enable_thinking": false }),
            Thinking::Low => json!({ "enable_thinking": true, "thinking_budget": 1_024 }),
            Thinking::Medium => json!({ "enable_thinking": true, "thinking_budget": 8_192 }),
            Thinking::High => json!({ "enable_thinking": true, "thinking_budget": 32_768 }),
        }
    } else if is_hosted(base_url) {
        let effort = if on { level.word() } else { "none" };
        json!({ "reasoning_effort": effort })
    } else {
        // Templates use either name and ignore unknown ones.
        let mut said = json!({ "chat_template_kwargs": { "enable_thinking": on, "thinking": on } });
        if on {
            said["reasoning_effort"] = level.word().into();
        }
        said
    };
    match said {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn is_hosted(base_url: &str) -> bool {
    [
        "api.openai.com",
        "openai.azure.com",
        "openrouter.ai",
        "api.groq.com",
        "generativelanguage.googleapis.com",
    ]
    .iter()
    .any(|host| base_url.contains(host))
}

#[cfg(test)]
mod tests {
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
}
