//! Converts tool answers to plain data without control characters.

use std::sync::Arc;

use super::lenient_parser::unread_kind;
use super::limits::MOST_MEDIA;
use super::tool_list::harmless;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use benchdog_base::text::{clean, truncate};
use benchdog_domain::server::{Answered, Part, ServerTrouble};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, ServerResult};

pub(super) fn answered(result: ServerResult) -> Result<Answered, ServerTrouble> {
    match result {
        ServerResult::CallToolResult(result) => Ok(of_call(result)),
        // A tool without output may omit everything.
        ServerResult::EmptyResult(_) | ServerResult::TaskAckResult(_) => Ok(Answered {
            parts: Vec::new(),
            structured: None,
            failed: false,
        }),
        ServerResult::InputRequiredResult(_) => Err(ServerTrouble::Asks {
            what: "input".to_owned(),
        }),
        _ => Err(ServerTrouble::Unexpected),
    }
}

fn of_call(result: CallToolResult) -> Answered {
    Answered {
        parts: result.content.into_iter().map(part).collect(),
        structured: result.structured_content.filter(|value| !value.is_null()).map(harmless),
        failed: result.is_error.unwrap_or(false),
    }
}

pub(super) fn part(block: ContentBlock) -> Part {
    match block {
        ContentBlock::Text(text) => match unread_kind(text.meta.as_ref()) {
            Some(kind) => Part::Unknown { kind: line(kind) },
            None => Part::Text(clean(&text.text).into_owned()),
        },
        ContentBlock::Image(image) => bytes(&image.mime_type, &image.data),
        ContentBlock::Audio(audio) => bytes(&audio.mime_type, &audio.data),
        ContentBlock::ResourceLink(link) => Part::Link {
            uri: line(&link.uri),
            name: line(link.title.as_deref().unwrap_or(&link.name)),
            description: line(link.description.as_deref().unwrap_or_default()),
        },
        ContentBlock::Resource(resource) => contents(resource.resource),
        _ => Part::Unknown { kind: String::new() },
    }
}

pub(super) fn contents(contents: ResourceContents) -> Part {
    match contents {
        ResourceContents::TextResourceContents { uri, text, .. } => Part::Resource {
            uri: line(&uri),
            text: clean(&text).into_owned(),
        },
        ResourceContents::BlobResourceContents { mime_type, blob, .. } => {
            bytes(mime_type.as_deref().unwrap_or("application/octet-stream"), &blob)
        }
        _ => Part::Unknown { kind: String::new() },
    }
}

fn bytes(media: &str, data: &str) -> Part {
    let media = truncate(&line(media), MOST_MEDIA).into_owned();
    match BASE64_STANDARD.decode(data.trim()) {
        Ok(bytes) => Part::Bytes {
            media,
            bytes: Arc::from(bytes),
        },
        Err(_) => Part::Unreadable { media },
    }
}

pub(super) fn line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}
