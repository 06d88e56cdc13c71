use std::time::Duration;

use serde_json::json;
use tokio::sync::mpsc;

use super::Anthropic;
use crate::Provider;
use crate::failure::{Kind, Missing};
use crate::sample::{history, request};
use crate::transport::{Endpoint, Owner};
use benchdog_domain::message::{Finish, Sealed};
use benchdog_testing::model_server::{Answer, Asked, ModelServer};

const KEY: &str = "sk-ant-0123456789";

fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        owner: Owner::Provider("house".to_owned()),
        base_url: base_url.to_owned(),
        api_key: Some(format!(" {KEY}\n")),
        headers: Vec::new(),
        ca_file: None,
        network: benchdog_config::settings::NetworkSettings::default(),
        idle_timeout: Duration::from_secs(20),
    }
}

fn corpus(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sse_anthropic/");
    std::fs::read(format!("{folder}{name}.body")).unwrap()
}

fn answer(name: &str) -> Answer {
    Answer::new(200, corpus(name)).header("content-type", "text/event-stream")
}

/// Sends a request with these configured headers. Returns the request as the server received it.
async fn asked_with(headers: &[(&str, &str)]) -> Asked {
    let server = ModelServer::start(vec![answer("text")]).await;
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let endpoint = Endpoint {
        headers: headers.iter().map(own).collect(),
        ..endpoint(&server.base_url())
    };
    let provider = Anthropic::new(endpoint, None);
    provider.stream(request(history()), mpsc::channel(16).0).await.unwrap();
    server.asked().remove(0)
}

#[tokio::test]
async fn the_key_and_the_version_of_the_api_are_headers_of_their_own() {
    let asked = asked_with(&[("x-team", "bench")]).await;
    assert_eq!((asked.method.as_str(), asked.path.as_str()), ("POST", "/v1/messages"));
    assert_eq!(asked.header("x-api-key"), Some(KEY));
    assert_eq!(asked.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(
        (asked.header("authorization"), asked.header("x-team")),
        (None, Some("bench"))
    );
}

#[tokio::test]
async fn what_is_configured_for_the_headers_counts() {
    let asked = asked_with(&[("Authorization", "Bearer other"), ("anthropic-version", "2099-01-01")]).await;
    assert_eq!(
        (asked.header("authorization"), asked.header("x-api-key")),
        (Some("Bearer other"), None)
    );
    assert_eq!(asked.header("anthropic-version"), Some("2099-01-01"));
}

#[tokio::test]
async fn a_thought_a_text_and_a_call_come_as_one_reply() {
    let server = ModelServer::start(vec![answer("thought_and_call")]).await;
    let provider = Anthropic::new(endpoint(&server.base_url()), None);
    let reply = provider.stream(request(history()), mpsc::channel(64).0).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("I read it.", Finish::Calls));
    assert_eq!(reply.calls[0].id.0, "toolu_01A");
    assert_eq!(reply.seals.len(), 1);
    assert_eq!(reply.seals[0].sealed, Sealed::Signature("EqQBCgIYAhIM/+==".to_owned()));
}

#[tokio::test]
async fn an_overloaded_server_is_asked_again_and_a_key_never_told() {
    let told = json!({"type": "error", "error": {"type": "permission_error", "message": format!("{KEY} may not")}});
    let server = ModelServer::start(vec![
        Answer::new(529, corpus("e529")),
        answer("text"),
        Answer::new(403, told.to_string()),
    ])
    .await;
    let mut provider = Anthropic::new(endpoint(&server.base_url()), None);
    provider.exchange.chance = || 0.0;
    let reply = provider.stream(request(history()), mpsc::channel(16).0).await.unwrap();
    assert_eq!(reply.text, "Hello 日本");
    let refused = provider
        .stream(request(history()), mpsc::channel(16).0)
        .await
        .unwrap_err();
    assert_eq!(refused.kind, Kind::Forbidden);
    assert_eq!(refused.message, "[key] may not");
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn the_list_tells_the_windows_and_a_claude_has_its_own() {
    let list = json!({"data": [
        {"type": "model", "id": "claude-opus-4-6", "display_name": "Claude", "max_input_tokens": 1_000_000},
        {"type": "model", "id": "claude-haiku-4-5", "display_name": "Claude"},
        {"type": "model", "id": "other", "display_name": "Other"},
    ], "has_more": false});
    let list = || Answer::new(200, list.to_string());
    let server = ModelServer::start(vec![list(), list(), list(), list()]).await;
    // The base URL is given without `/v1`, as in other clients of this API.
    let base = server.base_url();
    let provider = Anthropic::new(endpoint(base.trim_end_matches("/v1")), None);
    let listed: Vec<Option<u64>> = provider
        .models()
        .await
        .unwrap()
        .iter()
        .map(|model| model.context)
        .collect();
    assert_eq!(listed, [Some(1_000_000), Some(200_000), None]);
    assert_eq!(server.asked()[0].path, "/v1/models");
    assert_eq!(server.asked()[0].header("x-api-key"), Some(KEY));
    let opus = provider.about("claude-opus-4-6").await.unwrap();
    assert_eq!(
        (opus.window, opus.vision, opus.tools),
        (Some(1_000_000), Some(true), Some(true))
    );
    assert_eq!(provider.about("claude-unlisted").await.unwrap().window, Some(200_000));
    let other = provider.about("other").await.unwrap();
    assert_eq!((other.window, other.vision), (None, None));
}

#[tokio::test]
async fn llama_cpp_tells_of_itself_here_too_and_a_gateway_may_have_no_list() {
    let list = json!({"data": [{"id": "tiny", "owned_by": "llamacpp", "meta": {"n_ctx_train": 4096}}]});
    let properties = json!({"default_generation_settings": {"n_ctx": 2048}, "build_info": "b7000"});
    let server = ModelServer::start(vec![
        Answer::new(200, list.to_string()),
        Answer::new(200, properties.to_string()),
        Answer::new(404, "not here"),
        Answer::new(404, "not here"),
    ])
    .await;
    let provider = Anthropic::new(endpoint(&server.base_url()), None);
    let known = provider.about("any").await.unwrap();
    assert_eq!((known.window, known.trained), (Some(2048), Some(4096)));
    assert_eq!(
        known.server.as_ref().map(ToString::to_string).as_deref(),
        Some("llama.cpp b7000")
    );
    assert_eq!(provider.about("claude-sonnet-4-5").await.unwrap().window, Some(200_000));
    let nothing = provider.about("mystery").await.unwrap_err();
    assert_eq!(nothing.kind, Kind::NotFound(Missing::Path));
}
