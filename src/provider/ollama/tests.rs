use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::Ollama;
use crate::failure::Kind;
use crate::sample::{history, request};
use crate::transport::{Endpoint, Owner};
use crate::{Provider, Pulled};
use benchdog_config::settings::NetworkSettings;
use benchdog_testing::model_server::{Answer, ModelServer, Step};

fn provider(base_url: &str) -> Ollama {
    let endpoint = Endpoint {
        owner: Owner::Provider("local".to_owned()),
        base_url: base_url.to_owned(),
        api_key: None,
        headers: Vec::new(),
        ca_file: None,
        network: NetworkSettings::default(),
        idle_timeout: Duration::from_secs(20),
    };
    Ollama::new(endpoint, None)
}

fn answer() -> Answer {
    let line = json!({"message": {"role": "assistant", "content": "hello"}, "done": true, "done_reason": "stop"});
    Answer::new(200, format!("{line}\n"))
}

fn show() -> Answer {
    let show = json!({"model_info": {"qwen3.context_length": 40_960}, "capabilities": ["completion", "tools"]});
    Answer::new(200, show.to_string())
}

#[tokio::test]
async fn the_window_is_asked_for_once_and_goes_with_every_request() {
    let running = json!({"models": [{"name": "org/model", "context_length": 20_000}]}).to_string();
    let server = ModelServer::start(vec![
        show(),
        Answer::new(200, running),
        Answer::new(200, r#"{"version": "0.12.6"}"#),
        answer(),
        answer(),
    ])
    .await;
    // The base URL may end with `/v1`, as for other APIs.
    let provider = provider(&server.base_url());
    for _ in 0..2 {
        let reply = provider.stream(request(history()), mpsc::channel(16).0).await.unwrap();
        assert_eq!(reply.text, "hello");
    }
    let known = provider.about("org/model").await.unwrap();
    assert_eq!(
        known.server.as_ref().map(ToString::to_string).as_deref(),
        Some("Ollama 0.12.6")
    );
    assert_eq!((known.window, known.loaded), (Some(20_000), Some(true)));
    let asked = server.asked();
    let paths: Vec<&str> = asked.iter().map(|asked| asked.path.as_str()).collect();
    assert_eq!(
        paths,
        ["/api/show", "/api/ps", "/api/version", "/api/chat", "/api/chat"]
    );
    for asked in &asked[3..] {
        let body: Value = serde_json::from_slice(&asked.body).unwrap();
        assert_eq!(body["options"]["num_ctx"], 20_000);
    }
}

#[tokio::test]
async fn a_configured_window_needs_no_question() {
    let server = ModelServer::start(vec![answer()]).await;
    let mut order = request(history());
    order.window = Some(65_536);
    let provider = provider(&server.base_url());
    provider.stream(order, mpsc::channel(16).0).await.unwrap();
    let body: Value = serde_json::from_slice(&server.asked()[0].body).unwrap();
    assert_eq!(body["options"]["num_ctx"], 65_536);
}

#[tokio::test]
async fn fetching_a_model_tells_how_far_it_is_and_why_it_fails() {
    let steps = [
        json!({"status": "pulling manifest"}),
        json!({"status": "pulling 6a07", "total": 100, "completed": 40}),
        json!({"status": "success"}),
    ];
    let body: String = steps.iter().map(|step| format!("{step}\n")).collect();
    let server = ModelServer::start(vec![
        Answer::new(200, body),
        Answer::new(200, "{\"error\":\"pull model manifest: file does not exist\"}\n"),
        Answer::new(200, "{\"status\":\"pulling\"}\n").then(Step::Cut),
    ])
    .await;
    let provider = provider(&server.base_url());
    let (sender, mut told) = mpsc::channel(16);
    provider.pull("qwen3", sender).unwrap().await.unwrap();
    let mut steps = Vec::new();
    while let Some(Pulled { step, completed, .. }) = told.recv().await {
        steps.push((step, completed));
    }
    assert_eq!(steps[1], ("pulling 6a07".to_owned(), Some(40)));
    let refused = provider.pull("qwen9", mpsc::channel(16).0).unwrap().await.unwrap_err();
    assert!(refused.to_string().contains("file does not exist"), "{refused}");
    let cut = provider.pull("qwen3", mpsc::channel(16).0).unwrap().await.unwrap_err();
    assert_eq!(cut.kind, Kind::StreamEndedEarly);
}

#[tokio::test]
async fn the_window_that_the_list_of_the_other_api_tells_is_the_one_used() {
    let list = json!({"data": [{"id": "org/model", "max_model_len": 131_072}]}).to_string();
    let server = ModelServer::start(vec![
        Answer::new(
            200,
            json!({"model_info": {"general.architecture": "other"}}).to_string(),
        ),
        Answer::new(200, json!({"models": []}).to_string()),
        Answer::new(200, list),
        Answer::new(200, r#"{"version": "0.99.0"}"#),
    ])
    .await;
    let known = provider(&server.base_url()).about("org/model").await.unwrap();
    assert_eq!(known.window, Some(131_072));
    assert_eq!(server.asked()[2].path, "/v1/models");
}
