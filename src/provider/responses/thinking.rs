//! Request fields for the reasoning effort.

use serde_json::{Map, Value, json};

use crate::openai::is_hosted;
use benchdog_domain::agent::Thinking;

/// Returns the fields for the server at `base_url`. Fields configured by the user replace them.
pub(super) fn fields(thinking: Option<Thinking>, base_url: &str) -> Map<String, Value> {
    let Some(level) = thinking else { return Map::new() };
    let on = level != Thinking::Off;
    let mut fields = Map::new();
    let reasoning = match on {
        // Without `summary`, OpenAI sends only encrypted reasoning.
        true => json!({ "effort": level.word(), "summary": "auto" }),
        false => json!({ "effort": "none" }),
    };
    fields.insert("reasoning".to_owned(), reasoning);
    if !is_hosted(base_url) {
        // Chat templates use one of these names and ignore the other. Ollama and LM Studio use the effort instead.
        let switches = json!({ "enable_thinking": on, "thinking": on });
        fields.insert("chat_template_kwargs".to_owned(), switches);
    }
    fields
}
