//! Imports MCP servers, from an object with names as keys or from a list of objects with names.

use serde_json::{Map, Value, json};

use super::harmless::{is_harmless, is_of_variables};
use super::{Plan, Why, Written, each_named, variable, with_variables};
use crate::secret::{TOKENS, is_secret_name};
use benchdog_base::text::clean;

pub(super) fn all(plan: &mut Plan, key: &str, value: &Value, written: Written) {
    each_named(plan, key, value, |plan, key, name, of| {
        one(plan, (key, name), of, written)
    });
}

fn one(plan: &mut Plan, (key, name): (&str, &str), of: &Value, written: Written) {
    let theirs = format!("{key}.{name}");
    let Value::Object(fields) = of else {
        return plan.leave(theirs, Why::Form);
    };
    let mut ours = Map::new();
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let command = match command(fields, written) {
        Ok(command) => command,
        Err(why) => return plan.leave(format!("{theirs}.command"), why),
    };
    match (command, ["url", "httpUrl"].into_iter().find_map(word)) {
        (Some(words), _) if hold_secret(&words) => {
            return plan.leave(theirs, Why::Secret);
        }
        // Benchdog does not expand variables in arguments.
        (Some(words), _) if words.iter().any(|word| word.contains("${")) => return plan.leave(theirs, Why::Nothing),
        (Some(words), _) => drop(ours.insert("command".to_owned(), json!(words))),
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
            "cwd" if value.as_str().is_some_and(|cwd| !cwd.contains('$')) => {
                drop(ours.insert("cwd".to_owned(), value.clone()))
            }
            "disabled_tools" | "disabledTools" | "excludeTools" if is_texts(value) => {
                ours.insert("disabled_tools".to_owned(), value.clone());
            }
            "startup_timeout_sec" => time(plan, &mut ours, "start_timeout_ms", &at, value),
            "tool_timeout_sec" => time(plan, &mut ours, "timeout_ms", &at, value),
            "enabled" if value.is_boolean() => drop(ours.insert("enabled".to_owned(), value.clone())),
            "disabled" if value.is_boolean() => {
                ours.insert("enabled".to_owned(), json!(*value == Value::Bool(false)));
            }
            _ => plan.leave(at, Why::Nothing),
        }
    }
    plan.set(&["mcp", name], Value::Object(ours), theirs);
}

fn is_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
}

fn time(plan: &mut Plan, ours: &mut Map<String, Value>, key: &str, theirs: &str, value: &Value) {
    let within = value.as_f64().map(|seconds| (seconds * 1_000.0).round());
    match within.filter(|ms| (100.0..=3_600_000.0).contains(ms)) {
        Some(ms) => drop(ours.insert(key.to_owned(), plain(ms))),
        None => plan.leave(theirs, Why::Form),
    }
}

fn plain(number: f64) -> Value {
    serde_json::from_str(&format!("{number:.0}")).unwrap_or(Value::Null)
}

fn command(fields: &Map<String, Value>, written: Written) -> Result<Option<Vec<String>>, Why> {
    let texts = |value: &Value| match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => None,
    };
    let words = match fields.get("command") {
        None => return Ok(None),
        Some(Value::String(line)) if written == Written::Line => Some(split(line)?),
        Some(words) => texts(words),
    };
    let args = fields.get("args").map(texts);
    let (Some(mut words), Some(args)) = (words, args.unwrap_or_else(|| Some(Vec::new()))) else {
        return Ok(None);
    };
    words.extend(args);
    let words: Vec<String> = words.iter().map(|word| with_variables(word)).collect();
    Ok((!words.is_empty()).then_some(words))
}

/// Splits a command line into words. The error message omits a line that contains secrets.
fn split(line: &str) -> Result<Vec<String>, Why> {
    shell_words::split(line).map_err(|_| {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match hold_secret(&words) {
            true => Why::Secret,
            false => Why::Quotes(clean(line).into_owned()),
        }
    })
}

pub(super) fn hold_secret(words: &[String]) -> bool {
    words.iter().any(|word| holds_secret(word)) || names_secret(words)
}

/// Whether a word contains a secret: `--token=…`, `Authorization: …`, a token, or a URL with a secret.
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

/// Whether the words contain an option for a secret with a separate value, such as `--token`.
fn names_secret(words: &[String]) -> bool {
    words.windows(2).any(|pair| {
        matches!(pair, [flag, value] if flag.starts_with('-') && !flag.contains('=') && is_secret_name(flag)
            && !value.starts_with('-') && variable(value).is_none())
    })
}

/// Imports variables or headers. A value that may be a secret becomes a variable reference.
fn pairs(plan: &mut Plan, ours: &mut Map<String, Value>, key: &str, theirs: &str, value: &Value) {
    let mut kept = Map::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        let at = format!("{theirs}.{name}");
        let Some(text) = value.as_str().map(with_variables) else {
            plan.leave(at, Why::Form);
            continue;
        };
        let may_stay = match key {
            "headers" => is_plain_header(name) || is_of_variables(&text),
            _ => is_harmless(name, &text),
        };
        if may_stay {
            kept.insert(name.clone(), json!(text));
        } else if key == "headers" {
            plan.leave(at, Why::Secret);
        } else {
            kept.insert(name.clone(), json!(format!("${{{name}}}")));
            plan.leave(at, Why::Variable(name.clone()));
        }
    }
    if !kept.is_empty() {
        ours.insert(key.to_owned(), Value::Object(kept));
    }
}

fn is_plain_header(name: &str) -> bool {
    ["accept", "content-type", "user-agent"].contains(&name.to_ascii_lowercase().as_str())
}
