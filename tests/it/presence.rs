//! Tests of the endpoint before the first prompt: whether it is reachable, has the model, and can download it.

use std::net::TcpListener;

use serde_json::json;

use crate::support::api::Api;
use crate::support::home::{Home, config};
use crate::support::reply::text;
use crate::support::server::{MODEL, Server};

fn deserted() -> String {
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a free port")
        .port();
    format!("http://127.0.0.1:{port}/v1")
}

#[test]
fn an_unreachable_server_is_shown_before_the_first_prompt() {
    let home = Home::bare();
    home.configure(&config(&deserted()));
    let bench = home.bench(&[]);
    bench.wait_for_text("server unreachable");
    bench.leave();
}

#[test]
fn a_server_that_starts_later_is_asked_again() {
    let base_url = deserted();
    let home = Home::bare();
    home.configure(&config(&base_url));
    let bench = home.bench(&[]);
    bench.wait_for_text("server unreachable");
    let port = base_url
        .trim_end_matches("/v1")
        .rsplit(':')
        .next()
        .and_then(|port| port.parse().ok());
    let server = Server::start_at(port.expect("a port"));
    server.refuse("/v1/models", 401, "not allowed");
    bench.wait_for_text("API key rejected");
    bench.leave();
}

#[test]
fn a_rejected_key_is_shown_before_the_first_prompt() {
    let server = Server::start();
    server.refuse("/v1/models", 401, "not allowed");
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    bench.wait_for_text("API key rejected");
    // An answer proves that the endpoint works.
    server.script([text("Hello.")]);
    bench.ask("hi");
    bench.wait_for_text("Hello.");
    bench.wait_for("the status is clear", |screen| !screen.text().contains("key rejected"));
    bench.leave();
}

#[test]
fn one_request_asks_for_reachability_and_the_model() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Hello.")]);
    let bench = home.bench(&[]);
    server.asked_at("/v1/models");
    bench.ask("hi");
    bench.wait_for_text("Hello.");
    assert!(!bench.look(|screen| screen.text()).contains("unreachable"));
    bench.leave();
    let lists = server.other_paths().into_iter().filter(|path| path == "/v1/models");
    assert_eq!(lists.count(), 1, "{:?}", server.other_paths());
}

#[test]
fn a_missing_model_is_downloaded_by_its_key() {
    let server = Server::start();
    server.refuse("/api/show", 404, "model 'kit-model' not found");
    server.page("/api/tags", json!({"models": [{"name": "kit-modell:1b"}]}));
    server.page("/api/pull", json!({"status": "success"}));
    let home = Home::speaking(Api::Ollama, &server);
    let bench = home.bench(&[]);
    bench.wait_for_text("does not have `kit-model`");
    bench.wait_for_text("model missing");
    bench.wait_for_text("kit-modell:1b");
    assert!(
        !server.other_paths().contains(&"/api/pull".to_owned()),
        "nobody asked for it"
    );
    bench.keys("ctrl-x p");
    bench.wait_for_text("`kit-model` is ready.");
    assert!(server.asked_at("/api/pull").contains(MODEL));
    bench.wait_for("the card is gone", |screen| {
        !screen.text().contains("does not have `kit-model`") && !screen.text().contains("model missing")
    });
    bench.leave();
}

#[test]
fn offline_offers_no_download() {
    let server = Server::start();
    server.refuse("/api/show", 404, "model 'kit-model' not found");
    server.page("/api/tags", json!({"models": [{"name": "other:1b"}]}));
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api"] = json!("ollama");
    settings["network"] = json!({"offline": true});
    home.configure(&settings);
    let bench = home.bench(&[]);
    bench.wait_for_text("model missing");
    assert!(
        !bench.look(|screen| screen.text()).contains("/pull"),
        "{}",
        bench.look(|screen| screen.text())
    );
    bench.leave();
}

#[test]
fn a_run_without_a_person_asks_nothing_in_advance() {
    let server = Server::start();
    server.page("/api/tags", json!({"models": [{"name": "other:1b"}]}));
    let home = Home::speaking(Api::Ollama, &server);
    server.script([text("Hello.")]);
    let run = home.run(&["run", "hi"]);
    run.assert_code(0);
    assert!(
        !server.other_paths().contains(&"/api/tags".to_owned()),
        "{:?}",
        server.other_paths()
    );
}
