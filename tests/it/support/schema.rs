//! Checks messages of the binary against the schema of the Agent Client Protocol.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::home::Home;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/acp/schema.json"));
    serde_json::from_str(&text.expect("the schema")).expect("the schema is JSON")
});

/// Schema types of the messages that an agent sends, by method.
const SENT: [(&str, &str); 6] = [
    ("session/update", "SessionNotification"),
    ("session/request_permission", "RequestPermissionRequest"),
    ("$/cancel_request", "CancelRequestNotification"),
    ("fs/read_text_file", "ReadTextFileRequest"),
    ("fs/write_text_file", "WriteTextFileRequest"),
    ("elicitation/create", "CreateElicitationRequest"),
];

/// Schema types of results, by the method of the request.
const RESULTS: [(&str, &str); 11] = [
    ("initialize", "InitializeResponse"),
    ("session/new", "NewSessionResponse"),
    ("session/load", "LoadSessionResponse"),
    ("session/resume", "ResumeSessionResponse"),
    // The schema has only stable types. Both responses have the same fields.
    ("session/fork", "NewSessionResponse"),
    ("session/list", "ListSessionsResponse"),
    ("session/close", "CloseSessionResponse"),
    ("session/delete", "DeleteSessionResponse"),
    ("session/prompt", "PromptResponse"),
    ("session/set_mode", "SetSessionModeResponse"),
    ("session/set_config_option", "SetSessionConfigOptionResponse"),
];

static VALIDATORS: LazyLock<BTreeMap<&str, jsonschema::Validator>> = LazyLock::new(|| {
    let names = SENT.iter().chain(&RESULTS).map(|(_, name)| *name).chain(["Error"]);
    names
        .map(|name| {
            let schema =
                json!({"$schema": SCHEMA["$schema"], "$ref": format!("#/$defs/{name}"), "$defs": SCHEMA["$defs"]});
            (name, jsonschema::validator_for(&schema).expect("a schema"))
        })
        .collect()
});

/// Returns the schema of a `run` line, as printed by `benchdog schema`.
fn of_lines(of: &str) -> jsonschema::Validator {
    let printed = Home::bare().run(&["schema", of]);
    printed.assert_code(0);
    let schema: Value = serde_json::from_str(&printed.stdout).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

static EVENTS: LazyLock<jsonschema::Validator> = LazyLock::new(|| of_lines("events"));
static INPUT: LazyLock<jsonschema::Validator> = LazyLock::new(|| of_lines("input"));

/// Returns the schema errors of a `run --output stream-json` line.
pub fn event_problems(line: &Value) -> Vec<String> {
    EVENTS.iter_errors(line).map(|error| error.to_string()).collect()
}

/// Whether a `run --input stream-json` line is valid.
pub fn is_input(line: &Value) -> bool {
    INPUT.is_valid(line)
}

/// Returns the schema errors of an agent's message. `method` is the method of the answered request.
pub fn problems(message: &Value, method: Option<&str>) -> Vec<String> {
    let mut wrong = Vec::new();
    let known = ["jsonrpc", "id", "method", "params", "result", "error"];
    let fields = message
        .as_object()
        .map(|fields| fields.keys().cloned().collect::<Vec<_>>());
    let strange = fields.is_none_or(|fields| fields.iter().any(|field| !known.contains(&field.as_str())));
    if strange || message["jsonrpc"] != "2.0" {
        wrong.push(format!("not an envelope: {message}"));
    }
    let (name, part) = match (message["method"].as_str(), message.get("result"), message.get("error")) {
        (Some(method), None, None) => (type_of(&SENT, method), &message["params"]),
        (None, Some(result), None) => (type_of(&RESULTS, method.unwrap_or_default()), result),
        (None, None, Some(error)) => (Some("Error"), error),
        _ => (None, message),
    };
    let Some(name) = name else {
        wrong.push(format!("unexpected: {message}"));
        return wrong;
    };
    let errors: Vec<String> = VALIDATORS[name]
        .iter_errors(part)
        .map(|error| error.to_string())
        .collect();
    if !errors.is_empty() {
        wrong.push(format!("{}\n{message}", errors.join("\n")));
    }
    wrong
}

fn type_of(table: &[(&str, &'static str)], method: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == method).map(|(_, kind)| *kind)
}
