//! Imports model endpoints: addresses and key variables. Keys are not copied.

use serde_json::{Map, Value, json};

use super::{Plan, Why, each_named, variable};

const ADDRESSES: [&str; 3] = ["base_url", "baseURL", "api_base"];
const VARIABLES: [&str; 2] = ["env_key", "api_key_env_var"];
const KEYS: [&str; 2] = ["api_key", "apiKey"];

pub(super) fn all(plan: &mut Plan, key: &str, value: &Value) {
    each_named(plan, key, value, one);
}

fn one(plan: &mut Plan, key: &str, name: &str, of: &Value) {
    let theirs = format!("{key}.{name}");
    let word = |name: &str| {
        let options = of.get("options").and_then(|options| options.get(name));
        of.get(name).or(options).and_then(Value::as_str)
    };
    let Some(address) = ADDRESSES.into_iter().find_map(word) else {
        return plan.leave(theirs, Why::Nothing);
    };
    if address.contains(['?', '@']) {
        return plan.leave(theirs, Why::Secret);
    }
    let speaks = ["wire_api", "type", "api_style", "npm"].into_iter().find_map(word);
    let api = match speaks {
        Some("anthropic" | "@ai-sdk/anthropic") => Some("anthropic"),
        Some("ollama" | "ollama-ai-provider") => Some("ollama"),
        Some("responses" | "openai-responses") => Some("openai-responses"),
        _ => None,
    };
    let mut ours = Map::new();
    ours.insert("base_url".to_owned(), json!(address));
    if let Some(api) = api {
        ours.insert("api".to_owned(), json!(api));
    }
    let named = VARIABLES.into_iter().find_map(word).filter(|name| !name.is_empty());
    let written = KEYS.into_iter().find_map(word).filter(|key| !key.is_empty());
    match (named.map(str::to_owned).or_else(|| written.and_then(variable)), written) {
        (Some(variable), _) => drop(ours.insert("api_key_env".to_owned(), json!([variable]))),
        (None, Some(_)) => plan.leave(format!("{theirs}.api_key"), Why::Secret),
        (None, None) => {}
    }
    plan.set(&["provider", name], Value::Object(ours), theirs);
}
