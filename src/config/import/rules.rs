//! Imports permission rules. Proposes deny and ask rules, and lists allow rules separately.

use serde_json::{Value, json};

use super::{Key, Plan, Why};

/// The command tool of other programs. Other tool names are mapped later.
const COMMANDS: &str = "Bash";
/// The tool for web pages, with rules such as `WebFetch(domain:docs.rs)`.
const PAGES: &str = "WebFetch";

pub(super) fn all(plan: &mut Plan, key: &str, value: &Value) {
    match key {
        "permission" => by_tool(plan, value),
        "permissions" => lists(plan, value),
        _ => of_tools(plan, value),
    }
}

/// Imports rules in the form `{"bash": {"git push": "ask"}, "edit": "deny"}`.
fn by_tool(plan: &mut Plan, value: &Value) {
    for (tool, of) in value.as_object().into_iter().flatten() {
        let theirs = format!("permission.{tool}");
        match of {
            Value::String(action) => rule(plan, tool, "*", action, theirs),
            Value::Object(patterns) => {
                for (pattern, action) in patterns {
                    let at = format!("{theirs}.{pattern}");
                    rule(plan, tool, pattern, action.as_str().unwrap_or_default(), at);
                }
            }
            _ => plan.leave(theirs, Why::Form),
        }
    }
}

fn lists(plan: &mut Plan, value: &Value) {
    for (list, items) in value.as_object().into_iter().flatten() {
        let action = match list.as_str() {
            "allow" | "allowed_tools" => "allow",
            "deny" => "deny",
            "ask" => "ask",
            _ => {
                plan.leave(format!("permissions.{list}"), Why::Nothing);
                continue;
            }
        };
        for item in items.as_array().into_iter().flatten() {
            let Some(text) = item.as_str() else {
                plan.leave(format!("permissions.{list}"), Why::Form);
                continue;
            };
            let theirs = format!("permissions.{list}: {text}");
            match subject(text) {
                Some((tool, pattern)) => rule(plan, &tool, &pattern, action, theirs),
                None => plan.leave(theirs, Why::Nothing),
            }
        }
    }
}

/// Parses a rule such as `Bash(git push:*)`. Path patterns are skipped, because they differ between programs.
fn subject(text: &str) -> Option<(String, String)> {
    if let Some(name) = text.strip_prefix("mcp__") {
        let named = if name.contains("__") {
            name.to_owned()
        } else {
            format!("{name}__*")
        };
        return Some((named, "*".to_owned()));
    }
    let (tool, inside) = match text.split_once('(') {
        Some((tool, rest)) => (tool, Some(rest.strip_suffix(')')?)),
        None => (text, None),
    };
    let pattern = match inside {
        None => "*".to_owned(),
        Some(line) if tool.eq_ignore_ascii_case(COMMANDS) => line
            .strip_suffix(":*")
            .map_or_else(|| line.to_owned(), |begins| format!("{begins} *")),
        Some(inside) if tool.eq_ignore_ascii_case(PAGES) => inside.strip_prefix("domain:")?.to_owned(),
        Some(_) => return None,
    };
    Some((tool.to_owned(), pattern))
}

fn of_tools(plan: &mut Plan, value: &Value) {
    for (tool, of) in value.as_object().into_iter().flatten() {
        for (key, value) in of.as_object().into_iter().flatten() {
            let theirs = format!("tools.{tool}.{key}");
            let action = match (key.as_str(), value) {
                ("permission", Value::String(action)) => {
                    rule(plan, tool, "*", action, theirs);
                    continue;
                }
                ("allowlist", Value::Array(_)) if tool.eq_ignore_ascii_case(COMMANDS) => "allow",
                ("denylist", Value::Array(_)) if tool.eq_ignore_ascii_case(COMMANDS) => "deny",
                _ => {
                    plan.leave(theirs, Why::Nothing);
                    continue;
                }
            };
            for line in value.as_array().into_iter().flatten().filter_map(Value::as_str) {
                rule(plan, tool, &format!("{line} *"), action, format!("{theirs}: {line}"));
            }
        }
    }
}

pub(super) fn rule(plan: &mut Plan, tool: &str, pattern: &str, action: &str, theirs: String) {
    let key = |action: &str| Key {
        path: ["permission", tool, pattern].map(str::to_owned).to_vec(),
        value: json!(action),
        theirs: theirs.clone(),
    };
    match action {
        "allow" | "always" => plan.allows.push(key("allow")),
        "ask" => plan.keys.push(key("ask")),
        "deny" | "never" => plan.keys.push(key("deny")),
        _ => plan.leave(theirs, Why::Form),
    }
}
