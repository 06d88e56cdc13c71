//! Tests that a server which silently truncates long prompts is detected by its first token count.

use serde_json::Value;

use crate::support::api::Api;
use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::stream;
use crate::support::server::{MODEL, Server};

const WINDOW: u64 = 32_768;

/// Sends a prompt of one and a half times `words` tokens. `count` gives the server's token count.
fn counted(api: Api, words: u64, count: impl Fn(u64) -> u64 + Send + 'static) -> (Finished, usize) {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api"] = api.word().into();
    settings["provider"]["kit"]["models"][MODEL]["context"] = Value::from(WINDOW);
    home.configure(&settings);
    server.model(move |request| Some(stream().says("fine").counts(count(request.tokens())).ends()));
    let words = usize::try_from(words).expect("a small number");
    let run = home.run(&["run", &"an honest question about one thing or two. ".repeat(words / 7)]);
    run.assert_code(0);
    (run, server.requests().len())
}

#[track_caller]
fn assert_a_cut_is_said(api: Api) {
    for read in [2_048, 4_096, WINDOW / 2] {
        let (run, requests) = counted(api, read, move |_| read);
        assert_eq!(requests, 1, "{read}: it is said with the first reply");
        assert!(
            run.stderr.contains(&format!("read only {read} of about")),
            "{read}: {run}"
        );
        assert!(run.stderr.contains("OLLAMA_CONTEXT_LENGTH"), "{run}");
        let (run, _) = counted(api, read, |sent| sent);
        assert!(!run.stderr.contains("of about"), "{read}, read whole: {run}");
    }
}

#[test]
fn a_prompt_cut_to_a_window_of_any_size_is_said_with_the_first_reply() {
    assert_a_cut_is_said(Api::OpenAi);
}

#[test]
fn a_prompt_cut_behind_the_api_of_ollama_is_said_with_the_first_reply() {
    assert_a_cut_is_said(Api::Ollama);
}

#[test]
fn a_prompt_truncated_behind_the_responses_api_is_said_with_the_first_reply() {
    assert_a_cut_is_said(Api::Responses);
}

#[test]
fn a_prompt_cut_behind_the_messages_of_anthropic_is_said_with_the_first_reply() {
    assert_a_cut_is_said(Api::Anthropic);
}
