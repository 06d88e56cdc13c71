use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::OpenAi;
use crate::failure::{Kind, ProviderError};
use crate::transport::{Endpoint, Owner};
use crate::{ModelRequest, Progress, Provider};
use benchdog_config::settings::NetworkSettings;
use benchdog_domain::agent::Knowledge;
use benchdog_domain::agent::{Protocol, SendReasoning};
use benchdog_domain::message::{ChatMessage, Delta, Reply};
use benchdog_testing::model_server::{Answer, ModelServer, Step};

fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        owner: Owner::Provider("test".to_owned()),
        base_url: base_url.to_owned(),
        api_key: Some("sk-secret-key".to_owned()),
        headers: vec![("x-team".to_owned(), "bench".to_owned())],
        ca_file: None,
        network: NetworkSettings::default(),
        idle_timeout: Duration::from_secs(20),
    }
}

fn provider(server: &ModelServer) -> OpenAi {
    let mut provider = OpenAi::new(endpoint(&server.base_url()), None);
    provider.exchange.chance = || 0.0;
    provider
}

fn request(text: &str) -> ModelRequest {
    ModelRequest {
        model: "m".to_owned(),
        messages: vec![ChatMessage::User(text.to_owned().into())].into(),
        images: benchdog_domain::image::Images::new(),
        tools: Arc::new([]),
        protocol: Protocol::Native,
        calls_itself: false,
        short_ids: false,
        reasoning: SendReasoning::Auto,
        strict: false,
        output: 100,
        tells_reading: false,
        window: None,
        temperature: None,
        top_p: None,
        thinking: None,
        extra_body: serde_json::Map::new(),
    }
}

async fn ask(provider: &OpenAi) -> (Result<Reply, ProviderError>, Vec<Progress>) {
    let (sender, mut receiver) = mpsc::channel(64);
    let answer = provider.stream(request("hello"), sender);
    let result = tokio::time::timeout(Duration::from_secs(20), answer)
        .await
        .expect("an end within 20 s");
    let mut reported = Vec::new();
    while let Some(progress) = receiver.recv().await {
        reported.push(progress);
    }
    (result, reported)
}

fn text_of(reported: &[Progress]) -> String {
    reported
        .iter()
        .map(|progress| match progress {
            Progress::Delta(Delta::Text(text)) => text.as_str(),
            Progress::Delta(Delta::Reasoning(_)) | Progress::Stage(_) | Progress::Retrying { .. } => "",
        })
        .collect()
}

fn retries(reported: &[Progress]) -> Vec<u32> {
    reported
        .iter()
        .filter_map(|progress| match progress {
            Progress::Retrying { attempt, .. } => Some(*attempt),
            Progress::Delta(_) | Progress::Stage(_) => None,
        })
        .collect()
}

#[tokio::test]
async fn a_request_carries_key_and_headers_and_its_answer_is_reported_and_whole() {
    let server = ModelServer::start(vec![Answer::text(&["Hel", "lo 日本"])]).await;
    let (result, reported) = ask(&provider(&server)).await;
    assert_eq!(result.unwrap().text, "Hello 日本");
    assert_eq!(text_of(&reported), "Hello 日本");
    let asked = &server.asked()[0];
    assert_eq!(
        (asked.method.as_str(), asked.path.as_str()),
        ("POST", "/v1/chat/completions")
    );
    assert_eq!(asked.header("authorization"), Some("Bearer sk-secret-key"));
    assert_eq!(asked.header("x-team"), Some("bench"));
    assert_eq!(asked.header("accept-encoding"), Some("identity"));
    let body: serde_json::Value = serde_json::from_slice(&asked.body).unwrap();
    assert_eq!(body["messages"][0]["content"], "hello");
}

#[tokio::test]
async fn the_connection_is_used_again() {
    let server = ModelServer::start((0..5).map(|_| Answer::text(&["a"])).collect()).await;
    let provider = provider(&server);
    for _ in 0..5 {
        assert!(ask(&provider).await.0.is_ok());
    }
    assert_eq!((server.asked().len(), server.connections()), (5, 1));
}

#[tokio::test]
async fn a_server_that_fails_twice_and_then_works_gives_the_answer() {
    let failing = || Answer::new(500, "{\"error\":{\"message\":\"CUDA out of memory\"}}");
    let server = ModelServer::start(vec![failing(), failing(), Answer::text(&["fine"])]).await;
    let (result, reported) = ask(&provider(&server)).await;
    assert_eq!(result.unwrap().text, "fine");
    assert_eq!(retries(&reported), [1, 2]);
    let Some(Progress::Retrying { reason, .. }) = reported.first() else {
        panic!("{reported:?}")
    };
    assert_eq!(reason.response().as_deref(), Some("HTTP 500: CUDA out of memory"));
    let bodies: Vec<_> = server.asked().into_iter().map(|asked| asked.body).collect();
    assert!(
        bodies.iter().all(|body| *body == bodies[0]),
        "every attempt sends the same bytes"
    );
}

#[tokio::test]
async fn a_server_that_keeps_failing_is_asked_five_times() {
    let server = ModelServer::start(
        (0..9)
            .map(|_| Answer::new(502, "<html><title>Bad gateway</title>"))
            .collect(),
    )
    .await;
    let (result, _) = ask(&provider(&server)).await;
    assert_eq!(result.unwrap_err().code(), "server");
    assert_eq!(server.asked().len(), 5);
}

#[tokio::test]
async fn too_many_requests_waits_as_asked_and_goes_on() {
    let busy = Answer::new(429, "{\"error\":{\"message\":\"slow down\"}}").header("retry-after", "0");
    let server = ModelServer::start(vec![busy, Answer::text(&["ok"])]).await;
    let (result, reported) = ask(&provider(&server)).await;
    assert_eq!(result.unwrap().text, "ok");
    assert!(
        matches!(
            reported.first(),
            Some(Progress::Retrying {
                attempt: 1,
                wait_ms: 0,
                ..
            })
        ),
        "{reported:?}"
    );
}

#[tokio::test]
async fn a_wait_of_five_minutes_is_told_and_not_waited_for() {
    let busy = Answer::new(429, "").header("retry-after", "300");
    let server = ModelServer::start(vec![busy]).await;
    let (result, reported) = ask(&provider(&server)).await;
    let error = result.unwrap_err();
    assert_eq!(
        error.kind,
        Kind::RateLimited {
            retry_after: Some(Duration::from_secs(300))
        }
    );
    assert!(retries(&reported).is_empty());
}

#[tokio::test]
async fn refusals_are_final_and_name_address_status_and_cause() {
    let refusals = [
        (
            401,
            "{\"error\":{\"message\":\"Incorrect API key provided: sk-secret-key\"}}",
            "unauthorized",
        ),
        (403, "{\"error\":\"not for you\"}", "forbidden"),
        (
            404,
            "{\"error\":{\"message\":\"The model `m` does not exist.\"}}",
            "not_found",
        ),
        (400, "{\"error\":{\"message\":\"roles must alternate\"}}", "bad_request"),
        (
            500,
            "{\"error\":{\"message\":\"image input is not supported\"}}",
            "server",
        ),
    ];
    for (status, body, code) in refusals {
        let server = ModelServer::start(vec![Answer::new(status, body), Answer::text(&["never"])]).await;
        let (result, _) = ask(&provider(&server)).await;
        let error = result.unwrap_err();
        assert_eq!((error.code(), server.asked().len()), (code, 1));
        let sentence = error.to_string();
        let address = format!("`{}/chat/completions`", server.base_url());
        assert!(
            sentence.contains(&address) && sentence.contains(&status.to_string()),
            "{sentence}"
        );
        assert!(!sentence.contains("sk-secret-key"), "{sentence}");
    }
}

#[tokio::test]
async fn a_stream_cut_after_text_is_an_error_and_not_asked_again() {
    let server = ModelServer::start(vec![
        Answer::events(&["half "]).then(Step::Cut),
        Answer::text(&["never"]),
    ])
    .await;
    let (result, reported) = ask(&provider(&server)).await;
    assert_eq!(result.unwrap_err().code(), "stream_ended_early");
    assert_eq!((text_of(&reported).as_str(), server.asked().len()), ("half ", 1));
}

#[tokio::test]
async fn a_stream_cut_before_any_text_is_asked_again() {
    let server = ModelServer::start(vec![Answer::events(&[]).then(Step::Cut), Answer::text(&["ok"])]).await;
    let (result, reported) = ask(&provider(&server)).await;
    assert_eq!(result.unwrap().text, "ok");
    assert_eq!(retries(&reported), [1]);
}

#[tokio::test]
async fn garbage_in_the_stream_is_said() {
    let answer = Answer::events(&["a"])
        .then(Step::Send(b"data: {\"cho\x00\xff}\n\n".to_vec()))
        .then(Step::Hold);
    let server = ModelServer::start(vec![answer]).await;
    let (result, _) = ask(&provider(&server)).await;
    assert_eq!(result.unwrap_err().code(), "garbage");
}

#[tokio::test]
async fn a_redirect_is_told_and_not_followed() {
    let answer = Answer::new(307, "").header("location", "http://127.0.0.1:9/elsewhere");
    let server = ModelServer::start(vec![answer]).await;
    let (result, _) = ask(&provider(&server)).await;
    let error = result.unwrap_err();
    assert_eq!(error.code(), "not_found");
    assert!(error.to_string().contains("`http://127.0.0.1:9/elsewhere`"), "{error}");
}

#[tokio::test]
async fn a_port_nobody_listens_on_is_tried_three_times_and_named() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let mut provider = OpenAi::new(endpoint(&base), None);
    provider.exchange.chance = || 0.0;
    let (result, reported) = ask(&provider).await;
    assert_eq!(retries(&reported), [1, 2]);
    let wanted = format!("`{base}/chat/completions` cannot be reached: connection refused.");
    assert_eq!(result.unwrap_err().to_string(), wanted);
}

#[tokio::test]
async fn a_silent_server_is_given_up_after_the_idle_time() {
    let server = ModelServer::start(vec![Answer::events(&["a"]).then(Step::Hold)]).await;
    let idle = Endpoint {
        idle_timeout: Duration::from_millis(40),
        ..endpoint(&server.base_url())
    };
    let (result, reported) = ask(&OpenAi::new(idle, None)).await;
    assert_eq!(result.unwrap_err().code(), "timeout");
    assert_eq!(text_of(&reported), "a");
}

#[tokio::test]
async fn done_ends_the_answer_although_the_body_stays_open() {
    let server = ModelServer::start(vec![Answer::text(&["ok"]).then(Step::Hold)]).await;
    let (result, _) = ask(&provider(&server)).await;
    assert_eq!(result.unwrap().text, "ok");
}

#[tokio::test]
async fn dropping_the_answer_closes_the_connection() {
    let mut server = ModelServer::start(vec![Answer::events(&["a"]).then(Step::Hold)]).await;
    let provider = provider(&server);
    let (sender, mut receiver) = mpsc::channel(4);
    {
        let mut answer = provider.stream(request("hello"), sender);
        tokio::select! {
            result = &mut answer => panic!("the answer ended: {result:?}"),
            first = receiver.recv() => assert_eq!(first, Some(Progress::Delta(Delta::Text("a".to_owned())))),
        }
    }
    let closed = tokio::time::timeout(Duration::from_secs(5), server.closed(1)).await;
    assert!(closed.is_ok(), "the connection is still open");
}

#[tokio::test]
async fn a_slow_watcher_gets_every_letter_in_fewer_pieces() {
    let letters: Vec<String> = (0..500).map(|n| format!("{n} ")).collect();
    let texts: Vec<&str> = letters.iter().map(String::as_str).collect();
    let server = ModelServer::start(vec![Answer::text(&texts)]).await;
    let provider = provider(&server);
    let (sender, mut receiver) = mpsc::channel(1);
    let answer = provider.stream(request("hello"), sender);
    let watch = async {
        let mut text = String::new();
        while let Some(progress) = receiver.recv().await {
            tokio::task::yield_now().await;
            text.push_str(&text_of(&[progress]));
        }
        text
    };
    let (result, watched) = tokio::join!(answer, watch);
    assert_eq!(watched, letters.concat());
    assert_eq!(result.unwrap().text, letters.concat());
}

#[tokio::test]
async fn the_models_and_their_windows_are_listed() {
    let list = "{\"object\":\"list\",\"data\":[{\"id\":\"Qwen/Qwen3\",\"max_model_len\":65536}]}";
    let server = ModelServer::start(vec![Answer::new(200, list), Answer::new(200, "<html>no</html>")]).await;
    let provider = provider(&server);
    let models = provider.models().await.unwrap();
    assert_eq!((models[0].id.as_str(), models[0].context), ("Qwen/Qwen3", Some(65536)));
    assert_eq!(server.asked()[0].path, "/v1/models");
    assert_eq!(provider.models().await.unwrap_err().code(), "not_an_api");
}

#[tokio::test]
async fn the_window_of_a_llama_cpp_server_is_the_one_it_was_started_with() {
    let list = r#"{"data": [{"id": "tiny.gguf", "owned_by": "llamacpp", "meta": {"n_ctx_train": 131072}}]}"#;
    let properties = r#"{"default_generation_settings": {"n_ctx": 4096}, "build_info": "b1-0c1e570",
        "modalities": {"vision": false}, "chat_template_caps": {"supports_tools": false}}"#;
    let server = ModelServer::start(vec![
        Answer::new(200, list),
        Answer::new(200, properties),
        Answer::new(200, list),
        Answer::new(404, "{}"),
    ])
    .await;
    let provider = provider(&server);
    let told = provider.about("any name").await.unwrap();
    assert_eq!((told.window, told.trained), (Some(4096), Some(131_072)));
    assert_eq!((told.tools, told.vision), (Some(false), Some(false)));
    assert_eq!(
        told.server.as_ref().map(ToString::to_string).as_deref(),
        Some("llama.cpp b1-0c1e570")
    );
    assert_eq!(provider.about("tiny.gguf").await.unwrap().window, None);
    let paths: Vec<String> = server.asked().into_iter().map(|asked| asked.path).collect();
    assert_eq!(paths, ["/v1/models", "/props", "/v1/models", "/props"]);
}

#[tokio::test]
async fn the_window_is_asked_of_the_list_alone_where_it_stands_there_or_nobody_knows() {
    let list = r#"{"data": [{"id": "m", "max_model_len": 8192}, {"id": "silent", "owned_by": "organization"}]}"#;
    let server = ModelServer::start((0..3).map(|_| Answer::new(200, list)).collect()).await;
    let provider = provider(&server);
    assert_eq!(provider.about("m").await.unwrap().window, Some(8192));
    assert_eq!(provider.about("silent").await.unwrap(), Knowledge::default());
    let others = Some(vec!["m".to_owned(), "silent".to_owned()]);
    assert_eq!(provider.about("other").await.unwrap().listed_others, others);
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn vllm_tells_its_version_and_counts_tokens() {
    let list = r#"{"data": [{"id": "m", "owned_by": "vllm", "max_model_len": 4096}]}"#;
    let version = r#"{"version": "0.32.0"}"#;
    let server = ModelServer::start(vec![Answer::new(200, list), Answer::new(200, version)]).await;
    let told = provider(&server).about("m").await.unwrap();
    assert_eq!(
        told.server.as_ref().map(ToString::to_string).as_deref(),
        Some("vLLM 0.32.0")
    );
    assert_eq!((told.window, told.counts, told.tools), (Some(4096), Some(true), None));
    assert_eq!(server.asked()[1].path, "/version");
}

#[tokio::test]
async fn a_key_in_a_header_is_not_shown_when_the_server_repeats_it() {
    let body = r#"{"error": {"message": "unknown key header-secret or sk-secret-key of bench"}}"#;
    let server = ModelServer::start(vec![Answer::new(401, body)]).await;
    let mut endpoint = endpoint(&server.base_url());
    endpoint
        .headers
        .push(("Authorization".to_owned(), "Bearer header-secret".to_owned()));
    let (result, _) = ask(&OpenAi::new(endpoint, None)).await;
    assert_eq!(result.unwrap_err().message, "unknown key [key] or [key] of bench");
}

#[tokio::test]
async fn a_password_of_the_address_is_not_shown_however_the_server_writes_it() {
    let body =
        r#"{"error": {"message": "no p%40ss%2Fw%C3%B6rd, no p@ss/w\u00f6rd, no am9lOnBAc3Mvd8O2cmQ, no abc+def99"}}"#;
    let server = ModelServer::start(vec![Answer::new(401, body)]).await;
    let address = server.base_url().replace("//", "//joe:p%40ss%2Fw%C3%B6rd@");
    let (result, _) = ask(&OpenAi::new(endpoint(&format!("{address}?token=abc%2Bdef99")), None)).await;
    let said = result.unwrap_err().message;
    assert!(said.ends_with("no [key], no [key], no [key], no [key]"), "{said}");
}
