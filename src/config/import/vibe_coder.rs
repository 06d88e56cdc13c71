//! Imports vibe-coder (vibe-local) from `~/.config/vibe-local` and `~/.config/vibe-coder`: `KEY=VALUE` lines,
//! `permissions.json`, `mcp.json`, and skills.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{FORM, Plan, Why, Written, file, rules, servers};
use crate::hosts::ollama_address;
use benchdog_base::document;
use benchdog_base::problem::Problem;

/// Later folders override earlier ones.
const FOLDERS: [&str; 2] = [".config/vibe-coder", ".config/vibe-local"];

const OLLAMA: &str = "ollama";

/// Tool for which vibe-coder ignores `allow` in its own file.
const NEVER_ALLOWED: &str = "Bash";

pub(super) fn plan(home: &Path) -> Result<Plan, Vec<Problem>> {
    let mut plan = Plan::default();
    let mut fields: Map<String, Value> = Map::new();
    for folder in FOLDERS.map(|folder| home.join(folder)) {
        let path = folder.join("config");
        let Ok(meta) = std::fs::symlink_metadata(&path) else {
            continue;
        };
        if !meta.is_file() {
            plan.leave(path.display().to_string(), Why::Link);
            continue;
        }
        let bytes = document::read(&path, FORM).map_err(|problem| vec![problem])?;
        let text = document::text(&path.display().to_string(), bytes.unwrap_or_default());
        fields.extend(lines(&text.map_err(|problem| vec![problem])?));
        plan.read.push(path);
    }
    all(&mut plan, &fields);
    for (name, key) in [("permissions.json", None), ("mcp.json", Some("mcpServers"))] {
        let path = home.join(FOLDERS[1]).join(name);
        let Some(root) = file(&path)? else { continue };
        plan.read.push(path);
        match key {
            None => root.iter().for_each(|(tool, action)| rule(&mut plan, tool, action)),
            Some(key) => {
                for (other, value) in &root {
                    if other == key {
                        servers::all(&mut plan, key, value, Written::Program);
                    } else {
                        plan.leave(format!("{name}: {other}"), Why::Nothing);
                    }
                }
            }
        }
    }
    let skills = home.join(FOLDERS[1]).join("skills");
    if skills.is_dir() {
        let written = format!("~/{}/skills", FOLDERS[1]);
        plan.read.push(skills);
        plan.set(&["skills", "paths"], json!([written]), written.clone());
    }
    Ok(plan)
}

fn lines(text: &str) -> Vec<(String, Value)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once('='));
    let pairs = pairs.map(|(name, value)| (name.trim(), value.trim().trim_matches(['"', '\''])));
    let said = pairs.filter(|(_, value)| !value.is_empty());
    said.map(|(name, value)| (name.to_owned(), json!(value))).collect()
}

fn all(plan: &mut Plan, fields: &Map<String, Value>) {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let (model, host) = (text("MODEL"), text("OLLAMA_HOST"));
    let secret = host.is_some_and(|host| host.contains(['@', '?']));
    let has_models = model.or(text("SIDECAR_MODEL")).or(host).is_some();
    if secret {
        plan.leave("OLLAMA_HOST", Why::Secret);
    } else if has_models {
        let address = ollama_address(host.unwrap_or("localhost"));
        let theirs = if host.is_some() { "OLLAMA_HOST" } else { "MODEL" };
        plan.set(
            &["provider", OLLAMA],
            json!({"api": "ollama", "base_url": address}),
            theirs,
        );
    }
    for (name, value) in fields {
        let written = value.as_str().unwrap_or_default();
        let number = serde_json::from_str::<Value>(written).ok().filter(Value::is_number);
        match (name.as_str(), number, model) {
            ("OLLAMA_HOST", ..) => {}
            ("MODEL" | "SIDECAR_MODEL", ..) if !secret => {
                let ours = if name == "MODEL" { "model" } else { "small_model" };
                plan.set(&[ours], json!(format!("{OLLAMA}/{written}")), name);
            }
            ("MAX_TOKENS" | "CONTEXT_WINDOW" | "TEMPERATURE", Some(number), Some(model)) if !secret => {
                let ours = match name.as_str() {
                    "MAX_TOKENS" => "output",
                    "CONTEXT_WINDOW" => "context",
                    _ => "temperature",
                };
                plan.set(&["provider", OLLAMA, "models", model, ours], number, name);
            }
            ("MAX_TOKENS" | "CONTEXT_WINDOW" | "TEMPERATURE", None, _) => plan.leave(name, Why::Form),
            _ => plan.leave(name, Why::Nothing),
        }
    }
}

fn rule(plan: &mut Plan, tool: &str, action: &Value) {
    let theirs = format!("permissions.{tool}");
    match action.as_str() {
        Some("allow") if tool == NEVER_ALLOWED => plan.leave(theirs, Why::Nothing),
        Some(action) => rules::rule(plan, tool, "*", action, theirs),
        None => plan.leave(theirs, Why::Form),
    }
}

#[cfg(test)]
mod tests;
