//! Parses the answer of a hook: an exit code with text, or a JSON object (`docs/hooks.md`). A field that has no effect
//! for the event is an error. Only `allow` is accepted although it has no effect.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use serde_json::{Map, Value};

use super::MOST_OUTPUT;
use benchdog_domain::hook::{Hook, HookEvent, HookFailed};
use benchdog_tools::program::{How, Said};

const DENIES: i32 = 2;

const LONGEST: usize = 8_000;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Answered {
    pub(super) denied: Option<String>,
    pub(super) arguments: Option<Map<String, Value>>,
    pub(super) note: Option<String>,
    pub(super) message: Option<String>,
    /// The first output line of a `status_line` hook.
    pub(super) line: Option<String>,
}

pub(super) fn read(hook: &Hook, said: &Said) -> Result<Answered, HookFailed> {
    let status = match &said.how {
        How::Ended(status) => *status,
        How::TimedOut => {
            return Err(HookFailed::TimedOut {
                after_ms: hook.timeout_ms,
            });
        }
        How::Stopped => return Err(HookFailed::Stopped),
        How::Endless => {
            return Err(HookFailed::Endless {
                most: MOST_OUTPUT as u64,
            });
        }
        How::NotStarted(error) => return Err(HookFailed::NotStarted { error: error.clone() }),
    };
    let output = said.output.trim();
    let is_json = output.starts_with('{');
    match status.code() {
        Some(0) if hook.event == HookEvent::StatusLine => Ok(Answered {
            line: output.lines().next().map(short),
            ..Answered::default()
        }),
        Some(0) if is_json => object(hook.event, output),
        // Output that is not JSON is ignored.
        Some(0) => Ok(Answered::default()),
        Some(DENIES) if !hook.event.may_deny() => Err(unreadable(format!(
            "it exits with {DENIES}, and `{}` denies nothing",
            hook.event.name()
        ))),
        Some(DENIES) => {
            let answered = if is_json {
                object(hook.event, output)?
            } else {
                Answered::default()
            };
            let text = [if is_json { "" } else { output }, said.errors.trim()];
            let text = text.into_iter().find(|text| !text.is_empty()).unwrap_or(NO_REASON);
            Ok(Answered {
                denied: Some(answered.denied.unwrap_or_else(|| short(text))),
                ..answered
            })
        }
        _ => Err(HookFailed::Exited {
            how: how(status),
            said: said.errors.trim().lines().next().map(short).unwrap_or_default(),
        }),
    }
}

const NO_REASON: &str = "no reason is given";

fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "an unknown end".to_owned(),
    }
}

fn unreadable(error: impl Into<String>) -> HookFailed {
    HookFailed::Unreadable { error: error.into() }
}

fn object(event: HookEvent, text: &str) -> Result<Answered, HookFailed> {
    let fields: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| unreadable(format!("its output is no JSON object: {error}")))?;
    let mut answered = Answered::default();
    let (mut decision, mut reason) = (None, None);
    for (name, value) in &fields {
        match name.as_str() {
            "decision" => decision = word(name, value)?,
            "reason" => reason = word(name, value)?,
            "system_message" | "systemMessage" => answered.message = word(name, value)?,
            "hook_specific_output" | "hookSpecificOutput" => {
                let Value::Object(inner) = value else {
                    return Err(unreadable(format!("`{name}` is an object")));
                };
                for (name, value) in inner {
                    match name.as_str() {
                        "hook_event_name" | "hookEventName" => {}
                        "permission_decision" | "permissionDecision" => decision = word(name, value)?,
                        "permission_decision_reason" | "permissionDecisionReason" => reason = word(name, value)?,
                        "tool_input" | "updatedInput" => answered.arguments = Some(arguments(event, name, value)?),
                        "additional_context" | "additionalContext" => {
                            if !event.is_waited_for() {
                                return Err(unreadable(format!("`{name}` has no effect in `{}`", event.name())));
                            }
                            answered.note = word(name, value)?;
                        }
                        other => return Err(unreadable(format!("`{other}` means nothing here"))),
                    }
                }
            }
            other => return Err(unreadable(format!("`{other}` means nothing here"))),
        }
    }
    answered.denied = denied(event, decision.as_deref(), reason)?;
    Ok(answered)
}

fn denied(event: HookEvent, decision: Option<&str>, reason: Option<String>) -> Result<Option<String>, HookFailed> {
    match decision {
        None | Some("allow" | "approve") => Ok(None),
        Some("deny" | "block") if event.may_deny() => Ok(Some(reason.unwrap_or_else(|| NO_REASON.to_owned()))),
        Some("deny" | "block") => Err(unreadable(format!("`{}` denies nothing", event.name()))),
        Some(other) => Err(unreadable(format!(
            "`decision` is `allow` or `deny`, not `{}`",
            short(other)
        ))),
    }
}

fn arguments(event: HookEvent, name: &str, value: &Value) -> Result<Map<String, Value>, HookFailed> {
    if event != HookEvent::BeforeTool {
        return Err(unreadable(format!("`{name}` has no effect in `{}`", event.name())));
    }
    let Value::Object(arguments) = value else {
        return Err(unreadable(format!("`{name}` is an object")));
    };
    Ok(arguments.clone())
}

fn word(name: &str, value: &Value) -> Result<Option<String>, HookFailed> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) if text.trim().is_empty() => Ok(None),
        Value::String(text) => Ok(Some(short(text.trim()))),
        _ => Err(unreadable(format!("`{name}` is a text"))),
    }
}

pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
