//! Logs of vibe: `~/.vibe/logs/session/NAME/messages.jsonl`, with a description in `meta.json`.

use std::path::Path;

use serde_json::Value;

use super::SessionsError;
use super::builder::{Builder, arguments, text_of};
use benchdog_base::clock::Time;
use benchdog_domain::tool::CallStatus;

pub(super) const MESSAGES: &str = "messages.jsonl";
pub(super) const DESCRIPTION: &str = "meta.json";

/// Returns the description next to the log. `None` if there is no description. Only the log is then imported.
pub(super) fn description(file: &Path) -> Option<Value> {
    if file.file_name()? != MESSAGES {
        return None;
    }
    let bytes = std::fs::read(file.with_file_name(DESCRIPTION)).ok()?;
    serde_json::from_slice(&bytes).ok()
}

pub(super) fn describe(builder: &mut Builder, description: &Value) {
    let text = |key: &str| description.get(key).and_then(Value::as_str);
    builder.at(text("start_time").and_then(Time::of_rfc3339));
    builder.title(text("title").unwrap_or_default());
    if let Some(folder) = description
        .pointer("/environment/working_directory")
        .and_then(Value::as_str)
    {
        builder.workspace(folder);
    }
    if let Some(model) = description.pointer("/config/active_model").and_then(Value::as_str) {
        builder.model(model);
    }
}

pub(super) fn read(builder: &mut Builder, line: &Value) -> Result<(), SessionsError> {
    let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default();
    let content = line.get("content").map(text_of).unwrap_or_default();
    match text("role") {
        "user" if !content.trim().is_empty() => builder.prompt(&content),
        "assistant" => {
            builder.thought(text("reasoning_content"));
            builder.said(&content);
            for call in line.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
                let part = |path: &str| call.pointer(path).and_then(Value::as_str).unwrap_or_default();
                builder.call(
                    part("/id"),
                    part("/function/name"),
                    arguments(part("/function/arguments")),
                );
            }
            Ok(())
        }
        "tool" => builder.result(text("tool_call_id"), CallStatus::Ok, &content),
        _ => Ok(()),
    }
}
