//! Tests of an editor's sessions: new, load, resume, list, close, delete, and several at once.

use serde_json::{Value, json};

use super::start;
use crate::support::editor::Editor;
use crate::support::home::Home;
use crate::support::reply::{Gate, call, stream, text};
use crate::support::server::Server;

fn of(home: &Home, session: &str) -> Value {
    json!({"sessionId": session, "cwd": home.project(), "mcpServers": []})
}

/// Stores a session in which a file was read, and ends its process.
fn stored(server: &Server, home: &Home) -> String {
    home.file("a.txt", "one\n");
    server.script([
        stream()
            .thinks("Hm.")
            .says("I look.")
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
        text("It says one."),
    ]);
    let editor = Editor::start(home);
    let session = editor.session(home);
    assert_eq!(editor.prompt(&session, "what does it say?"), "end_turn");
    editor.leave();
    session
}

#[test]
fn load_replays_the_session_before_its_response() {
    let server = Server::start();
    let home = Home::with(&server);
    let session = stored(&server, &home);
    let editor = Editor::start(&home);
    let id = editor.request("session/load", of(&home, &session));
    let answer = editor.result(&id);
    assert!(
        answer.is_object() && answer["modes"]["currentModeId"] == "build",
        "{answer}"
    );
    let messages = editor.messages();
    let at = messages
        .iter()
        .position(|message| message["id"] == id)
        .expect("the response");
    let kinds: Vec<&str> = messages[..at]
        .iter()
        .filter_map(|message| message["params"]["update"]["sessionUpdate"].as_str())
        .collect();
    assert_eq!(
        kinds,
        [
            "user_message_chunk",
            "agent_thought_chunk",
            "agent_message_chunk",
            "tool_call",
            "tool_call_update",
            "tool_call_update",
            "agent_message_chunk"
        ]
    );
    assert_eq!(editor.said(&session, "user_message_chunk"), "what does it say?");
    assert_eq!(editor.said(&session, "agent_message_chunk"), "I look.It says one.");
    let read = editor.update("tool_call_update", |update| update["status"] == "completed");
    assert_eq!(read["locations"][0]["path"], json!(home.path("a.txt")));
    server.script([text("Two now.")]);
    assert_eq!(editor.prompt(&session, "go on"), "end_turn");
    server.assert_append_only();
    editor.leave();
}

#[test]
fn resume_replays_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    let session = stored(&server, &home);
    let editor = Editor::start(&home);
    editor.ask("session/resume", of(&home, &session));
    editor.update("available_commands_update", |_| true);
    let kinds: Vec<Value> = editor
        .updates(&session)
        .iter()
        .map(|update| update["sessionUpdate"].clone())
        .collect();
    assert_eq!(kinds, ["available_commands_update"]);
    server.script([text("Two now.")]);
    assert_eq!(editor.prompt(&session, "go on"), "end_turn");
    server.assert_append_only();
    editor.leave();
}

#[test]
fn a_session_can_be_loaded_again_while_it_is_open() {
    let server = Server::start();
    let home = Home::with(&server);
    let session = stored(&server, &home);
    let editor = Editor::start(&home);
    editor.ask("session/load", of(&home, &session));
    editor.ask("session/load", of(&home, &session));
    server.script([text("Still here.")]);
    assert_eq!(editor.prompt(&session, "go on"), "end_turn");
    editor.leave();
}

#[test]
fn unknown_sessions_are_invalid_parameters() {
    let (_server, home, editor) = start();
    let unknown = of(&home, "0000");
    let prompt = json!({"sessionId": "0000", "prompt": [{"type": "text", "text": "hello"}]});
    // This is the code for a missing resource. Clients respond to it with a new session.
    for method in ["session/load", "session/resume"] {
        assert_eq!(editor.refused(method, unknown.clone()), -32002, "{method}");
    }
    for (method, params) in [
        ("session/prompt", prompt),
        ("session/close", json!({"sessionId": "0000"})),
        ("session/set_mode", json!({"sessionId": "0000", "modeId": "plan"})),
        (
            "session/set_config_option",
            json!({"sessionId": "0000", "configId": "mode", "value": "plan"}),
        ),
    ] {
        assert_eq!(editor.refused(method, params), -32602, "{method}");
    }
    editor.leave();
}

#[test]
fn list_filters_by_folder() {
    let server = Server::start();
    let home = Home::with(&server);
    let session = stored(&server, &home);
    let editor = Editor::start(&home);
    let listed = editor.ask("session/list", json!({"cwd": home.project()}));
    assert_eq!(listed["sessions"][0]["sessionId"], session);
    assert_eq!(listed["sessions"][0]["title"], "what does it say?");
    assert_eq!(listed["sessions"][0]["cwd"], json!(home.project()));
    assert_eq!(
        editor.ask("session/list", json!({"cwd": "/nowhere"}))["sessions"],
        json!([])
    );
    assert_eq!(
        editor.ask("session/list", json!({}))["sessions"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    assert_eq!(editor.refused("session/list", json!({"cursor": "strange"})), -32602);
    editor.leave();
}

#[test]
fn delete_succeeds_twice_and_removes_the_session_from_the_list() {
    let server = Server::start();
    let home = Home::with(&server);
    let session = stored(&server, &home);
    let editor = Editor::start(&home);
    editor.ask("session/resume", of(&home, &session));
    for _ in 0..2 {
        assert_eq!(editor.ask("session/delete", json!({"sessionId": session})), json!({}));
    }
    assert_eq!(editor.ask("session/list", json!({}))["sessions"], json!([]));
    assert_eq!(editor.refused("session/load", of(&home, &session)), -32002);
    editor.leave();
}

#[test]
fn close_cancels_the_running_prompt() {
    let (server, home, editor) = start();
    let gate = Gate::new();
    server.script([stream().says("Begun.").holds(&gate).ends()]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "go");
    editor.update("agent_message_chunk", |_| true);
    assert_eq!(editor.ask("session/close", json!({"sessionId": session})), json!({}));
    assert_eq!(editor.stopped(&id), "cancelled");
    let prompt = json!([{"type": "text", "text": "hello"}]);
    assert_eq!(
        editor.refused("session/prompt", json!({"sessionId": session, "prompt": prompt})),
        -32602
    );
    gate.open();
    // The closed session is stored, and can be opened again.
    editor.ask("session/resume", of(&home, &session));
    editor.leave();
}

#[test]
fn close_ends_a_pending_request_without_a_change() {
    let (server, home, editor) = start();
    server.script([call("write", json!({"path": "new.txt", "content": "new\n"}))]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "write");
    let permission = editor.permission();
    editor.ask("session/close", json!({"sessionId": session}));
    assert_eq!(editor.stopped(&id), "cancelled");
    editor.choose(&permission, "allow");
    editor.ask("session/list", json!({}));
    assert!(!home.path("new.txt").exists());
    editor.leave();
}

#[test]
fn two_sessions_of_two_folders_run_at_the_same_time() {
    let (server, home, editor) = start();
    let other = home.outside().join("other");
    std::fs::create_dir_all(&other).expect("a folder");
    let gate = Gate::new();
    server.script([
        stream()
            .says("One begins.")
            .holds(&gate)
            .calls("write", json!({"path": "new.txt", "content": "one\n"}))
            .ends(),
        call("write", json!({"path": "new.txt", "content": "other\n"})),
        text("Other done."),
        text("One done."),
    ]);
    let one = editor.session(&home);
    let two = editor.session_with(json!({"cwd": other, "mcpServers": []}));
    let first = editor.begin(&one, "go");
    editor.update("agent_message_chunk", |update| {
        update["content"].to_string().contains("begins.")
    });
    let second = editor.begin(&two, "go");
    let permission = editor.permission();
    assert_eq!(permission["params"]["sessionId"], two);
    editor.choose(&permission, "allow");
    assert_eq!(editor.stopped(&second), "end_turn");
    gate.open();
    let permission = editor.permission();
    assert_eq!(permission["params"]["sessionId"], one);
    editor.choose(&permission, "allow");
    assert_eq!(editor.stopped(&first), "end_turn");
    assert_eq!(home.read("new.txt"), "one\n");
    assert_eq!(
        std::fs::read_to_string(other.join("new.txt")).expect("a file"),
        "other\n"
    );
    editor.leave();
}

#[test]
fn additional_directories_are_readable_and_only_there() {
    let (server, home, editor) = start();
    let other = home.outside().join("other");
    std::fs::create_dir_all(&other).expect("a folder");
    std::fs::write(other.join("b.txt"), "from the other folder\n").expect("a file");
    let file = other.join("b.txt").display().to_string();
    let with = json!({"cwd": home.project(), "mcpServers": [], "additionalDirectories": [other]});
    for (session, status) in [
        (editor.session_with(with), "completed"),
        (editor.session(&home), "failed"),
    ] {
        server.script([call("read", json!({"path": file})), text("Done.")]);
        let id = editor.begin(&session, "read it");
        assert_eq!(editor.stopped(&id), "end_turn");
        let updates = editor.updates(&session);
        assert!(
            updates.iter().any(|update| update["status"] == status),
            "{status}: {updates:?}"
        );
    }
    let missing = json!({"cwd": home.outside().join("missing"), "mcpServers": []});
    assert_eq!(editor.refused("session/new", missing), -32602);
    editor.leave();
}

#[test]
fn a_session_that_another_process_uses_is_not_opened() {
    let server = Server::start();
    let home = Home::with(&server);
    let session = stored(&server, &home);
    let (one, other) = (Editor::start(&home), Editor::start(&home));
    one.ask("session/resume", of(&home, &session));
    let id = other.request("session/resume", of(&home, &session));
    let error = other.response(&id)["error"].clone();
    assert_eq!(error["data"]["code"], "session_held", "{error}");
    one.leave();
    other.ask("session/resume", of(&home, &session));
    other.leave();
}
