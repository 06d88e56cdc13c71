//! Imports aider's `~/.aider.conf.yml`: endpoints, models, files to read, and the test command. Keys are not copied.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::servers::hold_secret;
use super::{FORM, Plan, Why};
use crate::hosts::ollama_address;
use crate::secret::is_secret_name;
use benchdog_base::document;
use benchdog_base::front_matter::{self, FrontMatterError};
use benchdog_base::problem::{Location, Problem};

const FILE: &str = ".aider.conf.yml";

const OLLAMA: [&str; 2] = ["ollama_chat/", "ollama/"];
const OPENAI: &str = "openai/";

pub(super) fn plan(home: &Path) -> Result<Plan, Vec<Problem>> {
    let mut plan = Plan::default();
    let path = home.join(FILE);
    let shown = path.display().to_string();
    let Some(bytes) = document::read(&path, FORM).map_err(|problem| vec![problem])? else {
        return Ok(plan);
    };
    let text = document::text(&shown, bytes).map_err(|problem| vec![problem])?;
    plan.read.push(path);
    let wrong = |FrontMatterError { line, why }: FrontMatterError| {
        let place = Location {
            file: shown.clone(),
            line: usize::try_from(line).unwrap_or(usize::MAX),
            column: 1,
        };
        vec![Problem::new(place, why)]
    };
    match front_matter::tree(&shown, &text, 1, &[]).map_err(wrong)?.to_value() {
        Value::Object(fields) => all(&mut plan, &fields),
        Value::Null => {}
        _ => {
            return Err(vec![Problem::new(
                Location::file(&shown),
                "a configuration must be keys with values",
            )]);
        }
    }
    Ok(plan)
}

/// Imports endpoints before models, because models refer to endpoints.
fn all(plan: &mut Plan, fields: &Map<String, Value>) {
    let named = |wanted: &str| {
        let found = fields.iter().find(|(name, _)| name.replace('_', "-") == wanted);
        found.map(|(_, value)| value)
    };
    let variables = texts(named("set-env"));
    let variable = |wanted: &str| {
        let mut pairs = variables.iter().filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == wanted).map(|(_, value)| value)
    };
    let models = [("model", "model"), ("weak-model", "small_model")];
    let models = models.map(|(theirs, ours)| (theirs, ours, named(theirs).and_then(Value::as_str)));
    let asks = |server: &str| {
        models
            .iter()
            .any(|(_, _, model)| model.is_some_and(|model| model.starts_with(server)))
    };
    let openai = named("openai-api-base")
        .and_then(Value::as_str)
        .or_else(|| variable("OPENAI_API_BASE"));
    let openai = openai.is_some_and(|address| {
        let ours = json!({"base_url": address, "api_key_env": ["OPENAI_API_KEY"]});
        endpoint(plan, "openai", "openai-api-base", address, ours)
    });
    let ollama = variable("OLLAMA_API_BASE").or_else(|| OLLAMA.into_iter().any(asks).then_some("localhost"));
    let ollama = ollama.is_some_and(|host| {
        let ours = json!({"api": "ollama", "base_url": ollama_address(host)});
        endpoint(plan, "ollama", "OLLAMA_API_BASE", host, ours)
    });
    for (theirs, ours, model) in models {
        let Some(model) = model else { continue };
        let of_ollama = OLLAMA.into_iter().find_map(|server| model.strip_prefix(server));
        match (of_ollama, model.strip_prefix(OPENAI)) {
            (Some(name), _) if ollama => plan.set(&[ours], json!(format!("ollama/{name}")), theirs),
            (None, Some(name)) if openai => plan.set(&[ours], json!(format!("openai/{name}")), theirs),
            _ => plan.leave(format!("{theirs}: {model}"), Why::Nothing),
        }
    }
    for (name, value) in fields {
        rest(plan, name, value, named("auto-test") == Some(&Value::Bool(true)));
    }
}

fn endpoint(plan: &mut Plan, name: &str, theirs: &str, address: &str, ours: Value) -> bool {
    if address.contains(['?', '@']) {
        plan.leave(theirs, Why::Secret);
        return false;
    }
    plan.set(&["provider", name], ours, theirs);
    true
}

fn words_of(command: &Value) -> Vec<String> {
    let words = command.as_str().unwrap_or_default().split_whitespace();
    words.map(str::to_owned).collect()
}

fn rest(plan: &mut Plan, name: &str, value: &Value, tests_by_itself: bool) {
    // A key of the file is the name of a command-line option without `--`.
    match format!("--{}", name.replace('_', "-")).as_str() {
        "--model" | "--weak-model" | "--openai-api-base" | "--auto-test" => {}
        "--read" => plan.set(&["instructions"], json!(texts(Some(value))), name),
        "--test-cmd" if hold_secret(&words_of(value)) => plan.leave(name, Why::Secret),
        "--test-cmd" if value.is_string() => {
            plan.set(&["validation", "command"], value.clone(), name);
            plan.set(&["validation", "auto"], json!(tests_by_itself), "auto-test");
        }
        "--vim" if value.is_boolean() => plan.set(&["ui", "vim"], value.clone(), name),
        "--set-env" => {
            for pair in texts(Some(value)) {
                let called = pair.split('=').next().unwrap_or_default();
                match called {
                    "OPENAI_API_BASE" | "OLLAMA_API_BASE" => {}
                    _ if is_secret_name(called) => plan.leave(format!("{name}: {called}"), Why::Secret),
                    _ => plan.leave(format!("{name}: {called}"), Why::Nothing),
                }
            }
        }
        other if other.ends_with("api-key") => plan.leave(name, Why::Secret),
        _ => plan.leave(name, Why::Nothing),
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(|item| Some(item.as_str()?.to_owned()))
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
