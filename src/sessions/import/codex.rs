//! Logs of codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`.
//!
//! A line is `{timestamp, type, payload}`. In logs of early 2025, a line is only the payload.

use serde_json::{Map, Value};

use super::SessionsError;
use super::builder::{Builder, arguments, text_of};
use benchdog_base::clock::Time;
use benchdog_domain::message::Arguments;
use benchdog_domain::tool::CallStatus;

/// Prefixes of user messages that codex itself adds.
const ADDED: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<skill>",
    "# AGENTS.md instructions",
];

pub(super) fn read(builder: &mut Builder, line: &Value) -> Result<(), SessionsError> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    builder.at(Time::of_rfc3339(&text(line, "timestamp")));
    let payload = line.get("payload").unwrap_or(line);
    let kind = text(line, "type");
    match kind.as_str() {
        "session_meta" => {
            builder.workspace(&text(payload, "cwd"));
            Ok(())
        }
        "turn_context" => {
            builder.model(&text(payload, "model"));
            Ok(())
        }
        "event_msg" | "compacted" => Ok(()),
        _ => item(builder, payload),
    }
}

fn item(builder: &mut Builder, item: &Value) -> Result<(), SessionsError> {
    let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
    match text("type") {
        "message" => {
            let said = item.get("content").map(text_of).unwrap_or_default();
            let is_added = ADDED.iter().any(|added| said.trim_start().starts_with(added));
            match text("role") {
                "user" if !is_added && !said.trim().is_empty() => builder.prompt(&said),
                "assistant" => {
                    builder.said(&said);
                    Ok(())
                }
                _ => Ok(()),
            }
        }
        "reasoning" => {
            builder.thought(&item.get("summary").map(text_of).unwrap_or_default());
            Ok(())
        }
        "function_call" => {
            builder.call(text("call_id"), text("name"), arguments(text("arguments")));
            Ok(())
        }
        "custom_tool_call" => {
            let input = Map::from_iter([("input".to_owned(), text("input").into())]);
            builder.call(text("call_id"), text("name"), Arguments::Object(input));
            Ok(())
        }
        "local_shell_call" => {
            let action = item.get("action").and_then(Value::as_object).cloned();
            builder.call(text("call_id"), "shell", Arguments::Object(action.unwrap_or_default()));
            Ok(())
        }
        "function_call_output" | "custom_tool_call_output" => {
            let (status, output) = output(item.get("output").unwrap_or(&Value::Null));
            builder.result(text("call_id"), status, &output)
        }
        _ => Ok(()),
    }
}

/// Returns the status and the text of an output. The output may be a text, a list of parts, or JSON with an exit code.
fn output(output: &Value) -> (CallStatus, String) {
    let Value::String(text) = output else {
        return (CallStatus::Ok, text_of(output.get("content").unwrap_or(output)));
    };
    let Ok(Value::Object(whole)) = serde_json::from_str(text) else {
        return (CallStatus::Ok, text.clone());
    };
    let Some(printed) = whole.get("output").and_then(Value::as_str) else {
        return (CallStatus::Ok, text.clone());
    };
    let code = whole.get("metadata").and_then(|facts| facts.get("exit_code")?.as_i64());
    let status = if code.unwrap_or(0) == 0 {
        CallStatus::Ok
    } else {
        CallStatus::Error
    };
    (status, printed.to_owned())
}
