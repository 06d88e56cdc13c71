//! Resolves model names, and the key of each endpoint.

use super::hosts::server;
use super::settings::{ModelSettings, ProviderSettings, ServerPlace, Settings};
use benchdog_base::environment::Environment;
use benchdog_domain::agent::ModelRef;

/// Model name that lets Benchdog choose a model of the configured servers.
pub const AUTO: &str = "auto";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("no provider is configured, so there is no model `{0}`")]
    NoProvider(String),
    #[error("no model is named")]
    Empty,
    #[error("`auto` has to be chosen from what the servers offer")]
    Auto,
}

/// Resolves a model name. The first segment is a provider only if it is configured, because ids may contain slashes.
pub fn resolve_model(text: &str, settings: &Settings) -> Result<ModelRef, ModelError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ModelError::Empty);
    }
    if text == AUTO {
        return Err(ModelError::Auto);
    }
    if let Some(model) = by_alias(text, settings) {
        return Ok(model);
    }
    if let Some((provider, "")) = text.split_once('/')
        && settings.provider(provider).is_some()
    {
        return Err(ModelError::Empty);
    }
    if let Some((provider, id)) = text.split_once('/')
        && settings.provider(provider).is_some()
    {
        return Ok(ModelRef {
            provider: provider.to_owned(),
            id: id.to_owned(),
        });
    }
    match settings.provider.first() {
        Some((provider, _)) => Ok(ModelRef {
            provider: provider.clone(),
            id: text.to_owned(),
        }),
        None => Err(ModelError::NoProvider(text.to_owned())),
    }
}

/// Returns the model with this alias, with or without its provider. A configured model with this id takes precedence.
fn by_alias(text: &str, settings: &Settings) -> Option<ModelRef> {
    let is_id = |provider: &ProviderSettings, text: &str| provider.models.iter().any(|(id, _)| id == text);
    settings.provider.iter().find_map(|(name, provider)| {
        let alone = text.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix('/'));
        let alias = alone.unwrap_or(text);
        let named = |(_, model): &&(String, ModelSettings)| model.alias.as_deref() == Some(alias);
        let (id, _) = provider.models.iter().find(named).filter(|_| !is_id(provider, alias))?;
        Some(ModelRef {
            provider: name.clone(),
            id: id.clone(),
        })
    })
}

/// Returns the key of an endpoint from variables, or else from the stored keys. If `api_key_env` is set, only those
/// variables are used. A vendor's variable is used only for that vendor.
pub fn api_key(provider: &ProviderSettings, environment: &Environment) -> Option<String> {
    let variable = key_variable(provider, environment);
    let held = variable.and_then(|name| environment.get(&name).map(str::to_owned));
    held.or_else(|| provider.stored_key.clone())
}

/// Returns all secrets of an endpoint: its key and header values.
pub fn keys(provider: &ProviderSettings, environment: &Environment) -> Vec<String> {
    let headers = provider.headers.iter().map(|(_, value)| {
        // The scheme in `Bearer KEY` is not a secret.
        value.split_once(' ').map_or(value.as_str(), |(_, key)| key).to_owned()
    });
    let named = provider
        .api_key_env
        .iter()
        .filter_map(|name| environment.get(name).map(str::to_owned));
    let stored = provider.stored_key.clone();
    headers
        .chain(named)
        .chain(stored)
        .chain(api_key(provider, environment))
        .collect()
}

/// Returns the names of all configured key variables, and of the usual variables that provide a key now.
pub fn key_variables(settings: &Settings, environment: &Environment) -> Vec<String> {
    let own = ["BENCHDOG_API_KEY", "AGENT_API_KEY"].map(str::to_owned);
    let providers = || settings.provider.iter().map(|(_, provider)| provider);
    let named = providers().flat_map(|provider| provider.api_key_env.iter().cloned());
    let used = providers().filter_map(|provider| key_variable(provider, environment));
    let tokens = settings.servers.iter().flat_map(|server| match &server.place {
        ServerPlace::Address(address) => address.variables(),
        ServerPlace::Program { .. } => Vec::new(),
    });
    own.into_iter().chain(named).chain(used).chain(tokens).collect()
}

pub fn key_variable(provider: &ProviderSettings, environment: &Environment) -> Option<String> {
    let usual = ["BENCHDOG_API_KEY", "AGENT_API_KEY", "DASHSCOPE_API_KEY"];
    let openai = [
        "BENCHDOG_API_KEY",
        "AGENT_API_KEY",
        "OPENAI_API_KEY",
        "DASHSCOPE_API_KEY",
    ];
    let anthropic = [
        "BENCHDOG_API_KEY",
        "AGENT_API_KEY",
        "ANTHROPIC_API_KEY",
        "DASHSCOPE_API_KEY",
    ];
    let configured = provider.api_key_env.iter().map(String::as_str);
    let host = server(&provider.base_url).map(|server| server.host);
    let names: Vec<&str> = match host.as_deref() {
        _ if !provider.api_key_env.is_empty() => configured.collect(),
        Some("api.openai.com") => openai.to_vec(),
        Some("api.anthropic.com") => anthropic.to_vec(),
        _ => usual.to_vec(),
    };
    names
        .into_iter()
        .find(|name| environment.get(name).is_some())
        .map(str::to_owned)
}
