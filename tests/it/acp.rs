//! Tests of `benchdog acp` against the requirements of the protocol's test suite, over the real binary. The client
//! checks each line against the schema.

mod approvals;
mod clients;
mod hostile;
mod options;
mod prompts;
mod questions;
mod sessions;
mod unsaved;
mod updates;

use serde_json::{Value, json};

use crate::support::editor::Editor;
use crate::support::home::Home;
use crate::support::reply::{Gate, status, stream, text};
use crate::support::server::Server;

fn start() -> (Server, Home, Editor) {
    let server = Server::start();
    let home = Home::with(&server);
    let editor = Editor::start(&home);
    (server, home, editor)
}

// --- messages ---

#[test]
fn ids_are_echoed_as_integers_and_as_strings() {
    let (_server, _home, editor) = start();
    for id in [json!(7), json!("seven"), json!(0), json!(-3), json!("")] {
        editor.request_as(&id, "session/list", json!({}));
        assert_eq!(editor.response(&id)["id"], id);
    }
    editor.leave();
}

#[test]
fn notifications_are_never_answered() {
    let (_server, _home, editor) = start();
    for method in ["_unknown/note", "unknown", "session/cancel", "$/cancel_request"] {
        editor.notify(method, json!({"sessionId": "none", "requestId": 1}));
    }
    // Messages are handled in order.
    editor.ask("session/list", json!({}));
    assert_eq!(editor.messages().len(), 2, "{:?}", editor.messages());
    editor.leave();
}

#[test]
fn unknown_methods_get_their_error_and_the_connection_goes_on() {
    let (server, home, editor) = start();
    for method in ["_vendor/unknown", "unknown", "session/stop", "logout"] {
        assert_eq!(editor.refused(method, json!({})), -32601, "{method}");
    }
    assert_eq!(editor.refused("session/new", json!({"cwd": 5})), -32602);
    assert_eq!(
        editor.refused("session/new", json!({"cwd": "relative", "mcpServers": []})),
        -32602
    );
    server.script([text("still here")]);
    let session = editor.session(&home);
    assert_eq!(editor.prompt(&session, "hello"), "end_turn");
    editor.leave();
}

// --- initialize ---

#[test]
fn version_one_is_the_answer_to_every_version() {
    let server = Server::start();
    let home = Home::with(&server);
    for version in [1, 2, 65535] {
        let editor = Editor::open(&home, &[]);
        let answer = editor.ask("initialize", json!({"protocolVersion": version}));
        assert_eq!(answer["protocolVersion"], 1);
        assert_eq!(answer["agentInfo"]["name"], "benchdog");
        assert_eq!(answer["authMethods"], json!([]));
        editor.leave();
    }
}

// --- sessions and prompts ---

#[test]
fn each_new_session_has_its_own_id() {
    let (_server, home, editor) = start();
    let (one, other) = (editor.session(&home), editor.session(&home));
    assert!(!one.is_empty() && one != other);
    editor.leave();
}

#[test]
fn the_answer_is_streamed_and_no_update_follows_the_response() {
    let (server, home, editor) = start();
    let gate = Gate::new();
    server.script([stream().thinks("Hm.").says("Hel").holds(&gate).says("lo.").ends()]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "say hello");
    editor.update("agent_message_chunk", |update| update["content"]["text"] == "Hel");
    gate.open();
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(editor.said(&session, "agent_message_chunk"), "Hello.");
    assert_eq!(editor.said(&session, "agent_thought_chunk"), "Hm.");
    editor.update("session_info_update", |update| update["title"] == "say hello");
    editor.update("usage_update", |update| update["used"].as_u64() > Some(0));
    // The input is closed only after all output has arrived.
    editor.ask("session/list", json!({}));
    let messages = editor.messages();
    let at = messages.iter().position(|message| message["id"] == id);
    let later = messages.iter().skip(at.expect("the response") + 1);
    let later = later.filter(|message| message["method"] == "session/update");
    assert_eq!(later.count(), 0, "{messages:?}");
    editor.leave();
}

#[test]
fn a_cancelled_prompt_has_the_stop_reason_cancelled() {
    let (server, home, editor) = start();
    let gate = Gate::new();
    server.script([
        stream().says("Begun.").holds(&gate).says("Never.").ends(),
        text("Again."),
    ]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "go");
    editor.update("agent_message_chunk", |update| update["content"]["text"] == "Begun.");
    editor.notify("session/cancel", json!({"sessionId": session}));
    assert_eq!(editor.stopped(&id), "cancelled");
    gate.open();
    assert_eq!(editor.prompt(&session, "once more"), "end_turn");
    let id = editor.begin(&session, "and by the request");
    editor.notify("$/cancel_request", json!({"requestId": id}));
    assert_eq!(editor.stopped(&id), "cancelled");
    editor.leave();
}

#[test]
fn nothing_is_asked_of_a_client_that_offers_nothing() {
    let (server, home, editor) = start();
    home.file("a.txt", "one\n");
    server.script([
        stream().calls("read", json!({"path": "a.txt"})).ends(),
        stream().calls("bash", json!({"command": "echo one"})).ends(),
        text("Done."),
    ]);
    let session = editor.session(&home);
    assert_eq!(editor.prompt(&session, "look"), "end_turn");
    let asked = editor.messages().into_iter().filter(|message| {
        let method = message["method"].as_str().unwrap_or_default();
        ["fs/", "terminal/", "elicitation/"]
            .iter()
            .any(|part| method.starts_with(part))
    });
    assert_eq!(asked.count(), 0);
    editor.leave();
}

#[test]
fn a_second_prompt_is_refused_while_one_runs() {
    let (server, home, editor) = start();
    let gate = Gate::new();
    server.script([stream().says("Begun.").holds(&gate).ends()]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "go");
    editor.update("agent_message_chunk", |_| true);
    let prompt = json!([{"type": "text", "text": "too early"}]);
    assert_eq!(
        editor.refused("session/prompt", json!({"sessionId": session, "prompt": prompt})),
        -32602
    );
    gate.open();
    assert_eq!(editor.stopped(&id), "end_turn");
    editor.leave();
}

#[test]
fn stop_reasons_name_the_limit_and_the_refusal() {
    let server = Server::start();
    let home = Home::with(&server);
    let finished = |reason: &str| {
        let chunk = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
        stream().says("Half").raw(&format!("data: {chunk}\n\ndata: [DONE]\n\n"))
    };
    let editor = Editor::start(&home);
    let session = editor.session(&home);
    server.script([finished("length")]);
    assert_eq!(editor.prompt(&session, "tell a story"), "max_tokens");
    server.script([finished("content_filter")]);
    assert_eq!(editor.prompt(&session, "tell a secret"), "refusal");
    editor.leave();
}

#[test]
fn errors_of_the_model_server_have_their_codes() {
    let server = Server::start();
    let home = Home::with(&server);
    let editor = Editor::start(&home);
    let session = editor.session(&home);
    let code = |editor: &Editor| -> (i64, String) {
        let prompt = json!([{"type": "text", "text": "hello"}]);
        let id = editor.request("session/prompt", json!({"sessionId": session, "prompt": prompt}));
        let error = editor.response(&id)["error"].clone();
        (
            error["code"].as_i64().unwrap_or_default(),
            error["data"]["code"].as_str().unwrap_or_default().to_owned(),
        )
    };
    server.script([status(401, "no key")]);
    assert_eq!(code(&editor), (-32000, "unauthorized".to_owned()));
    server.script([status(400, "bad")]);
    assert_eq!(code(&editor), (-32603, "bad_request".to_owned()));
    server.script([text("fine again")]);
    assert_eq!(editor.prompt(&session, "hello"), "end_turn");
    editor.leave();
}

#[test]
fn the_program_exits_when_its_input_closes_and_the_session_is_stored() {
    let (server, home, editor) = start();
    server.script([text("Remembered.")]);
    let session = editor.session(&home);
    assert_eq!(editor.prompt(&session, "remember this"), "end_turn");
    editor.leave();
    let run = home.run(&["sessions", "show", &session, "--format", "jsonl"]);
    run.assert_code(0);
    assert!(run.stdout.contains("Remembered."), "{run}");
}

#[test]
fn a_running_command_ends_with_the_connection() {
    let (server, home, editor) = start();
    server.script([stream()
        .calls("bash", json!({"command": "touch made; sleep 77"}))
        .ends()]);
    let session = editor.session(&home);
    editor.begin(&session, "wait");
    let permission = editor.permission();
    editor.choose(&permission, "allow");
    home.wait_for_process("sleep 77");
    editor.leave();
    home.assert_gone("sleep 77", std::time::Duration::from_secs(5));
}

fn sent(server: &Server) -> String {
    let requests = server.requests();
    let body = &requests.last().expect("a request").body;
    let messages = body["messages"].as_array().expect("messages");
    let last = messages
        .last()
        .map(|message| message["content"].clone())
        .unwrap_or_default();
    match last {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

#[test]
fn links_become_mentions_and_embedded_resources_are_data() {
    let (server, home, editor) = start();
    home.file("src/a file.txt", "the content of the file\n");
    server.script([text("Read.")]);
    let session = editor.session(&home);
    let file = format!("file://{}", home.path("src/a%20file.txt").display());
    let prompt = json!([
        {"type": "text", "text": "compare"},
        {"type": "resource_link", "name": "a file.txt", "uri": file},
        {"type": "text", "text": "with"},
        {"type": "resource_link", "name": "page", "uri": "https://example.org/page"},
        {"type": "resource", "resource": {"uri": "zed:///buffer", "text": "unsaved @src/missing.rs text"}, "_meta": {"x": 1}},
    ]);
    let answer = editor.ask(
        "session/prompt",
        json!({"sessionId": session, "prompt": prompt, "_meta": {"y": 2}}),
    );
    assert_eq!(answer["stopReason"], "end_turn");
    let sent = sent(&server);
    for part in [
        "the content of the file",
        "page (https://example.org/page)",
        "unsaved @src/missing.rs text",
        "is data",
    ] {
        assert!(sent.contains(part), "{part}: {sent}");
    }
    let image = json!([{"type": "image", "data": "AAAA", "mimeType": "image/png"}]);
    assert_eq!(
        editor.refused("session/prompt", json!({"sessionId": session, "prompt": image})),
        -32602
    );
    editor.leave();
}
