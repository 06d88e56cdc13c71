//! Settings that a person can change one by one. Secrets are excluded.

use serde_json::Value;

use super::explain;
use super::layers::Origin;
use super::load::Loaded;
use super::schema::{self, Key, Kind};
use super::variables;
use benchdog_base::document;
use benchdog_domain::permission::Layer;
use benchdog_domain::setting::Setting;

const AT_START: [&str; 10] = [
    "files.encoding",
    "ui.language",
    "ui.ambiguous_width",
    "ui.notify",
    "logs.level",
    "logs.max_bytes",
    "logs.files",
    "checkpoint.max_file",
    "tools.paths",
    "telemetry.endpoint",
];
const OF_THE_FILE: [&str; 2] = ["$schema", "version"];

pub fn offered(loaded: &Loaded) -> Vec<Setting> {
    let keys = schema::KEYS.iter().filter(|key| is_offered(key));
    keys.flat_map(|key| {
        let parts: Vec<&'static str> = key.path.split('.').collect();
        let mut paths = Vec::new();
        expand(loaded, &parts, &mut Vec::new(), &mut paths);
        paths.into_iter().filter_map(|path| one(loaded, key, path))
    })
    .collect()
}

pub fn rows() -> Vec<&'static str> {
    schema::KEYS
        .iter()
        .filter(|key| is_offered(key))
        .map(|key| key.path)
        .collect()
}

fn is_offered(key: &Key) -> bool {
    let of_one_line = match key.kind {
        Kind::Hooks | Kind::Table | Kind::Names | Kind::Rules | Kind::Open => false,
        Kind::Text
        | Kind::TextOrNull
        | Kind::Address
        | Kind::Server
        | Kind::Texts
        | Kind::Switch
        | Kind::Stay
        | Kind::Whole { .. }
        | Kind::Number { .. }
        | Kind::WholeOrNull { .. }
        | Kind::NumberOrNull { .. }
        | Kind::Shares
        | Kind::Choice(_)
        | Kind::LogFilter
        | Kind::TextOrTexts => true,
    };
    // A key below a custom name can only be edited in the file.
    of_one_line && !OF_THE_FILE.contains(&key.path) && !key.path.ends_with(".*")
}

fn expand(loaded: &Loaded, parts: &[&str], path: &mut Vec<String>, into: &mut Vec<Vec<String>>) {
    match parts {
        [] => into.push(path.clone()),
        ["*", rest @ ..] => {
            let above: Vec<&str> = path.iter().map(String::as_str).collect();
            let names: Vec<String> = loaded.layers.names(&above).into_iter().map(str::to_owned).collect();
            for name in names {
                path.push(name);
                expand(loaded, rest, path, into);
                path.pop();
            }
        }
        [first, rest @ ..] => {
            path.push((*first).to_owned());
            expand(loaded, rest, path, into);
            path.pop();
        }
    }
}

fn one(loaded: &Loaded, key: &Key, path: Vec<String>) -> Option<Setting> {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let given = loaded.layers.nearest(&names);
    let value = match given {
        Some(origin) => Some(origin.value.clone()),
        None => serde_json::from_str(key.default).ok(),
    };
    if value.as_ref().is_some_and(|value| explain::hides(&names, value)) {
        return None;
    }
    let name = path.join(".");
    Some(Setting {
        value: value.as_ref().map(Value::to_string).unwrap_or_default(),
        written: value.map(|value| written(key, &value)).unwrap_or_default(),
        layer: given.map_or(Layer::Default, |origin| origin.layer),
        place: given.map(place).unwrap_or_default(),
        key: key.path,
        about: key.doc,
        wants: key.kind.expected(),
        choices: match key.kind {
            Kind::Switch => ["true", "false"].map(str::to_owned).to_vec(),
            Kind::Choice(choices) => choices.iter().map(|choice| (*choice).to_owned()).collect(),
            _ => Vec::new(),
        },
        is_list: is_list(key.kind),
        at_start: AT_START.contains(&name.as_str()),
        path,
    })
}

fn is_list(kind: Kind) -> bool {
    matches!(kind, Kind::Texts | Kind::TextOrTexts)
}

/// Whether the text is an invalid JSON list, which would otherwise be stored as a single text.
pub fn is_torn(setting: &Setting, written: &str) -> bool {
    let begins = written.trim_start().starts_with(['[', '"']);
    setting.is_list && begins && serde_json::from_str::<Value>(written).is_err()
}

fn place(origin: &Origin) -> String {
    match origin.layer {
        Layer::Environment => origin.place.trim_end_matches(":1").to_owned(),
        _ => origin.place.clone(),
    }
}

/// Formats a value for editing. An empty list that is the default becomes an empty line.
fn written(key: &Key, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Array(items) if items.is_empty() && is_list(key.kind) && key.default == "[]" => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns the person's file with one changed setting. Empty text removes the setting. `None` for an invalid path.
pub fn changed(text: &str, path: &[String], written: &str) -> Option<String> {
    let kind = schema::find(path).filter(|key| is_offered(key))?.kind;
    let value = (!written.is_empty()).then(|| variables::value(Some(kind), written));
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    document::change(text, &names, value.as_ref())
}
