//! Content blocks of a message. Empty texts are omitted, because the API rejects them.

use std::borrow::Cow;
use std::fmt::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::body::base64;
use benchdog_base::id::CallId;
use benchdog_domain::image::ImageKind;
use benchdog_domain::message::{Arguments, Seal, Sealed, ToolCall};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block<'m> {
    Text {
        text: &'m str,
    },
    Image {
        source: Source,
    },
    Thinking {
        thinking: Cow<'m, str>,
        signature: &'m str,
    },
    RedactedThinking {
        data: &'m str,
    },
    ToolUse {
        id: Cow<'m, str>,
        name: &'m str,
        input: Cow<'m, Map<String, Value>>,
    },
    ToolResult {
        tool_use_id: Cow<'m, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'m str>,
    },
}

#[derive(Serialize)]
pub(super) struct Source {
    #[serde(rename = "type")]
    kind: &'static str,
    media_type: &'static str,
    data: String,
}

#[derive(Serialize)]
pub(super) struct CacheableBlock<'m> {
    #[serde(flatten)]
    pub(super) block: Block<'m>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cache_control: Option<Value>,
}

impl<'m> From<Block<'m>> for CacheableBlock<'m> {
    fn from(block: Block<'m>) -> Self {
        Self {
            block,
            cache_control: None,
        }
    }
}

impl<'m> Block<'m> {
    pub(super) const NOTHING: Self = Self::Text { text: "[empty]" };

    pub(super) fn result(call: &'m CallId, text: &'m str) -> Self {
        Self::ToolResult {
            tool_use_id: tool_use_id(&call.0),
            content: not_blank(text),
        }
    }

    fn call(call: &'m ToolCall) -> Self {
        Self::ToolUse {
            id: tool_use_id(&call.id.0),
            name: &call.name,
            input: match &call.arguments {
                Arguments::Object(object) => Cow::Borrowed(object),
                Arguments::Raw(_) => Cow::default(),
            },
        }
    }
}

pub(super) fn mark() -> Value {
    json!({ "type": "ephemeral" })
}

pub(super) fn text_blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    not_blank(text).map(|text| Block::Text { text }).into_iter()
}

fn not_blank(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.trim().is_empty())
}

pub(super) fn picture(kind: ImageKind, bytes: &[u8]) -> Block<'static> {
    let mut data = String::new();
    base64(bytes, &mut data);
    Block::Image {
        source: Source {
            kind: "base64",
            media_type: kind.media_type(),
            data,
        },
    }
}

/// Returns the blocks of an answer, with reasoning at its original positions. `unsigned` is reasoning without a
/// signature.
pub(super) fn answer<'m>(
    text: &'m str,
    calls: &'m [ToolCall],
    thoughts: Option<(&'m str, &'m [Seal])>,
    unsigned: Option<Cow<'m, str>>,
) -> Vec<Block<'m>> {
    let with_thoughts = thoughts.and_then(|(reasoning, seals)| among(text, calls, reasoning, seals));
    let thought = unsigned.map(|thinking| Block::Thinking {
        thinking,
        signature: "",
    });
    with_thoughts.unwrap_or_else(|| {
        let spoken = text_blocks(text).chain(calls.iter().map(Block::call));
        thought.into_iter().chain(spoken).collect()
    })
}

/// Returns text, reasoning and calls in their original order. `None` if the signatures do not belong to this answer.
fn among<'m>(text: &'m str, calls: &'m [ToolCall], reasoning: &'m str, seals: &'m [Seal]) -> Option<Vec<Block<'m>>> {
    let mut blocks = Vec::with_capacity(seals.len() + calls.len() + 1);
    let (mut thought, mut told, mut called) = (0, 0, 0);
    for seal in seals {
        blocks.extend(text_blocks(text.get(told..seal.text)?));
        blocks.extend(calls.get(called..seal.calls)?.iter().map(Block::call));
        blocks.push(match &seal.sealed {
            Sealed::Signature(signature) => Block::Thinking {
                thinking: reasoning.get(thought..seal.upto)?.into(),
                signature,
            },
            Sealed::Withheld(data) => Block::RedactedThinking { data },
            // This API never returns signed reasoning together with unsigned reasoning (`Open`). `Encrypted`
            // reasoning comes from another API.
            Sealed::Open(_) | Sealed::Encrypted { .. } => return None,
        });
        (thought, told, called) = (seal.upto, seal.text, seal.calls);
    }
    blocks.extend(text_blocks(text.get(told..)?));
    blocks.extend(calls.get(called..)?.iter().map(Block::call));
    Some(blocks)
}

/// Replaces characters in an id that the API does not accept. Equal ids give equal results.
fn tool_use_id(word: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if word.chars().all(fits) {
        return Cow::Borrowed(word);
    }
    let mut usable = String::with_capacity(word.len() + 8);
    for c in word.chars() {
        if fits(c) {
            usable.push(c);
        } else {
            let _ = write!(usable, "_{:x}_", u32::from(c));
        }
    }
    Cow::Owned(usable)
}
