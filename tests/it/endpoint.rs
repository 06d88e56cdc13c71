//! Tests that every failure of an endpoint gives a helpful message, and that the session continues.

use std::net::TcpListener;

use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::{Reply, never, status, stream, text};
use crate::support::server::{MODEL, Server};

fn run(replies: impl IntoIterator<Item = Reply>) -> (Server, Finished) {
    let server = Server::start();
    let home = Home::with(&server);
    server.script(replies);
    let run = home.run(&["run", "hello"]);
    (server, run)
}

#[track_caller]
fn assert_says(run: &Finished, words: &[&str]) {
    for word in words {
        assert!(run.stderr.contains(word), "stderr does not say {word:?}\n{run}");
    }
}

#[test]
fn nobody_listens() {
    let home = Home::bare();
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a free port")
        .port();
    home.configure(&config(&format!("http://127.0.0.1:{port}/v1")));
    let run = home.run(&["run", "hello"]);
    run.assert_code(5);
    assert_says(&run, &[&format!("127.0.0.1:{port}"), "error:"]);
    assert!(run.stdout.is_empty(), "{run}");
}

#[test]
fn a_wrong_key_is_never_tried_again() {
    let (server, run) = run([status(401, "invalid api key"), text("too late")]);
    run.assert_code(5);
    assert_says(&run, &["401", &server.base_url(), "BENCHDOG_API_KEY"]);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn an_unknown_model_is_named() {
    let (server, run) = run([status(404, "the model does not exist"), text("too late")]);
    run.assert_code(5);
    assert_says(&run, &["404", MODEL]);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn too_many_requests_waits_as_long_as_the_server_says() {
    let started = std::time::Instant::now();
    let (server, run) = run([status(429, "slow down").header("retry-after", "1"), text("fine")]);
    run.assert_code(0);
    assert!(
        started.elapsed() >= std::time::Duration::from_secs(1),
        "it did not wait"
    );
    assert_eq!(run.stdout, "fine\n");
    assert_says(&run, &["429"]);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_wait_of_minutes_is_an_error_at_once() {
    let (server, run) = run([status(429, "slow down").header("retry-after", "600"), text("too late")]);
    run.assert_code(5);
    assert_says(&run, &["429", "10 min"]);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_server_that_fails_twice_and_then_works_is_asked_again() {
    let (server, run) = run([status(500, "oops"), status(500, "oops"), text("fine")]);
    run.assert_code(0);
    assert_eq!(run.stdout, "fine\n");
    assert_eq!(server.requests().len(), 3);
    let bodies: Vec<String> = server.requests().into_iter().map(|request| request.raw).collect();
    assert!(
        bodies.windows(2).all(|pair| pair[0] == pair[1]),
        "a retry is the same request"
    );
}

#[test]
fn a_stream_cut_in_the_middle_keeps_what_came_and_is_not_tried_again() {
    let (server, run) = run([stream().says("Half an answer").cut(), text("too late")]);
    run.assert_code(5);
    assert!(run.stdout.contains("Half an answer"), "{run}");
    assert_says(&run, &["error:", &server.base_url()]);
    assert_eq!(server.requests().len(), 1, "text was shown, so it must not start again");
}

#[test]
fn a_call_of_a_cut_answer_does_not_run() {
    let half = stream()
        .calls("write", serde_json::json!({"path": "made.txt", "content": "x"}))
        .cut();
    let server = Server::start();
    let home = Home::with(&server);
    server.script([half]);
    let run = home.run(&["run", "--approve", "all", "hello"]);
    assert_ne!(run.code, Some(0), "{run}");
    assert!(!home.path("made.txt").exists());
}

#[test]
fn a_server_that_takes_the_request_and_never_answers_is_given_up_after_the_idle_time() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["idle_timeout_s"] = serde_json::json!(1);
    home.configure(&settings);
    server.script((0..8).map(|_| never()));
    let run = home.run(&["run", "hello"]);
    run.assert_code(5);
    assert_says(&run, &["1 s", &server.base_url()]);
}

#[test]
fn garbage_in_the_stream_is_named_as_such() {
    let (_, run) = run([stream()
        .says("Half")
        .raw("data: {\"choices\": [{\"delta\"\n\n")
        .raw("<html>oops</html>\n\n")]);
    run.assert_code(5);
    assert_says(&run, &["error:"]);
    assert!(!run.stderr.contains("panicked"), "{run}");
}

#[test]
fn an_error_inside_the_stream_reaches_the_person() {
    let (_, run) = run([stream()
        .says("Half")
        .raw("data: {\"error\": {\"message\": \"out of memory on device 0\"}}\n\n")]);
    run.assert_code(5);
    assert_says(&run, &["out of memory on device 0"]);
}

#[test]
fn the_bench_shows_the_sentence_and_goes_on() {
    let faults = [
        (status(401, "invalid api key"), "401"),
        (status(404, "no such model"), "404"),
        (stream().says("Half an answer").cut(), "Half an answer"),
    ];
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    for (fault, words) in faults {
        server.script([fault, text("Fine again.")]);
        bench.ask("hello");
        bench.wait_for_text(words);
        bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
        // An error stays on the screen until a key press.
        bench.keys("esc");
        bench.ask("once more");
        bench.wait_for_text("Fine again.");
        bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
        bench.ask("/new");
        bench.wait_for("a new session", |screen| !screen.has("Fine again."));
    }
    bench.leave();
}

#[test]
fn a_window_that_nobody_states_is_assumed_and_said() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    let provider = settings["model"]
        .as_str()
        .expect("a model")
        .split('/')
        .next()
        .expect("its provider")
        .to_owned();
    settings["model"] = format!("{provider}/unlisted").into();
    home.configure(&settings);
    let bench = home.bench(&[]);
    bench.wait_for_text("Using 32,768");
    bench.leave();
}

#[test]
fn a_server_that_cannot_be_told_to_load_is_asked_of_itself_once() {
    let server = Server::start();
    let home = Home::with(&server);
    let pty = home.open(&[]);
    pty.wait_for_text(MODEL);
    pty.type_text("hi");
    pty.wait_for_text("hi");
    server.script([text("Hello.")]);
    pty.keys("enter");
    pty.wait_for_text("Hello.");
    let asked = server.other_paths();
    let asked: Vec<_> = asked.iter().filter(|path| path.ends_with("/models")).collect();
    assert!(asked.len() <= 1, "{asked:?}");
}
