//! Tests of a session with Ollama's API. The server's facts about its model determine the call format and the request.

use serde_json::json;

use crate::images::{PIXEL, PIXEL_URL, put};
use crate::support::api::Api;
use crate::support::home::{Home, config};
use crate::support::reply::{call, stream, text};
use crate::support::server::{CONTEXT, MODEL, Server};

const READS: &str = "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"notes.txt\"}}\n</tool_call>";

#[test]
fn a_model_that_cannot_call_is_taught_to_write_calls_in_every_request_of_the_session() {
    let server = Server::start();
    server.page("/api/show", json!({"capabilities": ["completion"], "model_info": {}}));
    let home = Home::speaking(Api::Ollama, &server);
    home.file("notes.txt", "buy milk\n");
    server.script([text(READS), text("milk")]);
    let run = home.run(&["run", "what is in the notes?"]);
    run.assert_code(0);
    assert!(run.stderr.contains("does not include tools"), "{run}");
    assert_eq!(server.requests().len(), 2);
    for request in server.requests() {
        assert!(request.body.get("tools").is_none(), "{}", request.raw);
        assert_eq!(request.body["options"]["num_ctx"], CONTEXT, "{}", request.raw);
    }
    assert!(server.request(2).last("user").contains("buy milk"));
    server.assert_append_only();
}

#[test]
fn a_model_that_runs_with_a_smaller_window_than_asked_for_is_said_once_it_has_answered() {
    let server = Server::start();
    server.page(
        "/api/show",
        json!({"capabilities": ["completion", "tools"], "model_info": {}}),
    );
    server.page("/api/version", json!({"version": "0.12.0"}));
    let home = Home::speaking(Api::Ollama, &server);
    server.page("/api/ps", json!({"models": [{"name": MODEL, "context_length": 4_096}]}));
    server.model(|request| Some(stream().says("fine").counts(request.tokens()).ends()));
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for_text("with a context window of 4096 tokens");
    bench.leave();
}

#[test]
fn a_tiny_model_is_not_taught_tools_unless_asked() {
    let facts = json!({"capabilities": ["completion"], "model_info": {"general.parameter_count": 134_515_008}});
    let server = Server::start();
    server.page("/api/show", facts.clone());
    let home = Home::speaking(Api::Ollama, &server);
    server.script([text("Paris")]);
    let run = home.run(&["run", "what is the capital of France?"]);
    run.assert_code(0);
    assert_eq!(run.stdout, "Paris\n");
    assert!(run.stderr.contains("too small to write them as text"), "{run}");
    let sent = server.request(1);
    assert!(
        sent.body.get("tools").is_none() && !sent.raw.contains("<tool_call>"),
        "{}",
        sent.raw
    );

    let server = Server::start();
    server.page("/api/show", facts);
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api"] = json!("ollama");
    settings["provider"]["kit"]["models"][MODEL]["tools"] = json!("text");
    home.configure(&settings);
    server.script([text("Paris")]);
    home.run(&["run", "what is the capital of France?"]).assert_code(0);
    assert!(server.request(1).raw.contains("<tool_call>"));
}

#[test]
fn a_model_that_sees_by_the_word_of_its_server_gets_images() {
    let server = Server::start();
    server.page(
        "/api/show",
        json!({"capabilities": ["completion", "tools", "vision"], "model_info": {}}),
    );
    let home = Home::speaking(Api::Ollama, &server);
    put(&home, "shot.png", PIXEL);
    let look = call("read", json!({"path": "shot.png"}));
    server.script([text("A dot."), text("Still a dot."), look, text("Seen.")]);
    for arguments in [
        &["run", "see @shot.png"][..],
        &["run", "--continue", "again"],
        &["run", "read it"],
    ] {
        home.run(arguments).assert_code(0);
    }
    let (_, image) = PIXEL_URL.split_once(',').expect("an address of data");
    for request in [1, 2, 4] {
        let sent = server.request(request);
        assert!(sent.raw.contains(image), "{}", sent.raw);
    }
}
