//! Checks for combinations of values that have no effect.

use serde_json::Value;

use super::check::is_address;
use super::layers::Layers;
use super::models::{AUTO, ModelError, resolve_model};
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
    if let Some(told) = unusable_embedding_model(layers, settings) {
        let path = ["retrieval", "embedding_model"];
        problems.push(Problem::new(at(&path), format!("`{}` {told}", path.join("."))));
    }
    let proxy = settings.network.proxy.as_deref();
    if proxy.is_some_and(|proxy| proxy != "none" && !is_address(proxy)) {
        let told = "`network.proxy` must be an address of the form `http://HOST:PORT`, or `none`";
        problems.push(Problem::new(at(&["network", "proxy"]), told));
    }
    for (name, provider) in &settings.provider {
        if provider.strict_tools == StrictTools::On && !matches!(provider.api, Api::OpenAi | Api::Responses) {
            let path = ["provider", name.as_str(), "strict_tools"];
            let told = format!(
                "`{}` can only be `on` where `api` is `openai` or `openai-responses`",
                path.join(".")
            );
            problems.push(Problem::new(at(&path), told));
        }
        for (id, model) in &provider.models {
            if let Some(told) = unusable_alias(settings, name, id, model.alias.as_deref()) {
                let path = ["provider", name.as_str(), "models", id.as_str(), "alias"];
                let told = format!("`{}` {told}", path.join("."));
                problems.push(Problem::new(at(&path), told));
            }
            let path = ["provider", name.as_str(), "models", id.as_str(), "extra_body"];
            let list = match provider.api {
                Api::Responses => "input",
                Api::OpenAi | Api::Ollama | Api::Anthropic => "messages",
            };
            if model
                .extra_body
                .get(list)
                .is_some_and(|messages| *messages != Value::Null)
            {
                let told = format!("`{}` cannot replace `{list}`", path.join("."));
                problems.push(Problem::new(at(&path), told));
            }
        }
    }
    problems
}

fn unusable_embedding_model(layers: &Layers, settings: &Settings) -> Option<String> {
    let text = settings.retrieval.embedding_model.as_deref()?;
    let model = match resolve_model(text, settings) {
        Err(ModelError::Auto) => return Some(format!("must be a model, and `{AUTO}` is none")),
        Err(error) => return Some(format!("must be a model: {error}")),
        Ok(model) => model,
    };
    let provider = &model.provider;
    if settings.provider(provider).is_some_and(|of| of.api == Api::Anthropic) {
        return Some(format!(
            "is `{text}`, but the API `anthropic` of `{provider}` has no embeddings"
        ));
    }
    // Any value counts, because a higher layer may have set the index to `off`.
    let has_index = layers.value(&["retrieval", "index"]).is_some();
    (!has_index).then(|| "has no effect without `\"index\": \"lexical\"` beside it".to_owned())
}

fn unusable_alias(settings: &Settings, provider: &str, id: &str, alias: Option<&str>) -> Option<String> {
    let alias = alias?;
    if alias.is_empty() || alias.contains('/') || alias.contains(char::is_whitespace) {
        return Some("must be one word without `/`".to_owned());
    }
    if alias == AUTO {
        return Some(format!("cannot be `{AUTO}`, which means a choice by Benchdog"));
    }
    let models = || {
        let providers = settings.provider.iter();
        providers.flat_map(|(name, of)| of.models.iter().map(move |(id, model)| (name, id, model)))
    };
    let other = |name: &str, other: &str| name != provider || other != id;
    let same = models()
        .find(|(name, of, model)| other(name, of) && (of.as_str() == alias || model.alias.as_deref() == Some(alias)));
    same.map(|(name, of, _)| format!("is `{alias}`, which already names `{name}/{of}`"))
}
