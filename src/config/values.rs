//! Checks combinations of values that have no effect together.

use serde_json::Value;

use super::check::is_address;
use super::layers::Layers;
use super::models::{AUTO, resolve_model};
use super::settings::{Settings, StrictTools};
use benchdog_base::problem::{Location, Problem};
use benchdog_domain::agent::Api;

pub(super) fn without_effect(layers: &Layers, settings: &Settings) -> Vec<Problem> {
    let at = |path: &[&str]| {
        let place = layers.nearest(path).map(|origin| origin.place.clone());
        Location::file(&place.unwrap_or_default())
    };
    let mut problems = Vec::new();
    for model in &settings.fallback {
        if let Err(error) = resolve_model(model, settings) {
            let told = match model.trim() {
                AUTO => "`fallback` names models, and `auto` is none".to_owned(),
                _ => format!("`fallback` names models: {error} by `{model}`"),
            };
            problems.push(Problem::new(at(&["fallback"]), told));
        }
    }
    for agent in &settings.agents {
        if let Some(Err(error)) = agent.model.as_ref().map(|model| resolve_model(model, settings)) {
            let path = ["agent", agent.name.as_str(), "model"];
            let told = format!("`{}`: {error}", path.join("."));
            problems.push(Problem::new(at(&path), told));
        }
    }
    let proxy = settings.network.proxy.as_deref();
    if proxy.is_some_and(|proxy| proxy != "none" && !is_address(proxy)) {
        let told = "`network.proxy` must be an address of the form `http://HOST:PORT`, or `none`";
        problems.push(Problem::new(at(&["network", "proxy"]), told));
    }
    for (name, provider) in &settings.provider {
        if provider.strict_tools == StrictTools::On && !matches!(provider.api, Api::OpenAi | Api::Responses) {
            let path = ["provider", name.as_str(), "strict_tools"];
            let told = format!("`{}` can only be `on` where `api` is `openai` or `openai-responses`", path.join("."));
            problems.push(Problem::new(at(&path), told));
        }
        for (id, model) in &provider.models {
            let path = ["provider", name.as_str(), "models", id.as_str(), "extra_body"];
            if model
                .extra_body
                .get("messages")
                .is_some_and(|messages| *messages != Value::Null)
            {
                let told = format!("`{}` cannot replace `messages`", path.join("."));
                problems.push(Problem::new(at(&path), told));
            }
        }
    }
    problems
}
