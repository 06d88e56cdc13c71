//! The minimum of a streamed chat request: sends the messages, and reads the lines of the answer.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Url};
use serde_json::{Value, json};

use crate::Failure;

/// A conversation with a server of the chat-completions API.
pub struct Chat {
    client: Client,
    url: Url,
    messages: Vec<Value>,
}

/// A call of a tool with its arguments.
pub struct Call {
    id: String,
    pub name: String,
    pub arguments: Value,
}

impl Chat {
    /// Uses the server at `url`, such as `http://127.0.0.1:8000/v1`.
    pub fn new(url: &str) -> Result<Self, Failure> {
        Ok(Self {
            client: Client::builder().no_proxy().build()?,
            url: format!("{url}/chat/completions").parse()?,
            messages: Vec::new(),
        })
    }

    pub fn say(&mut self, text: &str) {
        self.messages.push(json!({"role": "user", "content": text}));
    }

    pub fn report(&mut self, call: &Call, result: &str) {
        self.messages
            .push(json!({"role": "tool", "tool_call_id": call.id, "content": result}));
    }

    /// Sends the conversation. Returns the tool calls of the answer, and passes its text on as it arrives.
    pub async fn ask(&mut self, mut on_text: impl FnMut(&str)) -> Result<Vec<Call>, Failure> {
        let body = json!({
            "model": "mock-model",
            "stream": true,
            "messages": self.messages,
            "tools": [tool("read", "path"), tool("grep", "pattern")],
        });
        let request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json");
        let mut response = request.body(body.to_string()).send().await?.error_for_status()?;
        let (mut pending, mut text, mut calls) = (Vec::new(), String::new(), Vec::new());
        while let Some(bytes) = response.chunk().await? {
            pending.extend_from_slice(&bytes);
            let arrived = text.len();
            let complete = pending.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            for line in pending.drain(..complete).as_slice().split(|byte| *byte == b'\n') {
                read_line(line, &mut text, &mut calls)?;
            }
            if text.len() > arrived {
                on_text(&text[arrived..]);
            }
        }
        self.messages.push(answer(&text, &calls));
        Ok(calls)
    }
}

fn tool(name: &str, argument: &str) -> Value {
    json!({"type": "function", "function": {
        "name": name,
        "parameters": {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]},
    }})
}

/// Reads one line of the event stream.
fn read_line(line: &[u8], text: &mut String, calls: &mut Vec<Call>) -> Result<(), Failure> {
    let Some(data) = line.strip_prefix(b"data: ").filter(|data| *data != b"[DONE]") else {
        return Ok(());
    };
    let event: Value = serde_json::from_slice(data)?;
    let delta = &event["choices"][0]["delta"];
    text.push_str(delta["content"].as_str().unwrap_or_default());
    for call in delta["tool_calls"].as_array().into_iter().flatten() {
        calls.push(Call {
            id: call["id"].as_str().unwrap_or_default().to_owned(),
            name: call["function"]["name"].as_str().unwrap_or_default().to_owned(),
            arguments: serde_json::from_str(call["function"]["arguments"].as_str().unwrap_or("null"))?,
        });
    }
    Ok(())
}

fn answer(text: &str, calls: &[Call]) -> Value {
    if calls.is_empty() {
        return json!({"role": "assistant", "content": text});
    }
    let calls = calls.iter().map(|call| {
        let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
        json!({"id": call.id, "type": "function", "function": function})
    });
    json!({"role": "assistant", "content": text, "tool_calls": calls.collect::<Vec<_>>()})
}
