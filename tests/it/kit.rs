//! Tests of the test kit itself. A test that uses the kit must be able to fail.

use std::io::{Read, Write};
use std::time::Duration;

use portable_pty::CommandBuilder;
use serde_json::{Value, json};

use crate::support::answers::Kind;
use crate::support::api::Api;
use crate::support::process::{Running, look_until, marked};
use crate::support::pty::Pty;
use crate::support::reply::{self, Gate};
use crate::support::request::{Request, assert_append_only};
use crate::support::server::Server;

fn shell(script: &str) -> Pty {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", script]);
    command.env_clear();
    command.env("TERM", "xterm");
    Pty::spawn(command, Kind::Xterm, 40, 10)
}

fn request(number: usize, body: &str) -> Request {
    Request::of(Api::OpenAi, number, Vec::new(), body.to_owned())
}

fn post(server: &Server, body: &Value) -> reqwest::Response {
    // Create a runtime for each call. The kit's server runs in a separate thread.
    block_on(
        client()
            .post(format!("{}/chat/completions", server.base_url()))
            .body(body.to_string())
            .send(),
    )
    .expect("an answer")
}

fn client() -> reqwest::Client {
    // The provider is installed once per process. Ignore an existing one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::new()
}

fn block_on<F: Future>(future: F) -> F::Output {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    }
    RUNTIME.with(|runtime| runtime.block_on(future))
}

#[test]
fn the_server_holds_a_stream_at_a_gate_until_the_test_opens_it() {
    let server = Server::start();
    let gate = Gate::new();
    server.script([reply::stream().says("before").holds(&gate).says("after").ends()]);
    let mut answer = post(&server, &json!({"messages": []}));
    let mut seen = String::new();
    while !seen.contains("before") {
        seen.push_str(&String::from_utf8_lossy(
            &block_on(answer.chunk()).expect("a chunk").expect("not the end"),
        ));
    }
    gate.wait_reached();
    assert!(!seen.contains("after"));
    gate.open();
    while let Some(chunk) = block_on(answer.chunk()).expect("a chunk") {
        seen.push_str(&String::from_utf8_lossy(&chunk));
    }
    assert!(seen.contains("after") && seen.ends_with("data: [DONE]\n\n"), "{seen}");
}

#[test]
fn a_cut_reply_delivers_what_came_before_and_then_breaks() {
    let server = Server::start();
    server.script([reply::stream().says("half").cut()]);
    let mut answer = post(&server, &json!({"messages": []}));
    let mut seen = String::new();
    let end = loop {
        match block_on(answer.chunk()) {
            Ok(Some(chunk)) => seen.push_str(&String::from_utf8_lossy(&chunk)),
            other => break other,
        }
    };
    assert!(seen.contains("half"), "{seen}");
    assert!(end.is_err(), "the body must not end as if it were whole");
}

#[test]
fn faults_carry_their_status_headers_and_body_and_a_missing_script_is_400() {
    let server = Server::start();
    server.script([reply::status(429, "slow down").header("retry-after", "7")]);
    let answer = post(&server, &json!({"messages": [{"role": "system", "content": "x"}]}));
    assert_eq!(answer.status(), 429);
    assert_eq!(answer.headers()["retry-after"], "7");
    assert!(block_on(answer.text()).expect("a body").contains("slow down"));
    assert_eq!(post(&server, &json!({"messages": []})).status(), 400);
    assert_eq!(server.request(1).last("system"), "x");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_client_that_lets_go_of_an_answer_is_noticed() {
    let server = Server::start();
    server.script([reply::stream().says("half").falls_silent()]);
    let address = server.base_url().replace("http://", "").replace("/v1", "");
    let mut socket = std::net::TcpStream::connect(address).expect("a connection");
    let ask = "POST /v1/chat/completions HTTP/1.1\r\nhost: kit\r\ncontent-length: 2\r\n\r\n{}";
    socket.write_all(ask.as_bytes()).expect("a request");
    let mut first = [0_u8; 12];
    socket.read_exact(&mut first).expect("the head of an answer");
    assert_eq!(&first, b"HTTP/1.1 200");
    drop(socket);
    server.wait_abandoned(1);
}

#[test]
fn a_history_that_only_grows_passes() {
    assert_append_only(&[
        request(1, r#"{"messages": [{"role":"user","content":"a"}]}"#),
        request(
            2,
            r#"{"messages": [{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#,
        ),
    ]);
}

#[test]
#[should_panic(expected = "request 2 does not begin with request 1")]
fn a_history_that_was_rewritten_is_caught() {
    assert_append_only(&[
        request(1, r#"{"messages": [{"role":"user","content":"a"}]}"#),
        request(
            2,
            r#"{"messages": [{"role":"user","content":"b"},{"role":"assistant","content":"b"}]}"#,
        ),
    ]);
}

#[test]
#[should_panic(expected = "leaves calls without results")]
fn a_call_without_its_result_is_caught() {
    request(
        1,
        r#"{"messages": [{"role":"system","content":""},
            {"role":"assistant","content":"","tool_calls":[{"id":"c1"}]},{"role":"user","content":"go on"}]}"#,
    )
    .assert_well_formed();
}

#[test]
fn the_terminal_shows_what_was_drawn_and_answers_questions() {
    // Asks for the cursor position after a wide character. The answer arrives on the input.
    let pty = shell(r"stty -icanon -echo min 1; printf '漢\033[6n'; head -c 6 | od -An -c; read rest");
    pty.wait_for_text("漢");
    pty.wait_for("the cursor's position, as bytes", |screen| {
        screen.text().contains("1   ;   3   R")
    });
    assert_eq!(pty.look(|screen| screen.find("漢")), Some((0, 0)));
}

#[test]
fn keys_reach_the_program_as_an_xterm_sends_them() {
    let pty = shell("stty -icanon -echo min 1; echo ready; head -c 8 | od -An -tx1");
    pty.wait_for_text("ready");
    pty.keys("ctrl-p hi up alt-a");
    pty.wait_for_text("10 68 69 1b 5b 41 1b 61");
    assert!(pty.wait_exit().success());
}

#[test]
#[should_panic(expected = "waited for \"never\"")]
fn a_wait_for_a_program_that_has_ended_fails_at_once() {
    shell("echo gone").wait_for_text("never");
}

#[test]
fn modes_that_were_not_given_back_are_named() {
    let pty = shell(r"stty -echo; printf '\033[?1049h\033[?1004h\033[?2004h\033[?25l\033[>1u'");
    pty.wait_exit();
    let left = pty.left_behind();
    for name in [
        "alternate screen",
        "mode 1004",
        "bracketed paste",
        "hidden cursor",
        "kitty keyboard",
        "echo is off",
    ] {
        assert!(left.iter().any(|mode| mode == name), "{name} is missing in {left:?}");
    }
    let pty = shell(r"printf '\033[?1049h\033[?25l\033[>1u'; printf '\033[<u\033[?25h\033[?1049l'");
    pty.wait_exit();
    assert_eq!(pty.left_behind(), Vec::<String>::new());
}

#[test]
fn bytes_written_while_idle_are_counted() {
    let quiet = shell("echo ready; read wait");
    quiet.wait_for_text("ready");
    assert_eq!(
        quiet.written_in(Duration::from_millis(100), Duration::from_millis(200)),
        0
    );
    let chatty = shell("echo ready; read wait; for i in 1 2 3 4 5 6; do sleep 0.15; echo tick; done; read wait");
    chatty.wait_for_text("ready");
    chatty.keys("enter");
    assert!(chatty.written_in(Duration::from_millis(100), Duration::from_secs(5)) > 0);
}

#[test]
fn processes_are_found_by_the_mark_they_inherited_and_only_while_they_live() {
    let mark = format!("BENCHDOG_IT_MARK=kit-{}", std::process::id());
    let mut command = std::process::Command::new("/bin/sh");
    command
        .args(["-c", "sleep 1000 & echo started; exec sleep 2000"])
        .env("BENCHDOG_IT_MARK", mark.split_at(17).1);
    let running = Running::spawn(command, None);
    running.wait_for_stdout("started");
    let both = |(_, line): &(u32, String)| line.starts_with("sleep");
    assert!(look_until(Duration::from_secs(5), || marked(&mark)
        .iter()
        .filter(|found| both(found))
        .count()
        == 2));
    for (pid, _) in marked(&mark) {
        crate::support::process::kill(pid, rustix::process::Signal::KILL);
    }
    assert!(
        look_until(Duration::from_secs(5), || marked(&mark).is_empty()),
        "{:?}",
        marked(&mark)
    );
}
