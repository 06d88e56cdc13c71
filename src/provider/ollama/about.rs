//! Facts from Ollama: `/api/show` for a model, `/api/ps` for running models, `/api/version` for the server.

use std::time::Duration;

use serde_json::{Value, json};

use crate::domain::agent::{Knowledge, Program, Server};
use crate::provider::ask::{Question, ask};
use crate::provider::failure::ProviderError;
use crate::provider::means;
use crate::provider::openai::list::listed;
use crate::provider::transport::Transport;

/// The default window, which fits into the memory of most machines.
const USUAL_WINDOW: u64 = 32_768;
/// A model loaded with a smaller window is loaded again with the default one.
const LEAST_KEPT: u64 = 8_192;

pub(super) async fn about(transport: &Transport, model: &str, patience: Duration) -> Result<Knowledge, ProviderError> {
    let named = json!({ "model": model });
    let show = Question::Post("/api/show", &named);
    let show = ask(transport, show, patience, "its answer describes no model", object).await?;
    let mut known = shown(&show);
    let running = running(transport, model, patience).await;
    known.loaded = Some(running.is_some());
    let running = running.flatten();
    let own = match known.window.or(running) {
        Some(_) => known.window,
        None => listed_window(transport, model, patience).await,
    };
    known.window = Some(window(own, running, known.trained));
    known.server = server(transport, patience).await;
    Ok(known)
}

/// Returns the window from the OpenAI-compatible list. Ollama reports none there, but servers that imitate its API do.
async fn listed_window(transport: &Transport, model: &str, patience: Duration) -> Option<u64> {
    let list = Question::Get("/v1/models");
    let list = ask(transport, list, patience, "its answer holds no list of models", listed).await;
    list.ok()?.into_iter().find(|listed| listed.is(model))?.context
}

/// Returns the window of the loaded model from `/api/ps`.
pub(crate) async fn runs_with(transport: &Transport, model: &str, patience: Duration) -> Option<u64> {
    running(transport, model, patience).await?
}

/// Returns whether the model is loaded, and its window if reported.
async fn running(transport: &Transport, model: &str, patience: Duration) -> Option<Option<u64>> {
    let list = Question::Get("/api/ps");
    let list = ask(transport, list, patience, "its answer lists no running models", object).await;
    loaded(&list.ok()?, model)
}

pub(crate) async fn server(transport: &Transport, patience: Duration) -> Option<Server> {
    let version = Question::Get("/api/version");
    let version = ask(transport, version, patience, "its answer holds no version", object).await;
    Some(Server {
        program: Program::Ollama,
        version: Some(version.ok()?.get("version")?.as_str()?.to_owned()),
    })
}

fn object(body: &[u8]) -> Option<Value> {
    serde_json::from_slice(body).ok().filter(Value::is_object)
}

/// Parses `/api/show`. The window is from the model's own parameters, if set.
fn shown(show: &Value) -> Knowledge {
    let info = show.get("model_info").and_then(Value::as_object);
    let trained = info.and_then(|info| {
        let length = info.iter().find(|(key, _)| key.ends_with(".context_length"));
        length?.1.as_u64()
    });
    let parameters = show.get("parameters").and_then(Value::as_str).unwrap_or_default();
    let own = parameters.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some("num_ctx")).then(|| words.next()?.parse().ok())?
    });
    let capabilities = show.get("capabilities").and_then(Value::as_array);
    let can = |what: &str| capabilities.map(|all| all.iter().any(|one| one.as_str() == Some(what)));
    Knowledge {
        window: own,
        most: trained,
        trained,
        tools: can("tools"),
        vision: can("vision"),
        thinking: can("thinking"),
        counts: Some(false),
        ..Knowledge::default()
    }
}

/// Returns whether `model` is loaded according to `/api/ps`, and its window.
fn loaded(running: &Value, model: &str) -> Option<Option<u64>> {
    let is = |entry: &&Value| {
        ["name", "model"].iter().any(|key| {
            entry
                .get(*key)
                .and_then(Value::as_str)
                .is_some_and(|name| means(name, model))
        })
    };
    let entry = running.get("models")?.as_array()?.iter().find(is)?;
    Some(entry.get("context_length").and_then(Value::as_u64))
}

/// Chooses the window: from the model's parameters, else the loaded one to avoid a reload, else the default. Limited by the trained window.
fn window(own: Option<u64>, running: Option<u64>, trained: Option<u64>) -> u64 {
    let kept = running.filter(|running| *running >= LEAST_KEPT);
    let wanted = own.or(kept).unwrap_or(USUAL_WINDOW);
    wanted.min(trained.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
