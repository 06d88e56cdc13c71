//! Request bodies for the Responses API: instructions, and a list of input items.
//!
//! OpenAI, vLLM, llama.cpp, Ollama and LM Studio accept each item in this form. vLLM requires ids, which the other
//! servers ignore.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::ModelRequest;
use crate::body::{Fields, base64};
use crate::history;
use crate::openai::{declares, id_of, strict_schema};
use benchdog_domain::agent::SendReasoning;
use benchdog_domain::image::Image;
use benchdog_domain::message::{
    Arguments, ChatMessage, Seal, Sealed, ThoughtField, Thoughts, ToolCall, ToolDeclaration,
};

pub(super) fn body(request: &ModelRequest) -> Vec<u8> {
    let mut before = Map::new();
    before.insert("model".to_owned(), request.model.clone().into());
    if let Some(ChatMessage::System(text)) = request.messages.first() {
        before.insert("instructions".to_owned(), text.clone().into());
    }
    let mut after = Map::new();
    if declares(request) {
        let declared = request.tools.iter().map(|tool| declaration(tool, request.strict));
        after.insert("tools".to_owned(), declared.collect());
    }
    after.insert("stream".to_owned(), true.into());
    after.insert("store".to_owned(), false.into());
    // Servers reject this field for models without reasoning. After such an error, the setting becomes `Never`, and no
    // reasoning is sent back.
    if request.reasoning != SendReasoning::Never {
        after.insert("include".to_owned(), json!(["reasoning.encrypted_content"]));
    }
    after.insert("max_output_tokens".to_owned(), request.output.into());
    if let Some(temperature) = request.temperature {
        after.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(top_p) = request.top_p {
        after.insert("top_p".to_owned(), top_p.into());
    }
    let numbered = request.messages.iter().enumerate();
    Fields { before, after }.with_extra(&request.extra_body).into_body(
        "input",
        request,
        numbered.flat_map(|(at, message)| items(request, at, message)),
    )
}

/// Declares a tool. Always sends `strict`, because OpenAI and llama.cpp assume `true` if the field is missing.
fn declaration(tool: &ToolDeclaration, strict: bool) -> Value {
    let parameters = match strict {
        true => strict_schema(&tool.parameters),
        false => tool.parameters.clone(),
    };
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": parameters,
        "strict": strict,
    })
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item<'m> {
    Message(Message<'m>),
    Reasoning {
        id: Cow<'m, str>,
        summary: Vec<Part<'m>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        content: Vec<Part<'m>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        encrypted_content: Option<&'m str>,
    },
    FunctionCall {
        call_id: Cow<'m, str>,
        name: &'m str,
        arguments: String,
    },
    FunctionCallOutput {
        call_id: Cow<'m, str>,
        output: &'m str,
    },
}

#[derive(Serialize)]
struct Message<'m> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    content: Content<'m>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'m> {
    Text(&'m str),
    Parts(Vec<Part<'m>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part<'m> {
    InputText { text: &'m str },
    InputImage { image_url: String, detail: &'static str },
    OutputText { text: &'m str, annotations: [(); 0] },
    SummaryText { text: Cow<'m, str> },
    ReasoningText { text: Cow<'m, str> },
}

/// Returns the items of a message. Generated ids contain its index, so they are the same in every request.
fn items<'m>(request: &'m ModelRequest, at: usize, message: &'m ChatMessage) -> Vec<Item<'m>> {
    match message {
        // The first system message is in the field `instructions`. `history` has converted later ones to user messages.
        ChatMessage::System(_) => Vec::new(),
        ChatMessage::User(text) => vec![user(Content::Text(text))],
        ChatMessage::Pictured { text, images } => {
            let shown = images.iter().filter_map(|image| picture(request, image));
            let parts = std::iter::once(Part::InputText { text }).chain(shown);
            vec![user(Content::Parts(parts.collect()))]
        }
        ChatMessage::Assistant { text, calls, thoughts } => answer(request, at, text, calls, thoughts),
        ChatMessage::Tool { call, text, .. } => vec![Item::FunctionCallOutput {
            call_id: id_of(call, request.short_ids),
            output: text,
        }],
    }
}

fn user(content: Content<'_>) -> Item<'_> {
    Item::Message(Message {
        id: None,
        role: "user",
        status: None,
        content,
    })
}

fn picture(request: &ModelRequest, image: &Image) -> Option<Part<'static>> {
    let mut image_url = format!("data:{};base64,", image.kind.media_type());
    base64(request.images.get(&image.blob)?, &mut image_url);
    Some(Part::InputImage {
        image_url,
        detail: "auto",
    })
}

fn answer<'m>(
    request: &'m ModelRequest,
    at: usize,
    text: &'m str,
    calls: &'m [ToolCall],
    thoughts: &'m Thoughts,
) -> Vec<Item<'m>> {
    let sealed = thoughts.by(&request.model);
    let sealed = sealed.filter(|_| request.reasoning != SendReasoning::Never);
    if let Some(items) = sealed.and_then(|(reasoning, seals)| among(request, at, (text, calls), reasoning, seals)) {
        return items;
    }
    let open = history::reasoning(request, thoughts, calls, ThoughtField::Reasoning);
    let open = open.filter(|back| !back.text.is_empty()).map(|back| Item::Reasoning {
        id: format!("rs_{at}").into(),
        summary: Vec::new(),
        content: vec![Part::ReasoningText { text: back.text }],
        encrypted_content: None,
    });
    let called = calls.iter().map(|one| call(one, request.short_ids));
    open.into_iter()
        .chain(message_item(at, 0, text))
        .chain(called)
        .collect()
}

/// Returns the items of an answer, with encrypted reasoning at its original positions. `None` if the reasoning does not
/// belong to this answer, or comes from another API.
fn among<'m>(
    request: &ModelRequest,
    at: usize,
    (text, calls): (&'m str, &'m [ToolCall]),
    reasoning: &'m str,
    seals: &'m [Seal],
) -> Option<Vec<Item<'m>>> {
    let mut items = Vec::with_capacity(seals.len() + calls.len() + 1);
    let (mut thought, mut told, mut called) = (0, 0, 0);
    let one = |calls: &'m [ToolCall]| calls.iter().map(|one| call(one, request.short_ids));
    for (place, seal) in seals.iter().enumerate() {
        let Sealed::Encrypted { data, id } = &seal.sealed else {
            return None;
        };
        items.extend(message_item(at, place, text.get(told..seal.text)?));
        items.extend(one(calls.get(called..seal.calls)?));
        let summary = Some(reasoning.get(thought..seal.upto)?).filter(|text| !text.is_empty());
        items.push(Item::Reasoning {
            id: match id {
                Some(id) => id.into(),
                None => format!("rs_{at}_{place}").into(),
            },
            summary: summary
                .map(|text| Part::SummaryText { text: text.into() })
                .into_iter()
                .collect(),
            content: Vec::new(),
            encrypted_content: Some(data),
        });
        (thought, told, called) = (seal.upto, seal.text, seal.calls);
    }
    items.extend(message_item(at, seals.len(), text.get(told..)?));
    items.extend(one(calls.get(called..)?));
    Some(items)
}

fn message_item(at: usize, place: usize, text: &str) -> Option<Item<'_>> {
    (!text.is_empty()).then(|| {
        Item::Message(Message {
            id: Some(format!("msg_{at}_{place}")),
            role: "assistant",
            status: Some("completed"),
            content: Content::Parts(vec![Part::OutputText { text, annotations: [] }]),
        })
    })
}

/// Converts a call. Invalid arguments become an empty object, because they would make every later request fail.
fn call(call: &ToolCall, short: bool) -> Item<'_> {
    Item::FunctionCall {
        call_id: id_of(&call.id, short),
        name: &call.name,
        arguments: match &call.arguments {
            Arguments::Object(object) => serde_json::to_string(object).unwrap_or_else(|_| "{}".to_owned()),
            Arguments::Raw(_) => "{}".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests;
