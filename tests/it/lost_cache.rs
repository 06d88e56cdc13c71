//! Tests that a lost server cache is reported. It makes the server slow, and a person can fix the cause.

use serde_json::json;

use crate::support::api::Api;
use crate::support::home::Home;
use crate::support::reply::stream;
use crate::support::server::Server;

/// Sends two requests. `keeps` gives the number of cached tokens of the second.
fn run(api: Api, keeps: impl Fn(u64) -> u64 + Send + 'static) -> String {
    let server = Server::start();
    let home = Home::speaking(api, &server);
    home.file("notes.txt", "buy milk\n");
    let mut first = None;
    server.model(move |request| {
        let counted = stream().counts(request.tokens());
        Some(match first.replace(request.tokens()) {
            None => counted.keeps(500).calls("read", json!({"path": "notes.txt"})).ends(),
            Some(before) => counted.keeps(keeps(before)).says("milk").ends(),
        })
    });
    let run = home.run(&["run", &"an honest question about one thing or two. ".repeat(600)]);
    run.assert_code(0);
    assert_eq!(server.requests().len(), 2);
    run.stderr
}

#[test]
fn a_prompt_that_is_read_again_is_said_and_one_that_was_kept_is_not() {
    for api in [Api::OpenAi, Api::Anthropic] {
        let lost = run(api, |_| 0);
        assert!(lost.contains("the server's prompt cache"), "{api:?}: {lost}");
        let kept = run(api, |before| before - 100);
        assert!(!kept.contains("the server's prompt cache"), "{api:?}: {kept}");
    }
}
