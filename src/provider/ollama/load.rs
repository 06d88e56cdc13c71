//! Loads a model with an empty `/api/generate` request.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::ask::{Question, ask};
use crate::body::merge_all;
use crate::failure::ProviderError;
use crate::transport::Transport;

/// Time limit for loading a model. Large models take minutes to load from a slow disk.
const PATIENCE: Duration = Duration::from_secs(600);
const OF_LOADING: [&str; 2] = ["options", "keep_alive"];

pub(super) async fn load(
    transport: &Transport,
    model: &str,
    window: Option<u64>,
    extra: &Map<String, Value>,
) -> Result<(), ProviderError> {
    let body = Value::Object(body(model, window, extra));
    let order = Question::Post("/api/generate", &body);
    ask(transport, order, PATIENCE, "its answer is not one", |_| Some(())).await
}

fn body(model: &str, window: Option<u64>, extra: &Map<String, Value>) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".to_owned(), model.into());
    body.insert("stream".to_owned(), false.into());
    if let Some(window) = window {
        body.insert("options".to_owned(), json!({ "num_ctx": window }));
    }
    let mut said = extra.clone();
    said.retain(|key, _| OF_LOADING.contains(&key.as_str()));
    merge_all(&mut body, &said);
    body
}

#[cfg(test)]
mod tests;
