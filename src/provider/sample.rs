//! Sample requests for tests.

use std::sync::Arc;

use serde_json::{Map, json};

use super::ModelRequest;
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, TurnId};
use benchdog_domain::agent::{ModelRef, Protocol, SendReasoning};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::image::Images;
use benchdog_domain::message::{
    Aliases, Arguments, Calls, ChatMessage, Seal, Text, Thoughts, ToolCall, ToolDeclaration,
};

pub(crate) fn request(messages: Vec<ChatMessage>) -> ModelRequest {
    ModelRequest {
        model: "org/model".to_owned(),
        messages: messages.into(),
        images: Images::new(),
        tools: Arc::new([ToolDeclaration {
            name: "read".to_owned(),
            description: "Reads.".to_owned(),
            parameters: json!({"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}),
            aliases: Aliases::default(),
        }]),
        protocol: Protocol::Native,
        calls_itself: false,
        short_ids: false,
        reasoning: SendReasoning::Auto,
        strict: false,
        output: 8192,
        tells_reading: false,
        window: None,
        temperature: Some(0.2),
        top_p: None,
        thinking: None,
        extra_body: Map::new(),
    }
}

pub(crate) fn history() -> Vec<ChatMessage> {
    let call = |id: &str, arguments| ToolCall {
        id: CallId(id.to_owned()),
        name: "read".to_owned(),
        arguments,
    };
    let whole = json!({"path": "a\"b", "limit": 1.0}).as_object().unwrap().clone();
    vec![
        ChatMessage::System("Be brief.".to_owned()),
        ChatMessage::User("lies \u{2028} 日本".to_owned().into()),
        ChatMessage::Assistant {
            text: String::new().into(),
            calls: vec![
                call("1", Arguments::Object(whole)),
                call("2", Arguments::Raw("{\"path\":".to_owned())),
            ]
            .into(),
            thoughts: Thoughts::default(),
        },
        ChatMessage::Tool {
            call: CallId("1".to_owned()),
            name: "read".to_owned(),
            text: "one\ntwo".to_owned().into(),
        },
        ChatMessage::Tool {
            call: CallId("2".to_owned()),
            name: "read".to_owned(),
            text: "bad arguments".to_owned().into(),
        },
        ChatMessage::Assistant {
            text: "Done.".to_owned().into(),
            calls: Vec::new().into(),
            thoughts: Thoughts::default(),
        },
    ]
}

pub(crate) fn thought(text: &str, reasoning: &str, calls: Vec<ToolCall>, seals: Vec<Seal>) -> ChatMessage {
    let entry = Arc::new(Entry {
        id: EntryId(1),
        turn: TurnId(1),
        time: Time(0),
        body: Body::Assistant {
            text: text.to_owned(),
            reasoning: reasoning.to_owned(),
            seals,
            calls,
            model: ModelRef {
                provider: "p".to_owned(),
                id: "org/model".to_owned(),
            },
            usage: None,
            error: None,
        },
    });
    ChatMessage::Assistant {
        text: Text::Of(Arc::clone(&entry)),
        calls: Calls::Of(Arc::clone(&entry)),
        thoughts: Thoughts::of(&entry),
    }
}
