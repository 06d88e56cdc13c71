//! Short requests whose responses are read completely, without streaming.

use std::time::Duration;

use serde_json::Value;

use super::cause;
use super::failure::{Kind, ProviderError};
use super::transport::{Transport, redirect_error};

const LIMIT: usize = 8 << 20;

pub(crate) enum Question<'a> {
    Get(&'a str),
    Post(&'a str, &'a Value),
    Form(&'a str, Form),
}

/// A multipart body. `content_type` contains its boundary.
pub(crate) struct Form {
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
}

pub(crate) async fn ask<T>(
    transport: &Transport,
    question: Question<'_>,
    patience: Duration,
    otherwise: &str,
    read: impl Fn(&[u8]) -> Option<T>,
) -> Result<T, ProviderError> {
    let (path, incoming) = match question {
        Question::Get(path) => (path, transport.get(path, patience).await),
        Question::Post(path, body) => {
            let body = serde_json::to_vec(body).unwrap_or_default();
            (path, transport.post_within(path, body, patience).await)
        }
        Question::Form(path, Form { content_type, body }) => {
            let posted = transport.post_as(path, &content_type, body, patience);
            (path, posted.await)
        }
    };
    let url = transport.url(path);
    let failed = |error: ProviderError| transport.redact_secrets(error.with_endpoint(&url));
    let mut incoming = incoming?;
    let mut body = Vec::new();
    while let Some(bytes) = incoming.next().await? {
        body.extend_from_slice(&bytes);
        if body.len() > LIMIT {
            let told = format!("its answer to `{path}` is longer than {} MB", LIMIT >> 20);
            return Err(failed(ProviderError::new(Kind::NotAnApi, told)));
        }
    }
    if let Some(error) = redirect_error(&incoming) {
        return Err(failed(error));
    }
    if !(200..300).contains(&incoming.status) {
        return Err(failed(cause::from_response(
            incoming.status,
            &body,
            incoming.retry_after,
        )));
    }
    read(&body).ok_or_else(|| {
        let text = String::from_utf8_lossy(&body);
        let seen = cause::page_title(&text).unwrap_or_else(|| otherwise.to_owned());
        failed(ProviderError::new(Kind::NotAnApi, seen).with_status(incoming.status))
    })
}
