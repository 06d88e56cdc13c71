//! Request fields for the reasoning effort. Their form depends on the server.

use serde_json::{Map, Value, json};

use benchdog_domain::agent::Thinking;

/// Returns the fields for the server at `base_url`. Fields configured by the user replace them.
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
        // Chat templates use one of these names and ignore the other.
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

pub(crate) fn is_hosted(base_url: &str) -> bool {
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
mod tests;
