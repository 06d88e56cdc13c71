use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Embedder, Retrieval, holds_home, redacted};
use crate::bench::Bench;
use crate::{Registry, Stop};
use benchdog_config::settings::NetworkSettings;
use benchdog_domain::agent::Api;
use benchdog_domain::tool::CallStatus;
use benchdog_provider::transport::{Endpoint, Owner};
use benchdog_security::redact::Redactor;
use benchdog_security::workspace::Workspace;
use benchdog_testing::model_server::{Answer, ModelServer, Step};

fn bench_with(server: &ModelServer, api: Api, patience: Duration) -> Bench {
    let mut bench = Bench::with(&[
        ("a.txt", "automobile\n"),
        ("b.txt", "colour\n"),
        ("private.txt", "automobile\n"),
        (".env", "automobile\n"),
    ]);
    let endpoint = Endpoint {
        owner: Owner::Provider("local".to_owned()),
        base_url: server.base_url(),
        api_key: None,
        headers: Vec::new(),
        ca_file: None,
        network: NetworkSettings::default(),
        idle_timeout: Duration::from_secs(20),
    };
    bench.cx.retrieval = Retrieval {
        is_denied: Some(Arc::new(|path: &Path| path == Path::new("private.txt"))),
        embedder: Some(Embedder {
            provider: benchdog_provider::new_provider(api, endpoint, None),
            model: "embed".to_owned(),
            full_name: "local/embed".to_owned(),
            patience,
        }),
    };
    bench
}

const PATIENCE: Duration = Duration::from_secs(60);

fn answer(api: Api, vectors: &Value) -> Answer {
    let of_openai = |vector: &Value| json!({"embedding": vector});
    let body = match api {
        Api::Ollama => json!({"embeddings": vectors}),
        _ => json!({"data": vectors.as_array().unwrap().iter().map(of_openai).collect::<Vec<_>>()}),
    };
    Answer::new(200, body.to_string())
}

#[tokio::test]
async fn the_best_parts_are_named_with_lines_and_secrets_are_never_in_the_index() {
    let bench = Bench::with(&[
        ("src/retry.rs", "//! Waits.\n\nfn nextDelay() -> u64 {\n    7\n}\n"),
        ("src/other.rs", "fn draw() {}\n"),
        (".env", "DELAY_TOKEN=hunter2\n"),
    ]);
    let outcome = bench
        .call("codebase_search", json!({"question": "where is the next delay"}))
        .await;
    assert!(outcome.output.starts_with("src/retry.rs:1-5\n"), "{}", outcome.output);
    assert!(
        outcome.output.contains("  3: fn nextDelay() -> u64 {\n"),
        "{}",
        outcome.output
    );
    let outcome = bench.call("search_semantic", json!({"query": "hunter2"})).await;
    assert_eq!(
        outcome.output,
        "No file of the 2 indexed ones has a word of `hunter2`.\n"
    );
}

#[test]
fn it_exists_only_if_it_is_configured() {
    let has = |tools: &Registry| tools.declarations().iter().any(|tool| tool.name == "search_semantic");
    assert!(!has(&Registry::builtin()));
    assert!(has(&Registry::builtin().with_retrieval()));
    let rules = Registry::builtin().all_rules();
    assert!(
        rules.iter().any(|rules| rules.name == "search_semantic"),
        "a rule may name it"
    );
}

#[tokio::test]
async fn a_model_of_either_api_finds_a_file_without_the_words_of_the_question() {
    for api in [Api::OpenAi, Api::Ollama] {
        let question = || answer(api, &json!([[1.0, 0.0]]));
        let server = ModelServer::start(vec![
            question(),
            answer(api, &json!([[0.9, 0.1], [0.0, 1.0]])),
            question(),
        ])
        .await;
        let bench = bench_with(&server, api, PATIENCE);
        for _ in 0..2 {
            let outcome = bench.call("search_semantic", json!({"query": "vehicle"})).await;
            assert_eq!(outcome.output, "a.txt:1-1\n  1: automobile\nb.txt:1-1\n  1: colour\n");
        }
        let bodies: Vec<Value> = server
            .asked()
            .iter()
            .map(|asked| serde_json::from_slice::<Value>(&asked.body).unwrap()["input"].clone())
            .collect();
        let files = json!(["a.txt\nautomobile\n", "b.txt\ncolour\n"]);
        assert_eq!(bodies, [json!(["vehicle"]), files, json!(["vehicle"])], "{api:?}");
    }
}

#[tokio::test]
async fn a_failing_model_leaves_the_result_of_the_words_with_one_line() {
    let one = || answer(Api::Ollama, &json!([[1.0, 0.0]]));
    for (answers, told) in [
        (
            vec![Answer::new(400, r#"{"error": "this model has no embeddings"}"#)],
            "this model has no embeddings",
        ),
        (vec![one(), one()], "1 embeddings for 2 texts"),
        (
            vec![one(), answer(Api::Ollama, &json!([[1.0], [2.0]]))],
            "its embeddings have 2 dimensions, then 1",
        ),
        (vec![Answer::new(200, "[]")], "its answer has no embeddings"),
    ] {
        let server = ModelServer::start(answers).await;
        let bench = bench_with(&server, Api::Ollama, PATIENCE);
        let outcome = bench.call("search_semantic", json!({"query": "colour"})).await;
        assert_eq!(outcome.status, CallStatus::Ok, "{told}");
        assert!(outcome.output.starts_with("b.txt:1-1\n"), "{}", outcome.output);
        let lines: Vec<&str> = outcome.output.lines().filter(|line| line.starts_with('[')).collect();
        assert_eq!(lines.len(), 1, "{}", outcome.output);
        assert!(lines[0].contains(told), "{}", outcome.output);
    }
}

#[tokio::test]
async fn a_silent_model_ends_with_the_deadline_and_with_the_call() {
    let silent = || Answer::new(200, "{").then(Step::Hold);
    let mut server = ModelServer::start(vec![silent(), silent()]).await;
    let bench = bench_with(&server, Api::OpenAi, Duration::from_millis(300));
    let outcome = bench.call("search_semantic", json!({"query": "colour"})).await;
    assert!(outcome.output.starts_with("b.txt:1-1\n"), "{}", outcome.output);
    let told = "[embeddings failed, so files may be ranked by words only: `local/embed` did not answer within 1 s]\n";
    assert!(outcome.output.ends_with(told), "{}", outcome.output);
    server.closed(1).await;
    let mut bench = bench_with(&server, Api::OpenAi, PATIENCE);
    let (stopper, stop) = Stop::pair();
    bench.cx.stop = stop;
    let stops = async {
        while server.asked().len() < 2 {
            tokio::task::yield_now().await;
        }
        stopper.stop();
    };
    let query = json!({"query": "colour"});
    let (outcome, ()) = tokio::join!(bench.call("search_semantic", query), stops);
    assert_eq!(outcome.status, CallStatus::Cancelled);
    let closed = tokio::time::timeout(Duration::from_secs(10), server.closed(2)).await;
    assert!(closed.is_ok(), "the request ends with the call");
}

#[test]
fn a_private_key_is_redacted_as_a_whole_and_later_lines_keep_their_numbers() {
    let key = "MIIEowIBAAKCAQEA\n".repeat(100);
    let text = format!("first\n-----BEGIN RSA PRIVATE KEY-----\n{key}-----END RSA PRIVATE KEY-----\nlast");
    let shown = redacted(&Redactor::default(), &text);
    assert!(!shown.contains("MIIE"), "{shown}");
    assert!(shown.starts_with("first\n[benchdog:redacted:private-key]\n"), "{shown}");
    assert_eq!(shown.lines().count(), text.lines().count());
    assert_eq!(shown.lines().last(), Some("last"));
    assert_eq!(redacted(&Redactor::default(), "a\nb"), "a\nb");
}

#[tokio::test]
async fn the_model_gets_neither_keys_of_files_nor_those_of_the_question() {
    let key = format!("ghp_{}", "a1B2".repeat(9));
    let one = || answer(Api::OpenAi, &json!([[1.0, 0.0]]));
    let files = answer(Api::OpenAi, &json!([[0.9, 0.1], [0.0, 1.0], [0.0, 1.0]]));
    let server = ModelServer::start(vec![one(), files]).await;
    let bench = bench_with(&server, Api::OpenAi, PATIENCE);
    std::fs::write(bench.root().join("c.txt"), format!("token {key}\n")).unwrap();
    let query = json!({"query": format!("where is {key}")});
    let outcome = bench.call("search_semantic", query).await;
    assert!(outcome.output.contains("c.txt:1-1"), "{}", outcome.output);
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    for one in asked {
        let body = String::from_utf8_lossy(&one.body).into_owned();
        assert!(!body.contains(&key), "{body}");
    }
}

#[test]
fn a_folder_above_the_home_folder_is_recognised() {
    assert!(holds_home(Path::new("/")));
    assert!(!holds_home(Path::new("/nowhere")));
}

#[tokio::test]
async fn a_file_that_is_secret_by_the_folder_of_the_workspace_is_not_indexed() {
    let mut bench = Bench::with(&[(".aws/settings", "automobile\n")]);
    bench.cx.workspace = Workspace::open(&bench.root().join(".aws"), &[], &[]).unwrap().into();
    let outcome = bench.call("search_semantic", json!({"query": "automobile"})).await;
    assert!(outcome.output.starts_with("No file of the 0"), "{}", outcome.output);
}
