//! The models a server offers, and the window of each where the server tells it; llama.cpp tells it in `/props`.

use std::time::Duration;

use serde_json::Value;

use crate::provider::ListedModel;
use crate::provider::cause;
use crate::provider::failure::{Kind, ProviderError};
use crate::provider::transport::{Transport, redirected};

/// The longest list that is read.
const LIST_LIMIT: usize = 8 << 20;

/// `GET base/models`.
pub(crate) async fn models(transport: &Transport, patience: Duration) -> Result<Vec<ListedModel>, ProviderError> {
    ask(
        transport,
        "models",
        patience,
        "its answer holds no list of models",
        listed,
    )
    .await
}

/// What a llama.cpp server runs with, for every request it serves: `GET /props`, beside `/v1`.
pub(super) async fn properties(transport: &Transport, patience: Duration) -> Result<u64, ProviderError> {
    let slot = |body: &[u8]| {
        let value: Value = serde_json::from_slice(body).ok()?;
        let window = value.get("default_generation_settings")?.get("n_ctx")?.as_u64()?;
        (window > 0).then_some(window)
    };
    ask(transport, "/props", patience, "its answer holds no properties", slot).await
}

async fn ask<T>(
    transport: &Transport,
    path: &str,
    patience: Duration,
    otherwise: &str,
    read: impl Fn(&[u8]) -> Option<T>,
) -> Result<T, ProviderError> {
    let url = transport.url(path);
    let mut incoming = transport.get(path, patience).await?;
    let mut body = Vec::new();
    while let Some(bytes) = incoming.next().await? {
        body.extend_from_slice(&bytes);
        if body.len() > LIST_LIMIT {
            break;
        }
    }
    let failed = |error: ProviderError| transport.without_secrets(error.at(&url));
    if let Some(error) = redirected(&incoming) {
        return Err(failed(error));
    }
    if !(200..300).contains(&incoming.status) {
        return Err(failed(cause::of_response(incoming.status, &body, incoming.retry_after)));
    }
    read(&body).ok_or_else(|| {
        let text = String::from_utf8_lossy(&body);
        let seen = cause::page_title(&text).unwrap_or_else(|| otherwise.to_owned());
        failed(ProviderError::new(Kind::NotAnApi, seen).with_status(incoming.status))
    })
}

/// Reads the list under `data` or `models`, or a bare one. `None`: it is no list of models.
pub(crate) fn listed(body: &[u8]) -> Option<Vec<ListedModel>> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let items = ["data", "models"]
        .into_iter()
        .find_map(|key| value.get(key))
        .unwrap_or(&value)
        .as_array()?;
    Some(items.iter().filter_map(model).collect())
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
        llama_cpp: item.get("owned_by").and_then(Value::as_str) == Some("llamacpp"),
    })
}

/// The window under the names servers give it: the one in use before the one the model was trained with.
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
    // `n_ctx_train` is left out: a server may run a model with a smaller window than it was trained with.
    let meta = || item.get("meta")?.get("n_ctx")?.as_u64();
    flat.or_else(meta).filter(|window| *window > 0)
}

#[cfg(test)]
mod tests;
