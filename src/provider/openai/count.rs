//! Counts the tokens of a prompt with the server's tokenizer. vLLM counts a whole request. Older llama.cpp versions
//! count only text, so Benchdog first applies the chat template.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::body;
use crate::ModelRequest;
use crate::ask::{Question, ask};
use crate::failure::ProviderError;
use crate::transport::Transport;
use crate::written::as_text;
use benchdog_domain::agent::Protocol;

pub(crate) async fn count(
    transport: &Transport,
    request: ModelRequest,
    patience: Duration,
) -> Result<u64, ProviderError> {
    let request = match request.protocol {
        Protocol::Native => request,
        Protocol::Text | Protocol::Off => as_text(request),
    };
    let mut body: Map<String, Value> = serde_json::from_slice(&body(&request)).unwrap_or_default();
    body.shift_remove("stream");
    body.shift_remove("stream_options");
    let asked = Value::Object(body.clone());
    let counted = Question::Post("chat/completions/input_tokens", &asked);
    match ask(transport, counted, patience, "its answer holds no count", input_of).await {
        Ok(count) => return Ok(count),
        Err(error) if error.status.is_none() => return Err(error),
        // Try the endpoints of vLLM and of older llama.cpp versions next.
        Err(_) => {}
    }
    let prompt = |keys: &[&str]| -> Map<String, Value> {
        let kept = keys
            .iter()
            .filter_map(|key| Some(((*key).to_owned(), body.get(*key)?.clone())));
        kept.collect()
    };
    let mut whole = prompt(&["model", "messages", "tools", "chat_template_kwargs"]);
    whole.insert("add_generation_prompt".to_owned(), true.into());
    let whole = Value::Object(whole);
    let counted = Question::Post("/tokenize", &whole);
    match ask(transport, counted, patience, "its answer holds no count", count_of).await {
        Ok(count) => return Ok(count),
        Err(error) if error.status.is_none() => return Err(error),
        // Try the endpoint of older llama.cpp versions next, which counts only text.
        Err(_) => {}
    }
    let told = Value::Object(prompt(&["messages", "tools", "chat_template_kwargs"]));
    let written = Question::Post("/apply-template", &told);
    let text = ask(transport, written, patience, "its answer holds no prompt", prompt_of).await?;
    let text = json!({ "content": text, "add_special": false, "parse_special": true });
    let counted = Question::Post("/tokenize", &text);
    ask(transport, counted, patience, "its answer holds no tokens", tokens_of).await
}

fn input_of(body: &[u8]) -> Option<u64> {
    let count = serde_json::from_slice::<Value>(body)
        .ok()?
        .get("input_tokens")?
        .as_u64()?;
    (count > 0).then_some(count)
}

fn count_of(body: &[u8]) -> Option<u64> {
    serde_json::from_slice::<Value>(body).ok()?.get("count")?.as_u64()
}

fn prompt_of(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    Some(value.get("prompt")?.as_str()?.to_owned())
}

fn tokens_of(body: &[u8]) -> Option<u64> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let count = value.get("tokens")?.as_array()?.len() as u64;
    (count > 0).then_some(count)
}
