//! Tool calls as text, for models without native tools. The system prompt explains the format, and `textcalls` parses
//! the answers.
//!
//! Strict chat templates require alternating roles, so tool results and the user's next text form one message. A
//! message that was sent does not change later.

use std::sync::Arc;

use serde_json::json;

use super::ModelRequest;
use benchdog_domain::agent::Protocol;
use benchdog_domain::image::Image;
use benchdog_domain::message::{Arguments, ChatMessage, Messages, Thoughts, ToolCall, ToolDeclaration};

const TEACHING: &str = include_str!("../../assets/prompts/written_tools.md");
const END_OF_RESULT: &str = "</tool_response>";

/// Converts a request for tool calls as text. The tools stay in the request to recognise calls, but are not declared to
/// the server. `Protocol::Off` removes the tools and their description in the prompt.
pub(crate) fn as_text(mut request: ModelRequest) -> ModelRequest {
    if request.tools.is_empty() {
        return request;
    }
    if request.protocol == Protocol::Off {
        request.tools = Arc::new([]);
    }
    let mut history = TextHistory::default();
    for message in request.messages.iter() {
        history.add(message, &request.tools);
    }
    request.messages = history.finish();
    request
}

/// Message history with alternating roles. Collects all texts for the model until its next answer.
#[derive(Default)]
struct TextHistory {
    messages: Vec<ChatMessage>,
    heard: Vec<String>,
    images: Vec<Image>,
}

impl TextHistory {
    fn add(&mut self, message: &ChatMessage, tools: &[ToolDeclaration]) {
        match message {
            ChatMessage::System(text) => self
                .messages
                .push(ChatMessage::System(format!("{text}{}", teaching(tools)))),
            ChatMessage::User(text) => self.heard.push(text.to_string()),
            ChatMessage::Pictured { text, images } => {
                self.heard.push(text.to_string());
                self.images.extend(images.iter().cloned());
            }
            ChatMessage::Tool { text, .. } => self.heard.push(result(text)),
            ChatMessage::Assistant { text, calls, .. } => {
                self.flush_heard();
                let written = calls.iter().map(call);
                let parts: Vec<String> = std::iter::once(text.trim_end().to_owned())
                    .filter(|text| !text.is_empty())
                    .chain(written)
                    .collect();
                self.messages.push(ChatMessage::Assistant {
                    text: parts.join("\n").into(),
                    calls: Vec::new().into(),
                    thoughts: Thoughts::default(),
                });
            }
        }
    }

    fn flush_heard(&mut self) {
        if self.heard.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.heard).join("\n\n").into();
        let images = std::mem::take(&mut self.images);
        self.messages.push(if images.is_empty() {
            ChatMessage::User(text)
        } else {
            ChatMessage::Pictured { text, images }
        });
    }

    fn finish(mut self) -> Messages {
        self.flush_heard();
        self.messages.into()
    }
}

fn teaching(tools: &[ToolDeclaration]) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let described = tools.iter().map(|tool| {
        json!({ "name": tool.name, "description": tool.description, "parameters": tool.parameters }).to_string()
    });
    let described: Vec<String> = described.collect();
    TEACHING.trim_end().replace("{tools}", &described.join("\n"))
}

fn call(call: &ToolCall) -> String {
    let arguments = match &call.arguments {
        Arguments::Object(object) => json!(object),
        Arguments::Raw(_) => json!({}),
    };
    let call = json!({ "name": call.name, "arguments": arguments });
    format!("<tool_call>\n{call}\n</tool_call>")
}

/// Formats the result of a tool as text. Escapes the end mark inside the result.
fn result(text: &str) -> String {
    let text = text.replace(END_OF_RESULT, "</ tool_response>");
    format!("<tool_response>\n{text}\n{END_OF_RESULT}")
}

#[cfg(test)]
mod tests;
