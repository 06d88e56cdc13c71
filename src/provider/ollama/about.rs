//! Facts from Ollama's endpoints: `/api/show` (one model), `/api/ps` (running models), and `/api/version` (the server).

use std::time::Duration;

use serde_json::{Value, json};

use crate::ask::{Question, ask};
use crate::failure::ProviderError;
use crate::is_same_model;
use crate::openai::list::parse_list;
use crate::transport::Transport;
use benchdog_domain::agent::{Knowledge, Program, Server};

/// Default context window, which fits into the memory of most machines.
const USUAL_WINDOW: u64 = 32_768;
/// Minimum context window of a loaded model. A model with a smaller window is loaded again with a larger one.
const LEAST_KEPT: u64 = 8_192;

pub(super) async fn about(transport: &Transport, model: &str, patience: Duration) -> Result<Knowledge, ProviderError> {
    let named = json!({ "model": model });
    let show = Question::Post("/api/show", &named);
    let show = ask(transport, show, patience, "its answer describes no model", object).await?;
    let mut known = parse_show(&show);
    let running = loaded_window(transport, model, patience).await;
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

/// Returns the context window from the OpenAI-compatible list of models, where only imitations of Ollama report it.
async fn listed_window(transport: &Transport, model: &str, patience: Duration) -> Option<u64> {
    let list = Question::Get("/v1/models");
    let list = ask(
        transport,
        list,
        patience,
        "its answer holds no list of models",
        parse_list,
    )
    .await;
    list.ok()?.into_iter().find(|listed| listed.is(model))?.context
}

pub(crate) async fn runs_with(transport: &Transport, model: &str, patience: Duration) -> Option<u64> {
    loaded_window(transport, model, patience).await?
}

/// Returns the window of a loaded model. `None` if the model is not loaded, `Some(None)` if the window is unknown.
async fn loaded_window(transport: &Transport, model: &str, patience: Duration) -> Option<Option<u64>> {
    let list = Question::Get("/api/ps");
    let list = ask(transport, list, patience, "its answer lists no running models", object).await;
    parse_loaded(&list.ok()?, model)
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

/// Parses `/api/show`. Takes the window from the parameters that are stored with the model.
fn parse_show(show: &Value) -> Knowledge {
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
    let weights = info.and_then(|info| info.get("general.parameter_count")?.as_u64());
    Knowledge {
        weights,
        window: own,
        most: trained,
        trained,
        tools: can("tools"),
        vision: can("vision"),
        thinking: can("thinking"),
        counts: Some(false),
        // The server does not report the number of slots. 1 is the default of `OLLAMA_NUM_PARALLEL`.
        slots: Some(1),
        ..Knowledge::default()
    }
}

/// Parses `/api/ps`. `None` if the model is not loaded, `Some(None)` if its context window is not reported.
fn parse_loaded(running: &Value, model: &str) -> Option<Option<u64>> {
    let is = |entry: &&Value| {
        ["name", "model"].iter().any(|key| {
            entry
                .get(*key)
                .and_then(Value::as_str)
                .is_some_and(|name| is_same_model(name, model))
        })
    };
    let entry = running.get("models")?.as_array()?.iter().find(is)?;
    Some(entry.get("context_length").and_then(Value::as_u64))
}

/// Chooses the context window: the window stored with the model, else the window of the loaded model, else the default.
/// The loaded model's window avoids a reload. The result is at most the window for which the model was trained.
fn window(own: Option<u64>, running: Option<u64>, trained: Option<u64>) -> u64 {
    let kept = running.filter(|running| *running >= LEAST_KEPT);
    let wanted = own.or(kept).unwrap_or(USUAL_WINDOW);
    wanted.min(trained.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
