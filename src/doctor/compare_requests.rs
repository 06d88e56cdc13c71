//! `doctor compare-requests`: compares each request in a recording with the previous request to the same model.
//!
//! A server can reuse its prompt cache only for the identical beginning of two requests.

use std::collections::HashMap;

use serde_json::{Value, json};

use benchdog_provider::replay::Replay;

const BEFORE: usize = 30;
const BEHIND: usize = 60;

pub(crate) fn compare_requests(recording: &Replay) -> Vec<Value> {
    let mut last: HashMap<String, (u64, Prompt)> = HashMap::new();
    let mut compared = Vec::new();
    for (request, body) in recording.requests() {
        let model = body["model"].as_str().unwrap_or_default().to_owned();
        let now = Prompt::of(body);
        let mut line = json!({ "request": request, "model": model, "bytes": now.bytes() });
        if let Some((earlier, before)) = last.get(&model) {
            let (shared, difference) = now.against(before);
            line["after"] = json!(earlier);
            line["shared"] = json!(shared);
            line["first_difference"] = json!(difference);
        }
        compared.push(line);
        last.insert(model, (request, now));
    }
    compared
}

/// The parts of a request that the model reads, in the order of most chat templates.
struct Prompt {
    tools: String,
    /// The messages as JSON without the closing bracket. Appending messages thus keeps the beginning.
    messages: String,
}

impl Prompt {
    fn of(body: &Value) -> Self {
        let text = |key| body.get(key).map(Value::to_string).unwrap_or_default();
        let mut messages = text("messages");
        messages.truncate(messages.trim_end_matches(']').len());
        Self {
            tools: text("tools"),
            messages,
        }
    }

    fn bytes(&self) -> usize {
        self.tools.len() + self.messages.len()
    }

    fn against(&self, before: &Self) -> (usize, Option<Value>) {
        let tools = shared(&self.tools, &before.tools);
        if tools < before.tools.len().max(self.tools.len()) {
            let difference = difference("tools", tools, &before.tools, &self.tools);
            return (tools, Some(difference));
        }
        let messages = shared(&self.messages, &before.messages);
        let differs = messages < before.messages.len();
        let difference = differs.then(|| difference("messages", messages, &before.messages, &self.messages));
        (tools + messages, difference)
    }
}

fn shared(now: &str, before: &str) -> usize {
    let pairs = now.bytes().zip(before.bytes());
    pairs.take_while(|(now, before)| now == before).count()
}

fn difference(part: &str, at: usize, before: &str, now: &str) -> Value {
    json!({ "in": part, "byte": at, "was": around(before, at), "is": around(now, at) })
}

fn around(text: &str, at: usize) -> &str {
    let from = text.floor_char_boundary(at.saturating_sub(BEFORE));
    let to = text.ceil_char_boundary((at + BEHIND).min(text.len()));
    text.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests;
