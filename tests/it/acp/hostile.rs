//! Tests of clients that break the protocol or disappear. Without an answer, nothing may be written.

use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

use serde_json::{Value, json};

use super::start;
use crate::support::editor::Editor;
use crate::support::home::Home;
use crate::support::process::look_until;
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// Sends a line, and waits for the next error without a request.
#[track_caller]
fn error_after(editor: &Editor, line: &[u8]) -> Value {
    let is_error = |message: &Value| message["id"].is_null() && message.get("error").is_some();
    let before = editor.messages().iter().filter(|message| is_error(message)).count();
    editor.write(line);
    // The answer to this request arrives after the error.
    editor.ask("session/list", json!({}));
    let messages = editor.messages();
    let errors: Vec<&Value> = messages.iter().filter(|message| is_error(message)).collect();
    assert_eq!(
        errors.len(),
        before + 1,
        "{:?}",
        String::from_utf8_lossy(&line[..line.len().min(80)])
    );
    errors[before].clone()
}

#[test]
fn garbage_gets_an_error_and_the_connection_goes_on() {
    let (server, home, editor) = start();
    let parse = -32700;
    let invalid = -32600;
    let lines: [(&[u8], i64); 11] = [
        (b"garbage\n", parse),
        (b"{\"jsonrpc\": \"2.0\", \"id\": 1,\n", parse),
        (b"\xff\xfe\x00\n", parse),
        (b"[]\n", invalid),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}]\n", invalid),
        (b"7\n", invalid),
        (b"null\n", invalid),
        (b"{}\n", invalid),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":{\"a\":1},\"method\":\"initialize\"}\n",
            invalid,
        ),
        (b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":7}\n", invalid),
        (b"{\"id\":null,\"method\":\"initialize\"}\n", invalid),
    ];
    for (line, code) in lines {
        assert_eq!(
            error_after(&editor, line)["error"]["code"],
            code,
            "{}",
            String::from_utf8_lossy(line)
        );
    }
    let deep = format!("{}{}\n", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(error_after(&editor, deep.as_bytes())["error"]["code"], parse);
    let mut long = vec![b' '; 17 * 1024 * 1024];
    long.push(b'\n');
    assert_eq!(error_after(&editor, &long)["error"]["code"], parse);
    editor.write(b"\n  \r\n");
    server.script([text("Still here.")]);
    let session = editor.session(&home);
    assert_eq!(editor.prompt(&session, "hello"), "end_turn");
    editor.leave();
}

#[test]
fn a_second_answer_and_answers_to_unknown_ids_have_no_effect() {
    let (server, home, editor) = start();
    server.script([
        call("write", json!({"path": "one.txt", "content": "one\n"})),
        call("write", json!({"path": "two.txt", "content": "two\n"})),
        text("Done."),
    ]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "write");
    let first = editor.permission();
    // Ids of later requests can be guessed.
    for guess in 0..10 {
        if json!(guess) != first["id"] {
            editor.choose(&json!({"id": guess}), "allow");
        }
    }
    for guess in [json!("1"), json!(null), json!(-1), json!(u64::MAX)] {
        editor.choose(&json!({"id": guess}), "allow");
    }
    editor.choose(&first, "reject");
    editor.choose(&first, "allow");
    editor.choose(&first, "always-project-1");
    let second = editor.permission();
    assert!(!home.path("one.txt").exists() && !home.path("two.txt").exists());
    editor.choose(&second, "reject");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert!(!home.path("one.txt").exists() && !home.path("two.txt").exists());
    editor.leave();
}

#[test]
fn every_answer_but_an_offered_option_is_a_denial() {
    let (server, home, editor) = start();
    let session = editor.session(&home);
    let answers = [
        json!({"result": {"outcome": {"outcome": "selected", "optionId": "allow-everything"}}}),
        json!({"result": {"outcome": {"outcome": "selected"}}}),
        json!({"result": {"outcome": "allow"}}),
        json!({"result": null}),
        json!({"result": {}}),
        json!({"error": {"code": -32601, "message": "Method not found"}}),
        json!({"error": "no"}),
    ];
    for answer in answers {
        server.script([
            call("write", json!({"path": "new.txt", "content": "new\n"})),
            text("Denied."),
        ]);
        let id = editor.begin(&session, "write");
        let permission = editor.permission();
        let mut message = answer.clone();
        message["jsonrpc"] = json!("2.0");
        message["id"] = permission["id"].clone();
        editor.send(&message);
        assert_eq!(editor.stopped(&id), "end_turn", "{answer}");
        assert!(!home.path("new.txt").exists(), "{answer}");
    }
    editor.leave();
}

#[test]
fn nothing_is_written_when_the_client_disappears_during_an_approval() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        call("write", json!({"path": "new.txt", "content": "new\n"})),
        text("Never."),
    ]);
    let editor = Editor::start(&home);
    let session = editor.session(&home);
    editor.begin(&session, "write");
    editor.permission();
    editor.leave();
    assert!(!home.path("new.txt").exists());
    let run = home.run(&["sessions", "show", &session, "--format", "jsonl"]);
    run.assert_code(0);
    assert!(run.stdout.contains("interrupted"), "{run}");
}

#[test]
fn an_answer_after_the_end_of_the_turn_has_no_effect() {
    let (server, home, editor) = start();
    server.script([
        call("write", json!({"path": "new.txt", "content": "new\n"})),
        text("Never."),
    ]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "write");
    let permission = editor.permission();
    editor.notify("session/cancel", json!({"sessionId": session}));
    assert_eq!(editor.stopped(&id), "cancelled");
    editor.choose(&permission, "allow");
    server.script([text("Nothing.")]);
    assert_eq!(editor.prompt(&session, "what happened?"), "end_turn");
    assert!(!home.path("new.txt").exists());
    editor.leave();
}

/// Starts the binary with a client that stops reading. Returns when the binary requests a permission.
fn asking(home: &Home) -> (std::process::Child, String) {
    let mut child = home
        .command(&["acp"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut ask = |id: u64, method: &str, params: Value| {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(stdin, "{message}").expect("the binary reads");
    };
    let mut wait = |fits: &dyn Fn(&Value) -> bool| {
        let mut messages = lines
            .by_ref()
            .map_while(Result::ok)
            .filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        messages.find(|message| fits(message)).expect("the message")
    };
    ask(1, "initialize", json!({"protocolVersion": 1}));
    ask(2, "session/new", json!({"cwd": home.project(), "mcpServers": []}));
    let opened = wait(&|message| message["id"] == 2 && message.get("result").is_some());
    let session = opened["result"]["sessionId"].as_str().expect("an id").to_owned();
    let prompt = json!([{"type": "text", "text": "write"}]);
    ask(3, "session/prompt", json!({"sessionId": session, "prompt": prompt}));
    wait(&|message| message["method"] == "session/request_permission");
    // Both pipes close here, as when a client is killed.
    (child, session)
}

#[test]
fn a_killed_client_is_a_denial_and_the_program_ends() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        call("write", json!({"path": "new.txt", "content": "new\n"})),
        text("Never."),
    ]);
    let (mut child, session) = asking(&home);
    let mut ended = None;
    look_until(Duration::from_secs(15), || {
        ended = child.try_wait().expect("a child can be waited for");
        ended.is_some()
    });
    assert!(ended.is_some_and(|status| status.success()), "{ended:?}");
    assert!(!home.path("new.txt").exists());
    let run = home.run(&["sessions", "show", &session, "--format", "jsonl"]);
    run.assert_code(0);
    assert!(run.stdout.contains("interrupted"), "{run}");
}
