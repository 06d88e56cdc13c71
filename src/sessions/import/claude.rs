//! Logs of claude-code: `~/.claude/projects/FOLDER/ID.jsonl`. An answer has one line for each of its blocks.

use serde_json::Value;

use super::SessionsError;
use super::builder::{Builder, text_of};
use benchdog_base::clock::Time;
use benchdog_domain::message::Arguments;
use benchdog_domain::tool::CallStatus;

/// Prefixes of user messages that represent local commands.
const LOCAL: &[&str] = &[
    "<command-name>",
    "<command-message>",
    "<local-command-",
    "Caveat: The messages below",
];

pub(super) fn read(builder: &mut Builder, line: &Value) -> Result<(), SessionsError> {
    let text = |key: &str| line.get(key).and_then(Value::as_str);
    let is = |key: &str| line.get(key).and_then(Value::as_bool).unwrap_or(false);
    // Side chains are subagents. Meta lines are notes of the program.
    if is("isSidechain") || is("isMeta") {
        return Ok(());
    }
    builder.at(text("timestamp").and_then(Time::of_rfc3339));
    if let Some(folder) = text("cwd") {
        builder.workspace(folder);
    }
    let Some(message) = line.get("message") else {
        if text("type") == Some("summary") {
            builder.title(text("summary").unwrap_or_default());
        }
        return Ok(());
    };
    match text("type") {
        Some("user") => said_by_user(builder, message.get("content").unwrap_or(&Value::Null)),
        Some("assistant") => {
            builder.model(message.get("model").and_then(Value::as_str).unwrap_or_default());
            let blocks = message.get("content").and_then(Value::as_array);
            blocks.into_iter().flatten().for_each(|block| answered(builder, block));
            Ok(())
        }
        _ => Ok(()),
    }
}

fn said_by_user(builder: &mut Builder, content: &Value) -> Result<(), SessionsError> {
    for block in content.as_array().into_iter().flatten() {
        if block.get("type").and_then(Value::as_str) == Some("tool_result") {
            let call = block.get("tool_use_id").and_then(Value::as_str).unwrap_or_default();
            let failed = block.get("is_error").and_then(Value::as_bool).unwrap_or(false);
            let status = if failed { CallStatus::Error } else { CallStatus::Ok };
            builder.result(call, status, &block.get("content").map(text_of).unwrap_or_default())?;
        }
    }
    let text = text_of(content);
    let is_local = LOCAL.iter().any(|local| text.trim_start().starts_with(local));
    if text.trim().is_empty() || is_local {
        return Ok(());
    }
    builder.prompt(&text)
}

fn answered(builder: &mut Builder, block: &Value) {
    let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
    match text("type") {
        "text" => builder.said(text("text")),
        "thinking" => builder.thought(text("thinking")),
        "tool_use" => {
            let input = block.get("input").and_then(Value::as_object).cloned();
            builder.call(text("id"), text("name"), Arguments::Object(input.unwrap_or_default()));
        }
        _ => {}
    }
}
