//! Parses the list of models with their context windows. llama.cpp reports its window in `/props` instead.

use std::time::Duration;

use serde_json::Value;

use crate::ListedModel;
use crate::ask::{Question, ask};
use crate::failure::ProviderError;
use crate::transport::Transport;

pub(crate) async fn models(transport: &Transport, patience: Duration) -> Result<Vec<ListedModel>, ProviderError> {
    ask(
        transport,
        Question::Get("models"),
        patience,
        "its answer holds no list of models",
        parse_list,
    )
    .await
}

/// Parses the list of models, which is in `data` or `models`, or is the whole body.
pub(crate) fn parse_list(body: &[u8]) -> Option<Vec<ListedModel>> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let lists = || ["data", "models"].into_iter().filter_map(|key| value.get(key));
    let list = lists().find(|list| !list.is_null()).or_else(|| lists().next());
    match list.unwrap_or(&value) {
        Value::Array(items) => Some(items.iter().filter_map(model).collect()),
        // Ollama without models sends `null` instead of an empty list.
        Value::Null if list.is_some() => Some(Vec::new()),
        _ => None,
    }
}

fn model(item: &Value) -> Option<ListedModel> {
    let id = match item {
        Value::String(id) => id,
        item => ["id", "name", "model"]
            .into_iter()
            .find_map(|key| item.get(key)?.as_str())?,
    };
    Some(ListedModel {
        id: id.to_owned(),
        context: window(item),
        trained: item.get("meta").and_then(|meta| meta.get("n_ctx_train")?.as_u64()),
        weights: item.get("meta").and_then(|meta| meta.get("n_params")?.as_u64()),
        owner: item.get("owned_by").and_then(Value::as_str).map(str::to_owned),
    })
}

/// Returns the context window of a model. Prefers the window in use to the one for which the model was trained.
fn window(item: &Value) -> Option<u64> {
    const FLAT: [&str; 7] = [
        "max_model_len",
        "loaded_context_length",
        "context_length",
        "context_window",
        "max_context_length",
        "max_input_tokens",
        "n_ctx",
    ];
    let flat = FLAT.into_iter().find_map(|key| item.get(key)?.as_u64());
    // Ignore `n_ctx_train`, because a server can use a smaller window than the one used for training.
    let meta = || item.get("meta")?.get("n_ctx")?.as_u64();
    flat.or_else(meta).filter(|window| *window > 0)
}

#[cfg(test)]
mod tests;
