//! Tests of repeated requests after a truncated answer, with another server's model, and after a failed turn. Requests
//! stay append-only.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{Reply, call, status, stream, text};
use crate::support::server::{MODEL, Server};

fn cut_call() -> Reply {
    let call = json!({
        "index": 0, "id": "call_900", "type": "function",
        "function": {"name": "write", "arguments": "{\"path\": \"a.txt\", \"content\": \"half"},
    });
    let piece = json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": null}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 4096, "total_tokens": 4196}});
    stream()
        .says("I write.")
        .raw(&format!("data: {piece}\n\ndata: {end}\n\ndata: [DONE]\n\n"))
}

#[test]
fn the_model_is_told_of_a_cut_call_and_does_it_in_pieces() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        cut_call(),
        call("write", json!({"path": "a.txt", "content": "whole\n"})),
        text("Done."),
    ]);
    let run = home.run(&["run", "--output", "stream-json", "--approve", "edits", "write it"]);
    run.assert_code(0);
    assert_eq!(home.read("a.txt"), "whole\n");
    let told = server.request(2);
    assert!(told.says("I write.\n\n[cut]"), "{}", told.raw);
    assert!(told.says("after 4096 tokens, inside a call of `write`"), "{}", told.raw);
    let notice = run.events("notice");
    assert!(notice.iter().any(|line| line["code"] == "call_cut"), "{run}");
    let end = &run.events("turn_finished")[0];
    assert!(
        end["usage"]["completion"]
            .as_u64()
            .is_some_and(|tokens| tokens >= 4_096),
        "{run}"
    );
    server.assert_append_only();
}

#[test]
fn the_second_cut_call_of_a_turn_ends_it_and_names_the_tool() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([cut_call(), cut_call(), text("too late")]);
    let run = home.run(&["run", "write it"]);
    run.assert_code(5);
    assert!(run.stderr.contains("inside a call of `write`"), "{run}");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn where_a_server_has_no_answer_the_fallback_answers_and_is_announced() {
    for refusal in [
        status(404, "the model does not exist"),
        status(429, "You exceeded your current quota"),
    ] {
        let (first, second) = (Server::start(), Server::start());
        let home = Home::bare();
        let mut both = config(&first.base_url());
        let provider = config(&second.base_url())["provider"]["kit"].clone();
        both["provider"]["spare"] = provider;
        both["fallback"] = json!([format!("spare/{MODEL}")]);
        home.configure(&both);
        first.script([refusal]);
        second.script([text("I am the spare one."), text("Still me.")]);
        let run = home.run(&["run", "hello"]);
        run.assert_code(0);
        assert!(run.stdout.contains("I am the spare one."), "{run}");
        assert!(
            run.stderr
                .contains(&format!("Using `spare/{MODEL}` instead of `kit/{MODEL}`")),
            "{run}"
        );
        let run = home.run(&["run", "-c", "and now?"]);
        run.assert_code(0);
        assert_eq!((first.requests().len(), second.requests().len()), (1, 2), "{run}");
        second.assert_append_only();
    }
}

#[test]
fn what_one_models_server_reads_is_not_expected_of_anothers() {
    let (first, second) = (Server::start(), Server::start());
    let home = Home::bare();
    let mut both = config(&first.base_url());
    both["provider"]["spare"] = config(&second.base_url())["provider"]["kit"].clone();
    both["fallback"] = json!([format!("spare/{MODEL}")]);
    home.configure(&both);
    home.file("notes.txt", "buy milk\n");
    first.script([
        call("read", json!({"path": "notes.txt"})),
        status(404, "the model does not exist"),
    ]);
    second.script([
        text("{\"name\": \"read\", \"arguments\": {\"path\": \"notes.txt\"}}"),
        text("milk"),
    ]);
    let run = home.run(&["run", "what is in the notes?"]);
    run.assert_code(0);
    assert!(run.stdout.contains("milk"), "{run}");
    assert!(second.request(2).last("tool").contains("buy milk"), "{run}");
}

#[test]
fn what_is_meant_for_a_server_that_is_named_goes_to_no_other() {
    let other = Server::start();
    let home = Home::bare();
    let mut file = config(&other.base_url());
    file["fallback"] = json!([format!("kit/{MODEL}")]);
    home.configure(&file);
    for server in [
        ["--base-url", "http://127.0.0.1:1/v1"],
        ["--ollama-host", "127.0.0.1:1"],
    ] {
        for model in [&[] as &[&str], &["-m", "any"]] {
            let run = home.run(&[&["run"], &server[..], model, &["secret"]].concat());
            run.assert_code(5);
            assert!(other.requests().is_empty(), "{run}");
        }
    }
    for wrong in ["", ":::", "nosuch:99999", "http://"] {
        home.run(&["run", "--ollama-host", wrong, "secret"]).assert_code(2);
    }
    assert!(other.requests().is_empty());
}

#[test]
fn what_a_content_filter_holds_back_is_no_success() {
    let server = Server::start();
    let home = Home::with(&server);
    let held_back = || {
        let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "content_filter"}]});
        format!("data: {end}\n\ndata: [DONE]\n\n")
    };
    server.script([
        stream().says("The first half").raw(&held_back()),
        stream().raw(&held_back()),
    ]);
    for _ in 0..2 {
        let run = home.run(&["run", "--output", "json", "hello"]);
        run.assert_code(5);
        assert!(run.stdout.contains("\"outcome\":\"filtered\""), "{run}");
    }
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_count_that_cannot_be_meant_is_none() {
    let server = Server::start();
    let home = Home::with(&server);
    let senseless = stream().says("one").counts(9_000_000_000_000_000_000).ends();
    server.script([senseless, text("two")]);
    let run = home.run(&["run", "hello"]);
    run.assert_code(0);
    assert!(!run.stderr.contains("% full"), "{run}");
    let run = home.run(&["run", "-c", "hello"]);
    run.assert_code(0);
    assert!(!run.stderr.contains("truncates long prompts"), "{run}");
}

#[test]
fn a_wrong_key_is_no_reason_to_ask_elsewhere() {
    let (first, second) = (Server::start(), Server::start());
    let home = Home::bare();
    let mut both = config(&first.base_url());
    both["provider"]["spare"] = config(&second.base_url())["provider"]["kit"].clone();
    both["fallback"] = json!([format!("spare/{MODEL}")]);
    home.configure(&both);
    first.script([status(401, "invalid api key")]);
    let run = home.run(&["run", "hello"]);
    run.assert_code(5);
    assert!(second.requests().is_empty(), "{run}");
}

#[test]
fn retry_sends_the_failed_request_again_and_later_an_answer_nobody_liked() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\n");
    server.script([
        call("read", json!({"path": "notes.txt"})),
        stream().says("I was about to").cut(),
        text("First answer."),
        text("Second answer."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("read it");
    bench.wait_for("the end of the turn", |screen| {
        screen.has("text received so far is kept") && screen.has("Ctrl+P commands")
    });
    bench.ask("/retry");
    bench.wait_for_text("First answer.");
    bench.ask("/retry");
    bench.wait_for_text("Second answer.");
    let growing: Vec<String> = (2..=4)
        .map(|number| server.request(number).growing_part().to_owned())
        .collect();
    assert_eq!(growing[0], growing[1], "the same request");
    assert_eq!(growing[0], growing[2], "without the answer");
    server.assert_append_only();
    bench.leave();
}

#[test]
fn retry_says_when_there_is_nothing_to_ask_again() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    bench.ask("/retry");
    bench.wait_for_text("Nothing to retry");
    assert!(server.requests().is_empty());
    bench.leave();
}
