//! Runs another agent over the Agent Client Protocol. The client offers neither files nor terminals, and allows every
//! request. The agent works in the private copy, with the rights of the person who started the benchmark.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::peer::AgentProcess;
use super::results::{Tokens, Turn};
use super::runs::{RunContext, RunFolders};
use super::trouble::RunError;

/// Version of the Agent Client Protocol.
const PROTOCOL: u32 = 1;
/// The JSON-RPC error code for an unknown method.
const NO_METHOD: i32 = -32601;
/// The maximum number of calls whose kind is stored. Failures of later calls are not counted.
const MOST_CALLS: usize = 10_000;
/// The error code of the protocol for an agent that is not signed in.
const NOT_SIGNED_IN: i32 = -32000;
/// The maximum length of an outcome in characters.
const LONGEST_OUTCOME: usize = 200;

pub(crate) async fn solve(
    context: &RunContext,
    work: &RunFolders,
    command: &str,
    instruction: &str,
    limit: Duration,
) -> Result<Turn, RunError> {
    let words = ["/bin/sh", "-c", command].map(str::to_owned);
    let environment = context.environment.iter();
    let variables = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let peer = AgentProcess::start(&context.launcher, &words, &work.workspace, variables.collect()).await?;
    let mut client = Client {
        peer,
        asked: 0,
        has_session: false,
        turn: Turn::default(),
        calls: BTreeMap::new(),
    };
    let talk = tokio::time::timeout(limit, client.talk(&work.workspace.display().to_string(), instruction)).await;
    client.peer.close();
    client.peer.exit().await;
    let errors = client.peer.end().await;
    let error = match talk {
        Ok(Ok(())) => return Ok(client.turn),
        Ok(Err(RunError::NoAnswer(_))) => RunError::NoAnswer(errors),
        Ok(Err(error)) => error,
        Err(_) => {
            "timeout".clone_into(&mut client.turn.outcome);
            return Ok(client.turn);
        }
    };
    if !client.has_session || matches!(error, RunError::NotSignedIn(_)) {
        return Err(error);
    }
    client.turn.outcome = shorten(&error.to_string());
    Ok(client.turn)
}

fn shorten(outcome: &str) -> String {
    outcome.chars().take(LONGEST_OUTCOME).collect()
}

struct Client {
    peer: AgentProcess,
    /// The number of requests so far, which is the id of the last one.
    asked: u64,
    /// Whether the session was created. Later errors count as the result of the agent, so the run is not repeated.
    has_session: bool,
    turn: Turn,
    /// The kind of each call that is not yet counted as failed.
    calls: BTreeMap<String, String>,
}

impl Client {
    async fn talk(&mut self, folder: &str, instruction: &str) -> Result<(), RunError> {
        let files = json!({"readTextFile": false, "writeTextFile": false});
        let offered = json!({"fs": files, "terminal": false});
        self.ask(
            "initialize",
            json!({"protocolVersion": PROTOCOL, "clientCapabilities": offered}),
        )
        .await?;
        let session = self
            .ask("session/new", json!({"cwd": folder, "mcpServers": []}))
            .await?;
        self.has_session = true;
        let id = session.get("sessionId").cloned().unwrap_or_default();
        let prompt = json!([{"type": "text", "text": instruction}]);
        let answer = self
            .ask("session/prompt", json!({"sessionId": id, "prompt": prompt}))
            .await?;
        let reason = answer.get("stopReason").and_then(Value::as_str).unwrap_or_default();
        self.turn.outcome = shorten(reason);
        self.turn.tokens = answer.get("usage").and_then(tokens);
        Ok(())
    }

    /// Sends a request, and handles other messages until the answer arrives. Returns the answer.
    async fn ask(&mut self, method: &str, params: Value) -> Result<Value, RunError> {
        self.asked += 1;
        let id = self.asked;
        self.write(&json!({"id": id, "method": method, "params": params})).await;
        while let Some(line) = self.peer.line().await? {
            // Skips text on standard output that is not a message.
            let Ok(Value::Object(mut message)) = serde_json::from_slice(&line) else {
                continue;
            };
            let params = message.remove("params").unwrap_or_default();
            match (message.get("method").and_then(Value::as_str), message.get("id")) {
                (Some(method), Some(id)) => {
                    let (method, id) = (method.to_owned(), id.clone());
                    self.answer(&method, &id, &params).await;
                }
                (Some("session/update"), None) => self.count(params.get("update").unwrap_or(&Value::Null)),
                (None, Some(answered)) if *answered == json!(id) => {
                    return match message.remove("error") {
                        Some(error) if error.get("code") == Some(&json!(NOT_SIGNED_IN)) => {
                            Err(RunError::NotSignedIn(sentence(&error)))
                        }
                        Some(error) => Err(RunError::Answer(sentence(&error))),
                        None => Ok(message.remove("result").unwrap_or_default()),
                    };
                }
                _ => {}
            }
        }
        Err(RunError::NoAnswer(String::new()))
    }

    async fn answer(&mut self, method: &str, id: &Value, params: &Value) {
        let message = match method {
            "session/request_permission" => json!({"id": id, "result": {"outcome": permission_outcome(params)}}),
            _ => json!({"id": id, "error": {"code": NO_METHOD, "message": "Method not found"}}),
        };
        self.write(&message).await;
    }

    async fn write(&mut self, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = "2.0".into();
        self.peer.send(&format!("{message}\n")).await;
    }

    fn count(&mut self, update: &Value) {
        let text = |key: &str| update.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("sessionUpdate") {
            "tool_call" | "tool_call_update" => {
                let id = text("toolCallId");
                if !text("kind").is_empty() && self.calls.len() < MOST_CALLS {
                    self.calls.insert(id.to_owned(), text("kind").to_owned());
                }
                if text("status") == "failed" {
                    let kind = self.calls.remove(id);
                    self.turn.edits_refused += u32::from(kind.as_deref() == Some("edit"));
                }
            }
            "usage_update" => {
                let cost = update
                    .get("cost")
                    .filter(|cost| cost.get("currency") == Some(&json!("USD")));
                let amount = cost.and_then(|cost| cost.get("amount")?.as_f64());
                self.turn.cost = amount.or(self.turn.cost);
            }
            _ => {}
        }
    }
}

/// Selects the option to allow once, or else the option to allow always. Cancels a request without such an option.
fn permission_outcome(params: &Value) -> Value {
    let options = params.get("options").and_then(Value::as_array);
    let of_kind = |kind: &str| {
        let mut options = options?.iter();
        options.find(|option| option.get("kind") == Some(&json!(kind)))
    };
    match of_kind("allow_once").or_else(|| of_kind("allow_always")) {
        Some(option) => json!({"outcome": "selected", "optionId": option.get("optionId")}),
        None => json!({"outcome": "cancelled"}),
    }
}

/// Reads the token counts that some agents add to their answer.
fn tokens(usage: &Value) -> Option<Tokens> {
    let number = |key: &str| usage.get(key).and_then(Value::as_u64);
    let (prompt, completion) = (number("inputTokens")?, number("outputTokens")?);
    Some(Tokens {
        prompt,
        completion,
        total: number("totalTokens").unwrap_or(prompt.saturating_add(completion)),
    })
}

fn sentence(error: &Value) -> String {
    let message = error.get("message").and_then(Value::as_str);
    message.map_or_else(|| error.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests;
