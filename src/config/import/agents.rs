//! Imports agents. An agent with restricted tools is skipped, because Benchdog would give it more rights.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{FORM, Plan, Why};
use benchdog_base::document;
use benchdog_base::front_matter;

const LIMITS: [&str; 6] = [
    "tools",
    "disallowedTools",
    "permission",
    "permissions",
    "permissionMode",
    "disable",
];

pub(super) fn all(plan: &mut Plan, key: &str, value: &Value) {
    for (name, of) in value.as_object().into_iter().flatten() {
        let theirs = format!("{key}.{name}");
        match (of, of.get("prompt").and_then(Value::as_str)) {
            // Referenced files are not read.
            (Value::Object(_), Some(prompt)) if prompt.starts_with("{file:") => plan.leave(theirs, Why::Form),
            (Value::Object(fields), prompt) => one(plan, theirs, name, fields, prompt),
            _ => plan.leave(theirs, Why::Form),
        }
    }
}

/// Imports the agent files of a folder. Reports files that are not Markdown.
pub(super) fn folder(plan: &mut Plan, folder: &Path) {
    if folder.is_dir() {
        plan.read.push(folder.to_path_buf());
    }
    let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
    let mut paths: Vec<PathBuf> = entries
        .unwrap_or_default()
        .iter()
        .map(std::fs::DirEntry::path)
        .collect();
    paths.sort();
    for path in paths {
        let theirs = path.display().to_string();
        let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if !std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file()) {
            plan.leave(theirs, Why::Link);
        } else if ending == "toml" {
            plan.leave(theirs, Why::Nothing);
        } else if ending == "md" {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            match read(&path, &theirs) {
                Ok((fields, body)) => {
                    let name = fields.get("name").and_then(Value::as_str).unwrap_or(&stem).to_owned();
                    one(plan, theirs, &name, &fields, Some(&body));
                }
                Err(why) => plan.leave(theirs, Why::Refused(why)),
            }
        }
    }
}

fn read(path: &Path, theirs: &str) -> Result<(Map<String, Value>, String), String> {
    let bytes = document::read(path, FORM).map_err(|problem| problem.text)?;
    let text = document::text(theirs, bytes.unwrap_or_default()).map_err(|problem| problem.text)?;
    let parts = front_matter::parts(&text).map_err(|wrong| wrong.why)?;
    let fields = match parts.front {
        Some((front, first)) => {
            let tree = front_matter::tree(theirs, front, first, &["name", "description"]);
            tree.map_err(|wrong| wrong.why)?.to_value()
        }
        None => Value::Null,
    };
    let fields = fields.as_object().cloned().unwrap_or_default();
    Ok((fields, parts.body.to_owned()))
}

fn one(plan: &mut Plan, theirs: String, name: &str, fields: &Map<String, Value>, prompt: Option<&str>) {
    if LIMITS
        .iter()
        .any(|limit| fields.get(*limit).is_some_and(|value| !value.is_null()))
    {
        return plan.leave(theirs, Why::Limits);
    }
    let mut ours = Map::new();
    // An agent without `mode` is a subagent.
    ours.insert("mode".to_owned(), json!("subagent"));
    for (field, value) in fields {
        match (field.as_str(), value) {
            ("name" | "prompt", _) => {}
            ("description", Value::String(_)) | ("temperature" | "top_p", Value::Number(_)) => {
                ours.insert(field.clone(), value.clone());
            }
            ("steps" | "maxSteps", Value::Number(_)) => drop(ours.insert("steps".to_owned(), value.clone())),
            ("mode", Value::String(mode)) if ["primary", "subagent"].contains(&mode.as_str()) => {
                ours.insert(field.clone(), value.clone());
            }
            _ => plan.leave(format!("{theirs}: {field}"), Why::Nothing),
        }
    }
    if let Some(prompt) = prompt.map(str::trim).filter(|prompt| !prompt.is_empty()) {
        // The line break distinguishes the text from a file name.
        ours.insert("prompt".to_owned(), json!(format!("{prompt}\n")));
    }
    plan.set(&["agent", name], Value::Object(ours), theirs);
}

#[cfg(test)]
mod tests;
