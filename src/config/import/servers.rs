//! Servers of tools, as the programs write them: an object by name, or a list of objects that have names.

use serde_json::{Map, Value, json};

use super::{Plan, Why, each_named, variable, with_variables};
use crate::config::secret::is_secret_name;

pub(super) fn all(plan: &mut Plan, key: &str, value: &Value) {
    each_named(plan, key, value, one);
}

fn one(plan: &mut Plan, key: &str, name: &str, of: &Value) {
    let theirs = format!("{key}.{name}");
    let Value::Object(fields) = of else {
        return plan.leave(theirs, Why::Form);
    };
    let mut ours = Map::new();
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    match (command(fields), ["url", "httpUrl"].into_iter().find_map(word)) {
        (Some(words), _) if hold_secret(&words) => {
            return plan.leave(theirs, Why::Secret);
        }
        // No variable stands in an argument here.
        (Some(words), _) if words.iter().any(|word| word.contains("${")) => return plan.leave(theirs, Why::Nothing),
        (Some(words), _) => drop(ours.insert("command".to_owned(), json!(words))),
        // The transport before the one that is spoken here.
        (None, Some(_)) if word("type") == Some("sse") => return plan.leave(theirs, Why::Nothing),
        (None, Some(url)) if url.contains(['?', '@']) => return plan.leave(theirs, Why::Secret),
        (None, Some(url)) => drop(ours.insert("url".to_owned(), json!(with_variables(url)))),
        (None, None) => return plan.leave(theirs, Why::Form),
    }
    for (field, value) in fields {
        let at = format!("{theirs}.{field}");
        match field.as_str() {
            "command" | "args" | "url" | "httpUrl" | "name" | "type" | "transport" => {}
            "env" | "environment" => pairs(plan, &mut ours, "environment", &at, value),
            "headers" | "http_headers" => pairs(plan, &mut ours, "headers", &at, value),
            "bearer_token_env_var" | "api_key_env" if value.is_string() => {
                ours.insert("token_env".to_owned(), json!([value]));
            }
            "enabled" if value.is_boolean() => drop(ours.insert("enabled".to_owned(), value.clone())),
            "disabled" if value.is_boolean() => {
                ours.insert("enabled".to_owned(), json!(*value == Value::Bool(false)));
            }
            _ => plan.leave(at, Why::Nothing),
        }
    }
    plan.set(&["mcp", name], Value::Object(ours), theirs);
}

/// The program and its arguments.
fn command(fields: &Map<String, Value>) -> Option<Vec<String>> {
    let texts = |value: &Value| match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => None,
    };
    let mut words: Vec<String> = texts(fields.get("command")?)?;
    if let Some(args) = fields.get("args") {
        words.extend(texts(args)?);
    }
    let words: Vec<String> = words.iter().map(|word| with_variables(word)).collect();
    (!words.is_empty()).then_some(words)
}

/// Whether the words of a command have something secret in them.
pub(super) fn hold_secret(words: &[String]) -> bool {
    words.iter().any(|word| holds_secret(word)) || names_secret(words)
}

/// How tokens begin that everybody knows.
const TOKENS: [&str; 6] = ["sk-", "ghp_", "gho_", "github_pat_", "glpat-", "xox"];

/// `--token=…`, `Authorization: …`, a token, or an address with something secret in it.
fn holds_secret(word: &str) -> bool {
    let names = |sign: char| {
        let pair = word.split_once(sign);
        pair.is_some_and(|(name, value)| is_secret_name(name) && variable(value.trim()).is_none())
    };
    let parts = word.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-'));
    names('=')
        || names(':')
        || (word.contains("://") && word.contains('@'))
        || word.contains("Bearer ")
        || parts
            .into_iter()
            .any(|part| TOKENS.iter().any(|begins| part.starts_with(begins)))
}

/// `--token` and what follows.
fn names_secret(words: &[String]) -> bool {
    words.windows(2).any(|pair| {
        matches!(pair, [flag, value] if flag.starts_with('-') && !flag.contains('=') && is_secret_name(flag)
            && !value.starts_with('-') && variable(value).is_none())
    })
}

/// Variables or headers. What is called like a secret is not copied; the variable of the same name stands for it.
fn pairs(plan: &mut Plan, ours: &mut Map<String, Value>, key: &str, theirs: &str, value: &Value) {
    let mut kept = Map::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        let at = format!("{theirs}.{name}");
        let Some(text) = value.as_str().map(with_variables) else {
            plan.leave(at, Why::Form);
            continue;
        };
        let named = text.contains("${");
        if named && !text.contains(":-") {
            kept.insert(name.clone(), json!(text));
        } else if key == "headers" && !is_plain_header(name) {
            plan.leave(at, Why::Secret);
        } else if key == "headers" || !(is_secret_name(name) || holds_secret(&text)) {
            kept.insert(name.clone(), json!(text));
        } else {
            kept.insert(name.clone(), json!(format!("${{{name}}}")));
            plan.leave(at, Why::Variable(name.clone()));
        }
    }
    if !kept.is_empty() {
        ours.insert(key.to_owned(), Value::Object(kept));
    }
}

/// Headers that carry no secret.
fn is_plain_header(name: &str) -> bool {
    ["accept", "content-type", "user-agent"].contains(&name.to_ascii_lowercase().as_str())
}
