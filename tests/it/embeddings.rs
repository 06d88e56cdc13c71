//! Tests of `retrieval.embedding_model`. Only the named provider gets texts of files. Files that must not be read are
//! never sent. A failure does not stop the search.

use serde_json::{Value, json};

use crate::support::embedding_server::{Behaviour, EmbeddingServer};
use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// Configures a second provider that offers embeddings.
fn home_with(server: &Server, api: &str, base_url: &str, more: &Value) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["embeddings"] = json!({"api": api, "base_url": base_url});
    settings["retrieval"] = json!({"index": "lexical", "embedding_model": "embeddings/org/embed"});
    for (key, value) in more.as_object().expect("an object") {
        settings[key] = value.clone();
    }
    home.configure(&settings);
    home.file("src/retry.rs", "pub fn sleep_a_while() {}\n");
    home.file("src/view.rs", "pub fn paint() {}\n");
    home.file("private/notes.txt", "sleep\n");
    home.file(".gitignore", "target/\n")
        .file("target/built.rs", "fn sleep() {}\n");
    home.file(".env", "SLEEP_TOKEN=sleep\n");
    home
}

fn result(server: &Server, home: &Home, query: &str) -> String {
    server.take_requests();
    server.script([call("search_semantic", json!({"query": query})), text("Found.")]);
    home.run(&["run", "go"]).assert_code(0);
    let messages = server.request(2).body["messages"].as_array().expect("messages").clone();
    messages.last().expect("a result")["content"]
        .as_str()
        .expect("a text")
        .to_owned()
}

#[test]
fn both_apis_find_by_meaning_and_get_only_files_that_may_be_read() {
    let server = Server::start();
    let denied = json!({"permission": {"read": {"private/**": "deny"}}});
    for (api, path) in [("openai", "/v1/embeddings"), ("ollama", "/api/embed")] {
        let embeddings = EmbeddingServer::start(Behaviour::Answers);
        let home = home_with(&server, api, &embeddings.base_url(), &denied);
        let found = result(&server, &home, "pause");
        assert!(
            found.starts_with("src/retry.rs:1-1\n  1: pub fn sleep_a_while() {}\n"),
            "{found}"
        );
        assert!(!found.contains("private/") && !found.contains('['), "{found}");
        let requests = embeddings.take_requests();
        assert!(requests.iter().all(|(asked, _)| asked == path), "{requests:?}");
        let texts: Vec<String> = requests.into_iter().flat_map(|(_, texts)| texts).collect();
        assert_eq!(texts[0], "pause");
        assert!(
            texts.contains(&"src/retry.rs\npub fn sleep_a_while() {}\n".to_owned()),
            "{texts:?}"
        );
        for hidden in ["private/", ".env", "SLEEP_TOKEN", "built"] {
            assert!(!texts.iter().any(|text| text.contains(hidden)), "{hidden}: {texts:?}");
        }
        assert!(result(&server, &home, "pause").starts_with("src/retry.rs:1-1\n"));
        assert_eq!(embeddings.take_requests().len(), 1, "only the question is new");
    }
}

#[test]
fn a_server_that_fails_or_may_not_be_reached_leaves_the_search_by_words() {
    let server = Server::start();
    let embeddings = EmbeddingServer::start(Behaviour::Fails(500));
    let home = home_with(&server, "openai", &embeddings.base_url(), &json!({}));
    let found = result(&server, &home, "paint");
    assert!(found.starts_with("src/view.rs:1-1\n"), "{found}");
    assert!(
        found.contains("[embeddings failed, so files may be ranked by words only: "),
        "{found}"
    );
    assert!(found.contains("the model crashed"), "{found}");
    assert!(embeddings.take_requests().len() > 1, "it is asked again");
    let offline = json!({"network": {"offline": true}});
    let home = home_with(&server, "openai", "http://embeddings.example.org/v1", &offline);
    let found = result(&server, &home, "paint");
    assert!(found.starts_with("src/view.rs:1-1\n"), "{found}");
    assert!(found.contains("`network.offline` is on"), "{found}");
}

#[test]
fn a_model_without_effect_is_refused() {
    let server = Server::start();
    for (retrieval, told) in [
        (json!({"embedding_model": "embeddings/m"}), "has no effect without"),
        (
            json!({"index": "lexical", "embedding_model": "auto"}),
            "must be a model",
        ),
        (
            json!({"index": "lexical", "embedding_model": "vendor/m"}),
            "the API `anthropic` of `vendor` has no embeddings",
        ),
    ] {
        let mut settings = config(&server.base_url());
        settings["provider"]["vendor"] = json!({"api": "anthropic", "base_url": "http://127.0.0.1:9"});
        settings["provider"]["embeddings"] = json!({"base_url": "http://127.0.0.1:9/v1"});
        settings["retrieval"] = retrieval;
        let home = Home::bare();
        home.configure(&settings);
        let run = home.run(&["run", "go"]);
        run.assert_code(2);
        assert!(run.stderr.contains(told), "{}", run.stderr);
    }
}
