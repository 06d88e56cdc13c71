//! Converts tool answers to plain data without control characters.

use std::sync::Arc;

use super::lenient_parser::unread_kind;
use super::limits::MOST_MEDIA;
use super::tool_list::sanitize;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use benchdog_base::text::{clean, truncate};
use benchdog_domain::server::{Answered, Part, ServerTrouble};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, ServerResult};

pub(super) fn call_result(result: ServerResult) -> Result<Answered, ServerTrouble> {
    match result {
        ServerResult::CallToolResult(result) => Ok(convert(result)),
        // A tool without output may omit all fields. The SDK then parses its result as one of these types.
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

fn convert(result: CallToolResult) -> Answered {
    Answered {
        parts: result.content.into_iter().map(part).collect(),
        structured: result.structured_content.filter(|value| !value.is_null()).map(sanitize),
        failed: result.is_error.unwrap_or(false),
    }
}

pub(super) fn part(block: ContentBlock) -> Part {
    match block {
        ContentBlock::Text(text) => match unread_kind(text.meta.as_ref()) {
            Some(kind) => Part::Unknown {
                kind: single_line(kind),
            },
            None => Part::Text(clean(&text.text).into_owned()),
        },
        ContentBlock::Image(image) => decode_media(&image.mime_type, &image.data),
        ContentBlock::Audio(audio) => decode_media(&audio.mime_type, &audio.data),
        ContentBlock::ResourceLink(link) => Part::Link {
            uri: single_line(&link.uri),
            name: single_line(link.title.as_deref().unwrap_or(&link.name)),
            description: single_line(link.description.as_deref().unwrap_or_default()),
        },
        ContentBlock::Resource(resource) => resource_part(resource.resource),
        _ => Part::Unknown { kind: String::new() },
    }
}

pub(super) fn resource_part(contents: ResourceContents) -> Part {
    match contents {
        ResourceContents::TextResourceContents { uri, text, .. } => Part::Resource {
            uri: single_line(&uri),
            text: clean(&text).into_owned(),
        },
        ResourceContents::BlobResourceContents { mime_type, blob, .. } => {
            decode_media(mime_type.as_deref().unwrap_or("application/octet-stream"), &blob)
        }
        _ => Part::Unknown { kind: String::new() },
    }
}

fn decode_media(media: &str, data: &str) -> Part {
    let media = truncate(&single_line(media), MOST_MEDIA).into_owned();
    match BASE64_STANDARD.decode(data.trim()) {
        Ok(bytes) => Part::Bytes {
            media,
            bytes: Arc::from(bytes),
        },
        Err(_) => Part::Unreadable { media },
    }
}

pub(super) fn single_line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}
