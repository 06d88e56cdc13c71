use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::record::Recorder;
use super::{Pace, Replay};
use crate::failure::{Kind, ProviderError};
use crate::openai::OpenAi;
use crate::transport::{Endpoint, Owner};
use crate::{ModelRequest, Progress, Provider};
use benchdog_config::settings::NetworkSettings;
use benchdog_domain::agent::{Protocol, SendReasoning};
use benchdog_domain::message::{Arguments, ChatMessage, Delta, Reply};
use benchdog_testing::model_server::{Answer, ModelServer, Step};

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

async fn ask(provider: &dyn Provider, text: &str) -> (Result<Reply, ProviderError>, String) {
    let (sender, mut receiver) = mpsc::channel(64);
    let result = provider.stream(request(text), sender).await;
    let mut said = String::new();
    while let Some(progress) = receiver.recv().await {
        if let Progress::Delta(Delta::Text(text)) = progress {
            said.push_str(&text);
        }
    }
    (result, said)
}

fn recorded(server: &ModelServer, recorder: &Arc<Recorder>) -> OpenAi {
    let endpoint = Endpoint {
        owner: Owner::Provider("test".to_owned()),
        base_url: server.base_url(),
        api_key: Some("sk-secret-key".to_owned()),
        headers: Vec::new(),
        ca_file: None,
        network: NetworkSettings::default(),
        idle_timeout: Duration::from_secs(10),
    };
    OpenAi::new(endpoint, Some(Arc::clone(recorder)))
}

#[tokio::test]
async fn a_recording_says_the_same_in_another_folder_and_holds_neither_key_nor_path() {
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"path\":\"/home/ann/work/a.txt\"}"}}]},"finish_reason":"tool_calls"}]}"#;
    let server = ModelServer::start(vec![
        Answer::text(&["I look at ", "/home/ann/work/a.txt 日本"]),
        Answer::new(200, format!("data: {call}\n\ndata: [DONE]\n\n")),
        Answer::new(400, "{\"error\":{\"message\":\"bad\"}}"),
        Answer::events(&["half"]).then(Step::Cut),
    ])
    .await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("take.jsonl");
    let recorder = Recorder::create(&file, "/home/ann/work").unwrap();
    let live = recorded(&server, &recorder);
    let mut first = Vec::new();
    for number in 1..=4 {
        first.push(ask(&live, &format!("question {number} about /home/ann/work")).await);
    }
    assert_eq!(recorder.write_error(), None);

    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("/home/ann") && !text.contains("sk-secret"), "{text}");
    assert!(text.contains("question 1 about {workspace}"));
    let replay = Replay::open(&file, "/home/ann/work", Pace::Immediate).unwrap();
    for (number, (live, said)) in first.into_iter().enumerate() {
        let (again, said_again) = ask(&replay, &format!("question {} about /home/ann/work", number + 1)).await;
        assert_eq!(said_again, said, "request {}", number + 1);
        match (live, again) {
            (Ok(live), Ok(again)) => assert_eq!(live, again),
            (live, again) => assert_eq!(live.unwrap_err().code(), again.unwrap_err().code()),
        }
    }
    assert_eq!(ask(&replay, "more").await.0.unwrap_err().kind, Kind::RecordingEnded);

    let elsewhere = Replay::open(&file, "/tmp/x\"y", Pace::Immediate).unwrap();
    assert_eq!(
        // A note that Benchdog appended is not part of the user's text.
        ask(&elsewhere, "question 1 about /tmp/x\"y\n\n[benchdog] A note.")
            .await
            .0
            .unwrap()
            .text,
        "I look at /tmp/x\"y/a.txt 日本"
    );
    let calls = ask(&elsewhere, "question 2 about /tmp/x\"y").await.0.unwrap().calls;
    let Arguments::Object(arguments) = &calls[0].arguments else {
        panic!("{calls:?}")
    };
    assert_eq!(arguments["path"], "/tmp/x\"y/a.txt");
    assert_eq!(elsewhere.models().await.unwrap()[0].id, "m");
}

#[tokio::test]
async fn of_several_attempts_the_last_is_kept() {
    let busy = Answer::new(503, "").header("retry-after", "0");
    let server = ModelServer::start(vec![busy, Answer::text(&["ok"])]).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("take.jsonl");
    let recorder = Recorder::create(&file, "/w").unwrap();
    assert!(ask(&recorded(&server, &recorder), "x").await.0.is_ok());
    let replay = Replay::open(&file, "/w", Pace::Recorded).unwrap();
    assert_eq!(ask(&replay, "x").await.1, "ok");
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 2);
}

#[tokio::test]
async fn a_request_without_any_answer_fails_the_same_way_again() {
    let text = "{\"recording\":1}\n{\"request\":1,\"failure\":{\"code\":\"timeout\",\"message\":\"nothing came\"}}\n";
    let replay = Replay::from_text(text, "/w", Pace::Immediate).unwrap();
    assert_eq!(ask(&replay, "x").await.0.unwrap_err().code(), "timeout");
}

#[test]
fn a_file_that_is_no_recording_is_refused_with_its_line() {
    let message = |text: &str| Replay::from_text(text, "/w", Pace::Immediate).unwrap_err().message;
    assert!(message("").contains("first line"));
    assert!(message("{\"recording\":2}").contains("version 2"));
    assert!(message("{\"recording\":1}\n\n{\"request\":}").starts_with("line 3:"));
    let missing = Replay::open(std::path::Path::new("/nowhere/take.jsonl"), "/w", Pace::Immediate).unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("The recording `/nowhere/take.jsonl` cannot be read:"),
        "{missing}"
    );
}

#[test]
fn bytes_that_are_no_text_survive() {
    let bytes = super::Bytes::of(b"a\xffb\x00");
    let line = serde_json::to_string(&bytes).unwrap();
    assert_eq!(line, "{\"hex\":\"61ff6200\"}");
    assert_eq!(
        serde_json::from_str::<super::Bytes>(&line).unwrap().raw(),
        b"a\xffb\x00"
    );
}
