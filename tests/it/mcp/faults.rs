//! Tests of HTTP servers with invalid, oversized, late or missing answers. Each gives one clear row, and the turn
//! continues.

use std::time::{Duration, Instant};

use serde_json::json;

use super::http::{configured, run, speaks};
use super::result;
use super::web::{self, Asked, Said, Then, Web};
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn checked(answers: impl FnMut(&Asked) -> Option<Said> + Send + 'static) -> String {
    let web = Web::start(answers);
    let home = Home::bare();
    home.configure(&json!({"mcp": {"far": {"url": web.at("/mcp"), "timeout_ms": 1_000}}}));
    let run = home.run(&["mcp", "check"]);
    run.assert_code(1);
    run.stdout.clone()
}

#[test]
fn whatever_else_answers_is_one_clear_row() {
    let page = web::empty(200).with("content-type", "text/html");
    let page = Said {
        body: b"<!doctype html><title>Sign in</title>".to_vec(),
        ..page
    };
    let cases: Vec<(Option<Said>, &str)> = vec![
        (None, "the server did not answer within 1 s"),
        (Some(web::empty(401)), "the server needs a sign-in"),
        (Some(web::empty(502)), "the server answered HTTP 502"),
        (
            Some(web::status(403, &json!({"error": "you may not"}))),
            "the server answered HTTP 403: you may not",
        ),
        (
            Some(web::empty(307).with("location", "https://elsewhere.example/mcp?key=1")),
            "the server redirects to `https://elsewhere.example/mcp`, which Benchdog does not follow",
        ),
        (
            Some(page),
            "the server's output is not a valid message: <!doctype html>",
        ),
        (
            Some(web::events("data: nothing\n\n")),
            "the server's output is not a valid message: nothing",
        ),
        (Some(web::events("")), "an unexpected answer"),
        (
            Some(web::events(": hello\n\n").then(Then::Silence)),
            "the server did not answer within 1 s",
        ),
        (
            Some(web::events("").then(Then::Again(b": still here\n\n".to_vec(), Duration::from_millis(5)))),
            "the server did not answer within 1 s",
        ),
        (
            Some(web::events("").then(Then::Again(vec![b'x'; 1 << 20], Duration::ZERO))),
            "the server sent a message of more than 16",
        ),
        (
            Some(web::json(&json!({})).then(Then::Again(vec![b' '; 1 << 20], Duration::ZERO))),
            "the server sent a message of more than 16",
        ),
    ];
    for (said, told) in cases {
        let answer = said.clone();
        let began = Instant::now();
        let shown = checked(move |_| said.clone());
        assert!(
            shown.contains(told),
            "{told}: {shown} ({:?})",
            answer.map(|said| said.status)
        );
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{told}: {:?}",
            began.elapsed()
        );
    }
    let home = Home::bare();
    home.configure(&json!({"mcp": {"far": {"url": "http://127.0.0.1:9/mcp"}}}));
    let gone = home.run(&["mcp", "check"]);
    assert!(
        gone.stdout
            .contains("`http://127.0.0.1:9/mcp` cannot be reached: connection refused"),
        "{gone}"
    );
}

#[test]
fn a_call_whose_answer_is_too_long_breaks_off_or_never_comes_fails_alone() {
    for (then, told) in [
        (
            web::events("").then(Then::Again(vec![b'x'; 1 << 20], Duration::ZERO)),
            "a message of more than 16",
        ),
        (web::events("data: {\"jsonrpc\": \"2.0\"\n"), "Check the state before"),
        (web::events("").then(Then::Silence), "it did not answer within 2 s"),
        (
            web::status(500, &json!({"message": "no dogs left"})),
            "HTTP 500: no dogs left",
        ),
    ] {
        let said = then.clone();
        let web = Web::start(move |asked| {
            let is_first = asked.says() == "tools/call" && asked.json()["params"]["arguments"]["text"] == "one";
            Some(if is_first { said.clone() } else { speaks(asked) })
        });
        let server = Server::start();
        let home = Home::bare();
        home.configure(&configured(&server, &web, &json!({"timeout_ms": 2_000})));
        server.script([
            call("far__echo", json!({"text": "one"})),
            call("far__echo", json!({"text": "two"})),
            text("Done."),
        ]);
        let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "go"]);
        run.assert_code(0);
        let first = result(&server, 2);
        assert!(
            first.contains(told) && first.contains("may have done all or part"),
            "{told}: {first}"
        );
        assert_eq!(result(&server, 3), "two!", "the server goes on: {run}");
    }
}

#[test]
fn ten_megabytes_come_whole_and_become_a_result_like_any_other() {
    let web = Web::start(|asked| {
        if asked.says() != "tools/call" {
            return Some(speaks(asked));
        }
        let content = json!([{"type": "text", "text": format!("{}the end", "woof\n".repeat(2_000_000))}]);
        Some(web::json(
            &json!({"jsonrpc": "2.0", "id": asked.json()["id"], "result": {"content": content}}),
        ))
    });
    let (_, server, run) = run(&web, &json!({}));
    let finished = &run.events("tool_finished")[0];
    assert_eq!(
        (&finished["status"], &finished["truncated"]),
        (&json!("ok"), &json!(true))
    );
    assert!(result(&server, 2).starts_with("woof\nwoof\n") && result(&server, 2).len() < 100_000);
}

#[test]
fn a_stream_that_ends_at_once_is_not_asked_for_without_pause() {
    let web = Web::start(|asked| {
        Some(match asked.method.as_str() {
            "GET" => web::events("retry: 0\n\n"),
            _ => speaks(asked),
        })
    });
    let server = Server::start();
    let home = Home::bare();
    home.configure(&configured(&server, &web, &json!({})));
    let bench = home.bench(&[]);
    bench.ask("/mcp");
    bench.wait_for_text("far  ready");
    std::thread::sleep(Duration::from_secs(2));
    let streams = web.asked().iter().filter(|asked| asked.method == "GET").count();
    assert!((2..=12).contains(&streams), "{streams}");
    bench.keys("esc");
    bench.wait_for("the sheet closed", |screen| !screen.has("far  ready"));
    bench.leave();
}
