use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::{OLLAMA, embed as request};
use crate::exchange::{Exchange, Wire};
use crate::failure::{Kind, ProviderError};
use crate::transport::{Endpoint, Owner};
use crate::{Provider, new_provider};
use benchdog_config::settings::NetworkSettings;
use benchdog_domain::agent::Api;
use benchdog_testing::model_server::{Answer, ModelServer, Step};

fn endpoint(base_url: &str, network: NetworkSettings) -> Endpoint {
    Endpoint {
        owner: Owner::Provider("local".to_owned()),
        base_url: base_url.to_owned(),
        api_key: Some("secret-key".to_owned()),
        headers: Vec::new(),
        ca_file: None,
        network,
        idle_timeout: Duration::from_secs(20),
    }
}

fn provider(api: Api, base_url: &str, network: NetworkSettings) -> Arc<dyn Provider> {
    new_provider(api, endpoint(base_url, network), None)
}

fn texts() -> Vec<String> {
    vec!["fn one() {}".to_owned(), "fn two() {}".to_owned()]
}

fn openai(vectors: &[(usize, Value)]) -> Answer {
    let data: Vec<Value> = vectors
        .iter()
        .map(|(index, vector)| json!({"object": "embedding", "index": index, "embedding": vector}))
        .collect();
    Answer::new(200, json!({"object": "list", "data": data}).to_string())
}

fn ollama(vectors: &Value) -> Answer {
    Answer::new(200, json!({"model": "m", "embeddings": vectors}).to_string())
}

async fn embed(api: Api, server: &ModelServer) -> Result<Vec<Vec<f32>>, ProviderError> {
    let provider = provider(api, &server.base_url(), NetworkSettings::default());
    provider.embed("org/embed", &texts()).expect("supported").await
}

#[tokio::test]
async fn both_apis_return_one_vector_for_each_text_in_its_order() {
    for (api, answer, path) in [
        (
            Api::OpenAi,
            openai(&[(1, json!([0.0, 2.0])), (0, json!([1.0, 0.5]))]),
            "/v1/embeddings",
        ),
        (
            Api::Responses,
            openai(&[(0, json!([1.0, 0.5])), (1, json!([0.0, 2.0]))]),
            "/v1/embeddings",
        ),
        (Api::Ollama, ollama(&json!([[1.0, 0.5], [0.0, 2.0]])), "/api/embed"),
    ] {
        let server = ModelServer::start(vec![answer]).await;
        let vectors = embed(api, &server).await.unwrap();
        assert_eq!(vectors, [vec![1.0, 0.5], vec![0.0, 2.0]], "{api:?}");
        let asked = server.asked();
        assert_eq!((asked[0].method.as_str(), asked[0].path.as_str()), ("POST", path));
        let body: Value = serde_json::from_slice(&asked[0].body).unwrap();
        assert_eq!(body, json!({"model": "org/embed", "input": texts()}));
        let key = asked[0].headers.iter().find(|(name, _)| name == "authorization");
        assert_eq!(key.map(|(_, value)| value.as_str()), Some("Bearer secret-key"));
    }
    let server = ModelServer::start(Vec::new()).await;
    let anthropic = provider(Api::Anthropic, &server.base_url(), NetworkSettings::default());
    assert!(anthropic.embed("m", &texts()).is_none());
}

#[tokio::test]
async fn an_answer_that_does_not_fit_the_texts_is_one_clear_error() {
    let one = json!([1.0]);
    for (api, answer, told) in [
        (Api::OpenAi, openai(&[(0, one.clone())]), "1 embeddings for 2 texts"),
        (
            Api::Ollama,
            ollama(&json!([[1.0], [2.0], [3.0]])),
            "3 embeddings for 2 texts",
        ),
        (
            Api::OpenAi,
            openai(&[(0, one.clone()), (0, one.clone())]),
            "its answer has no embeddings",
        ),
        (
            Api::Ollama,
            ollama(&json!([[1.0], [2.0, 3.0]])),
            "different dimensions: 1 and 2",
        ),
        (Api::Ollama, ollama(&json!([[], []])), "have 0 dimensions"),
        (
            Api::Ollama,
            ollama(&json!([[1e39], [1.0]])),
            "its answer has no embeddings",
        ),
        (
            Api::OpenAi,
            ollama(&json!([[1.0], [2.0]])),
            "its answer has no embeddings",
        ),
        (
            Api::OpenAi,
            openai(&[(0, json!(["a"])), (1, json!(["b"]))]),
            "its answer has no embeddings",
        ),
    ] {
        let server = ModelServer::start(vec![answer]).await;
        let error = embed(api, &server).await.unwrap_err();
        assert_eq!(error.kind, Kind::NotAnApi, "{told}");
        assert!(error.to_string().contains(told), "{error}");
        assert_eq!(server.asked().len(), 1, "{told}: an answer is not asked for again");
    }
}

#[tokio::test]
async fn a_failing_server_is_asked_again_and_its_error_names_no_secret() {
    let failing = || Answer::new(503, r#"{"error": {"message": "no slot for secret-key"}}"#).header("retry-after", "0");
    let good = ollama(&json!([[1.0], [2.0]]));
    let server = ModelServer::start(vec![failing(), good]).await;
    assert_eq!(embed(Api::Ollama, &server).await.unwrap().len(), 2);
    let refused = Answer::new(
        404,
        r#"{"error": "model \"org/embed\" not found, try pulling it first"}"#,
    );
    let server = ModelServer::start(vec![refused]).await;
    let error = embed(Api::Ollama, &server).await.unwrap_err();
    assert!(error.to_string().contains("org/embed"), "{error}");
    let server = ModelServer::start(std::iter::repeat_with(failing).take(9).collect()).await;
    let wire = Wire {
        api: Api::Ollama,
        path: "/api/chat",
        body: |_| Vec::new(),
        format: crate::ollama::FORMAT,
    };
    let mut exchange = Exchange::new(endpoint(&server.base_url(), NetworkSettings::default()), wire);
    exchange.chance = || 0.0;
    let error = request(&exchange, &OLLAMA, "m", &texts()).await.unwrap_err();
    assert_eq!(error.status, Some(503));
    assert!(!error.to_string().contains("secret-key"), "{error}");
    assert_eq!(server.asked().len(), 5, "the retries have a limit");
}

#[tokio::test]
async fn a_request_that_is_dropped_closes_its_connection() {
    let mut server = ModelServer::start(vec![Answer::new(200, "{\"embeddings\": [").then(Step::Hold)]).await;
    let provider = provider(Api::Ollama, &server.base_url(), NetworkSettings::default());
    let request = provider.embed("m", &texts()).expect("supported");
    let ended = tokio::time::timeout(Duration::from_millis(300), request).await;
    assert!(ended.is_err(), "the server says nothing more");
    tokio::time::timeout(Duration::from_secs(5), server.closed(1))
        .await
        .expect("the connection ends");
}

#[tokio::test]
async fn offline_refuses_an_address_outside() {
    let network = NetworkSettings {
        offline: true,
        ..NetworkSettings::default()
    };
    let provider = provider(Api::OpenAi, "http://embeddings.example.org/v1", network);
    let error = provider.embed("m", &texts()).expect("supported").await.unwrap_err();
    assert_eq!(error.kind, Kind::Setting);
    assert!(error.to_string().contains("`network.offline` is on"), "{error}");
}
