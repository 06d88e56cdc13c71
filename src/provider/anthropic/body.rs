//! Request bodies for Anthropic's Messages API. System text and tools are separate fields, and each message is a list
//! of blocks.

mod blocks;
mod thinking;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::ModelRequest;
use crate::body::Fields;
use crate::history;
use crate::openai::declares;
use benchdog_domain::image::{Image, Images};
use benchdog_domain::message::{ChatMessage, ThoughtField, ToolDeclaration};
use blocks::{Block, CacheableBlock, answer, mark, picture, text_blocks};

/// Number of user messages with a cache mark: the last message of this request, and the last message of the previous
/// one. The API allows four marks. The system text and the tools have the other two.
const MARKED: usize = 2;

pub(crate) fn body(request: &ModelRequest) -> Vec<u8> {
    let mut before = Map::new();
    before.insert("model".to_owned(), request.model.clone().into());
    if let Some(system) = system(&request.messages) {
        before.insert("system".to_owned(), system);
    }
    let mut after = Map::new();
    if declares(request) {
        after.insert("tools".to_owned(), tools(&request.tools));
    }
    after.insert("stream".to_owned(), true.into());
    thinking::add(request, &mut after);
    Fields { before, after }.with_extra(&request.extra_body).into_body(
        "messages",
        request,
        messages(request).into_iter(),
    )
}

fn system(messages: &[ChatMessage]) -> Option<Value> {
    let text = messages.iter().find_map(|message| match message {
        ChatMessage::System(text) => Some(text),
        _ => None,
    })?;
    let block = json!([{ "type": "text", "text": text, "cache_control": mark() }]);
    (!text.trim().is_empty()).then_some(block)
}

fn tools(tools: &[ToolDeclaration]) -> Value {
    let last = tools.len() - 1;
    let declared = tools.iter().enumerate().map(|(place, tool)| {
        let mut declared = json!({
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.parameters,
        });
        if place == last {
            declared["cache_control"] = mark();
        }
        declared
    });
    declared.collect()
}

#[derive(Serialize)]
struct Message<'m> {
    role: &'static str,
    content: Vec<CacheableBlock<'m>>,
}

impl<'m> Message<'m> {
    fn of(role: &'static str, blocks: Vec<Block<'m>>) -> Self {
        let blocks = if blocks.is_empty() {
            vec![Block::NOTHING]
        } else {
            blocks
        };
        Self {
            role,
            content: blocks.into_iter().map(CacheableBlock::from).collect(),
        }
    }

    fn holds_results(&self) -> bool {
        let first = self.content.first();
        first.is_some_and(|marked| matches!(marked.block, Block::ToolResult { .. }))
    }
}

/// Converts the messages. All tool results for one answer form one message. The next user message stays separate,
/// because the results were already sent and must not change.
fn messages(request: &ModelRequest) -> Vec<Message<'_>> {
    let mut messages: Vec<Message<'_>> = Vec::with_capacity(request.messages.len());
    for message in request.messages.iter() {
        match message {
            ChatMessage::System(_) => {}
            ChatMessage::User(text) => messages.push(Message::of("user", text_blocks(text).collect())),
            ChatMessage::Pictured { text, images: named } => {
                let shown = pictures(named, &request.images);
                messages.push(Message::of("user", shown.chain(text_blocks(text)).collect()));
            }
            ChatMessage::Assistant { text, calls, thoughts } => {
                let unsigned = history::reasoning(request, thoughts, calls, ThoughtField::Thinking);
                let unsigned = unsigned.filter(|back| !back.text.is_empty()).map(|back| back.text);
                let thoughts = thoughts.by(&request.model);
                messages.push(Message::of("assistant", answer(text, calls, thoughts, unsigned)));
            }
            ChatMessage::Tool { call, text, .. } => {
                let result = Block::result(call, text);
                match messages.last_mut().filter(|last| last.holds_results()) {
                    Some(last) => last.content.push(result.into()),
                    None => messages.push(Message::of("user", vec![result])),
                }
            }
        }
    }
    let ends = messages.iter_mut().rev().filter(|message| message.role == "user");
    for message in ends.take(MARKED) {
        if let Some(last) = message.content.last_mut() {
            last.cache_control = Some(mark());
        }
    }
    messages
}

/// Returns the images of a message. The caller puts them before the text, as Anthropic recommends.
fn pictures<'m>(named: &'m [Image], images: &'m Images) -> impl Iterator<Item = Block<'m>> {
    named
        .iter()
        .filter_map(|image| Some(picture(image.kind, images.get(&image.blob)?)))
}

#[cfg(test)]
mod tests;
