//! The output of `config show`, `explain`, `path`, `schema` and `check`. Secrets are hidden.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::layers::{Given, Origin, place_value};
use super::load::Loaded;
use super::problem::ConfigError;
use super::schema::{self, Key};
use super::secret::{HIDDEN, is_secret_name, words_without_secrets};
use benchdog_base::problem::{Location, Problem};
use benchdog_domain::permission::Layer;

pub fn show(loaded: &Loaded) -> String {
    let mut whole = Map::new();
    for key in schema::KEYS.iter().filter(|key| !key.path.contains('*')) {
        if let Ok(default) = serde_json::from_str::<Value>(key.default) {
            let path: Vec<&str> = key.path.split('.').collect();
            place_value(&mut whole, &path, default);
        }
    }
    merge(&mut whole, loaded.layers.merged());
    let shown = redacted(&[], &Value::Object(whole));
    let mut text = serde_json::to_string_pretty(&shown).unwrap_or_default();
    text.push('\n');
    text
}

fn merge(into: &mut Map<String, Value>, nearer: Map<String, Value>) {
    for (name, value) in nearer {
        match (into.get_mut(&name), value) {
            (Some(Value::Object(old)), Value::Object(new)) => merge(old, new),
            (_, value) => {
                into.insert(name, value);
            }
        }
    }
}

pub fn explain(loaded: &Loaded, name: &str) -> Result<String, Problem> {
    let name = name.trim().trim_matches('.');
    let mut given = loaded.layers.all();
    given.retain(|given| is_under(&given.name(), name));
    let path = given
        .iter()
        .find(|given| given.name() == name)
        .map_or_else(|| name.split('.').collect::<Vec<_>>(), |given| given.path.clone());
    let key = schema::find(&path).or_else(|| container(&given, name));
    if key.is_none() && given.is_empty() {
        return Err(unknown(&path));
    }
    let mut text = String::new();
    if let Some(key) = key {
        let _ = writeln!(text, "{}", key.doc);
    }
    for given in &given {
        text.push_str(&one(given));
    }
    for key in defaults_under(name, &given) {
        let _ = writeln!(text, "{} = {}\n  the default", key.path, key.default);
    }
    if given.is_empty() && key.is_some_and(|key| key.default.is_empty() && !key.kind.is_merged()) {
        let _ = writeln!(text, "{name} is not set");
    }
    if name == "permission" || name.starts_with("permission.") {
        text.push_str("A deny of any layer is final; otherwise the nearer layer wins.\n");
    }
    Ok(text)
}

fn is_under(name: &str, prefix: &str) -> bool {
    name == prefix || name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
}

fn container(given: &[Given<'_>], name: &str) -> Option<&'static Key> {
    let first = given.first()?;
    (1..=first.path.len())
        .filter_map(|depth| first.path.get(..depth))
        .find(|path| path.join(".") == name)
        .and_then(schema::find)
}

fn unknown(path: &[&str]) -> Problem {
    let known = (0..path.len())
        .rev()
        .filter_map(|depth| path.split_at_checked(depth))
        .find(|(parent, _)| parent.is_empty() || schema::find(parent).is_some());
    let suggestion = known.and_then(|(parent, rest)| schema::suggestion(parent, rest.first()?));
    Problem {
        place: Location::file("config"),
        text: format!("`{}` is not a known key", path.join(".")),
        suggestion,
    }
}

fn one(given: &Given<'_>) -> String {
    let mut text = String::new();
    let mut origins = given.origins.iter().rev();
    if let Some(origin) = origins.next() {
        let _ = writeln!(
            text,
            "{} = {}\n  set by {}",
            given.name(),
            value(given, origin),
            by(origin)
        );
    }
    for origin in origins {
        let _ = writeln!(text, "  over {}: {}", by(origin), value(given, origin));
    }
    if let Some(key) = schema::find(&given.path).filter(|key| !key.default.is_empty() && !key.kind.is_merged()) {
        let _ = writeln!(text, "  over the default: {}", key.default);
    }
    text
}

fn value(given: &Given<'_>, origin: &Origin) -> String {
    redacted(&given.path, &origin.value).to_string()
}

fn by(origin: &Origin) -> String {
    let layer = layer(origin.layer);
    format!("{layer} {}", origin.place)
}

fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::User => "your file",
        Layer::Project => "the project's file",
        Layer::File => "the named file",
        Layer::Environment => "the variable",
        Layer::Flag => "the flag",
        Layer::Guard | Layer::Default | Layer::Agent | Layer::Remembered | Layer::Session => "the default",
    }
}

fn defaults_under(name: &str, given: &[Given<'_>]) -> Vec<&'static Key> {
    schema::KEYS
        .iter()
        .filter(|key| is_under(key.path, name) && !key.path.contains('*'))
        .filter(|key| !key.default.is_empty())
        .filter(|key| !given.iter().any(|given| is_under(&given.name(), key.path)))
        .collect()
}

pub fn path(loaded: &Loaded) -> String {
    let mut text = String::new();
    for file in &loaded.files {
        let missing = if file.exists { "" } else { "  (not there)" };
        let _ = writeln!(text, "{}{missing}", file.path.display());
    }
    text
}

pub fn schema() -> String {
    let mut text = serde_json::to_string_pretty(&schema::json_schema()).unwrap_or_default();
    text.push('\n');
    text
}

pub fn check(outcome: &Result<Loaded, ConfigError>, beside: &[Problem], tools: &[String]) -> String {
    let mut text = String::new();
    for problem in beside {
        let _ = writeln!(text, "{problem}");
    }
    match outcome {
        Err(error) => {
            for problem in &error.problems {
                let _ = writeln!(text, "{problem}");
            }
        }
        Ok(loaded) => {
            for file in loaded.files.iter().filter(|file| file.exists) {
                let _ = writeln!(text, "{}: no errors", file.path.display());
            }
            if loaded.files.iter().all(|file| !file.exists) {
                let _ = writeln!(text, "There is no configuration file; the defaults are in force.");
            }
        }
    }
    if !tools.is_empty() {
        let _ = writeln!(text, "Custom tools: `{}`", tools.join("`, `"));
    }
    text
}

fn redacted(path: &[&str], value: &Value) -> Value {
    match value {
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(name, value)| {
                    let mut below = path.to_vec();
                    below.push(name);
                    (name.clone(), redacted(&below, value))
                })
                .collect(),
        ),
        Value::Array(items) if matches!(path, ["mcp", _, "command"]) => {
            let words: Vec<String> = items
                .iter()
                .filter_map(|item| item.as_str().map(str::to_owned))
                .collect();
            words_without_secrets(&words).into()
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| redacted(path, item)).collect()),
        Value::String(text) if is_secret(path) && !text.is_empty() => Value::String(HIDDEN.to_owned()),
        Value::String(text) => Value::String(without_password(text)),
        other => other.clone(),
    }
}

pub(super) fn hides(path: &[&str], value: &Value) -> bool {
    redacted(path, value) != *value
}

/// Whether a key usually contains a secret. `api_key_env` and similar keys contain only names.
fn is_secret(path: &[&str]) -> bool {
    if let ["mcp", _, key] = path
        && (*key == "auth" || key.ends_with("_env") || key.ends_with("_file"))
    {
        return false;
    }
    let free = path.contains(&"headers")
        || path.contains(&"extra_body")
        || path
            .first()
            .is_some_and(|first| ["mcp", "hooks", "network", "agent", "skills", "logs", "cache"].contains(first));
    free && path.last().is_some_and(|name| is_secret_name(name))
}

/// Removes password and query values from a URL.
pub(super) fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let tail = without_tokens(tail);
    match authority.rsplit_once('@') {
        Some((user, host)) if user.contains(':') => {
            let name = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{name}:{HIDDEN}@{host}{tail}")
        }
        _ => format!("{scheme}://{authority}{tail}"),
    }
}

fn without_tokens(tail: &str) -> String {
    let Some((path, query)) = tail.split_once('?') else {
        return tail.to_owned();
    };
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret_name(name) => format!("{name}={HIDDEN}"),
        _ => pair.to_owned(),
    });
    format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
}
