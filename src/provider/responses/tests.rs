use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::Responses;
use crate::failure::{Kind, Missing};
use crate::sample::{history, request};
use crate::transport::{Endpoint, Owner};
use crate::{ModelRequest, Progress, Provider};
use benchdog_domain::agent::Thinking;
use benchdog_domain::message::{Delta, Finish, Sealed};
use benchdog_testing::model_server::{Answer, ModelServer};

fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        owner: Owner::Provider("house".to_owned()),
        base_url: base_url.to_owned(),
        api_key: Some("sk-0123456789".to_owned()),
        headers: Vec::new(),
        ca_file: None,
        network: benchdog_config::settings::NetworkSettings::default(),
        idle_timeout: Duration::from_secs(20),
    }
}

fn corpus(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sse_responses/");
    std::fs::read(format!("{folder}{name}.body")).unwrap()
}

fn answer(name: &str) -> Answer {
    Answer::new(200, corpus(name)).header("content-type", "text/event-stream")
}

fn channel() -> mpsc::Sender<Progress> {
    mpsc::channel(64).0
}

#[tokio::test]
async fn reasoning_text_and_a_call_come_as_one_reply() {
    let server = ModelServer::start(vec![answer("thought_and_call")]).await;
    let provider = Responses::new(endpoint(&server.base_url()), None);
    let (sender, mut progress) = mpsc::channel(64);
    let reply = provider.stream(request(history()), sender).await.unwrap();
    let asked = server.asked().remove(0);
    assert_eq!((asked.method.as_str(), asked.path.as_str()), ("POST", "/v1/responses"));
    assert_eq!(asked.header("authorization"), Some("Bearer sk-0123456789"));
    assert_eq!((reply.text.as_str(), reply.finish), ("I read it.", Finish::Calls));
    assert_eq!((reply.calls[0].id.0.as_str(), reply.calls_itself), ("call_1", true));
    let (data, id) = ("gAAA=1".to_owned(), Some("rs_1".to_owned()));
    assert_eq!(reply.seals[0].sealed, Sealed::Encrypted { data, id });
    assert_eq!(reply.usage.unwrap().cached, Some(2000));
    let mut shown = (String::new(), String::new());
    while let Ok(one) = progress.try_recv() {
        match one {
            Progress::Delta(Delta::Text(more)) => shown.0.push_str(&more),
            Progress::Delta(Delta::Reasoning(more)) => shown.1.push_str(&more),
            _ => {}
        }
    }
    assert_eq!(shown, (reply.text, reply.reasoning));
}

#[tokio::test]
async fn a_failed_response_is_retried_unless_text_was_shown() {
    let failed = |name| Answer::new(200, corpus(name)).header("content-type", "text/event-stream");
    let server = ModelServer::start(vec![failed("failed_rate"), answer("text"), failed("failed")]).await;
    let mut provider = Responses::new(endpoint(&server.base_url()), None);
    provider.exchange.chance = || 0.0;
    let reply = provider.stream(request(history()), channel()).await.unwrap();
    assert_eq!(reply.text, "Hello 日本");
    let shown = provider.stream(request(history()), channel()).await.unwrap_err();
    assert!(matches!(shown.kind, Kind::Server(_)), "{shown}");
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn a_server_without_this_api_is_named() {
    let server = ModelServer::start(vec![Answer::new(404, corpus("e404_path"))]).await;
    let provider = Responses::new(endpoint(&format!("{}/responses", server.base_url())), None);
    let missing = provider.stream(request(history()), channel()).await.unwrap_err();
    assert_eq!(missing.kind, Kind::NotFound(Missing::Path));
    assert!(
        missing.to_string().contains("/v1/responses` does not exist"),
        "{missing}"
    );
}

#[tokio::test]
async fn the_effort_is_a_field_and_configured_fields_win() {
    let server = ModelServer::start(vec![answer("text"), answer("text"), answer("text")]).await;
    let provider = Responses::new(endpoint(&server.base_url()), None);
    let extra = json!({"reasoning": {"effort": "medium"}});
    let requests = [
        ModelRequest {
            thinking: Some(Thinking::High),
            ..request(history())
        },
        ModelRequest {
            thinking: Some(Thinking::Off),
            ..request(history())
        },
        ModelRequest {
            thinking: Some(Thinking::Low),
            extra_body: extra.as_object().unwrap().clone(),
            ..request(history())
        },
    ];
    for request in requests {
        provider.stream(request, channel()).await.unwrap();
    }
    let sent: Vec<Value> = server
        .asked()
        .iter()
        .map(|asked| serde_json::from_slice::<Value>(&asked.body).unwrap())
        .collect();
    assert_eq!(sent[0]["reasoning"], json!({"effort": "high", "summary": "auto"}));
    assert_eq!(sent[0]["chat_template_kwargs"]["enable_thinking"], json!(true));
    assert_eq!(sent[1]["reasoning"], json!({"effort": "none"}));
    assert_eq!(sent[2]["reasoning"]["effort"], json!("medium"));
}
