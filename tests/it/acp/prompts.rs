//! Tests of prompt content (images, audio, resources with data), copies of sessions, and the logged protocol.

use serde_json::{Value, json};

use super::{sent, start};
use crate::images::{PIXEL_URL, seeing};
use crate::logs::log;
use crate::support::api::Api;
use crate::support::editor::Editor;
use crate::support::home::Home;
use crate::support::reply::{Gate, stream, text};
use crate::support::server::Server;

fn pixel() -> &'static str {
    PIXEL_URL.split_once(',').expect("data").1
}

fn image() -> Value {
    json!({"type": "image", "mimeType": "image/png", "data": pixel()})
}

fn prompt(session: &str, blocks: &[Value]) -> Value {
    json!({"sessionId": session, "prompt": blocks})
}

fn abilities(editor: &Editor) -> Value {
    let answer = editor.ask("initialize", json!({"protocolVersion": 1}));
    answer["agentCapabilities"]["promptCapabilities"].clone()
}

#[test]
fn images_go_to_a_model_that_sees_them_in_their_places() {
    let server = Server::start();
    let home = seeing(&server);
    let editor = Editor::open(&home, &[]);
    assert_eq!(
        abilities(&editor),
        json!({"image": true, "audio": false, "embeddedContext": true})
    );
    let session = editor.session(&home);
    server.script([text("A dot."), text("A dot again.")]);
    let before = json!({"type": "text", "text": "what is"});
    let blob =
        json!({"type": "resource", "resource": {"uri": "zed:///shot", "mimeType": "image/png", "blob": pixel()}});
    for blocks in [[before.clone(), image()], [before, blob]] {
        editor.ask("session/prompt", prompt(&session, &blocks));
        let request = server.requests().last().expect("a request").body.clone();
        let newest = request["messages"]
            .as_array()
            .and_then(|all| all.last())
            .expect("a message");
        assert!(newest.to_string().contains(PIXEL_URL), "{newest}");
        assert!(
            newest["content"][0]["text"].to_string().contains("what is @"),
            "{newest}"
        );
    }
    server.assert_append_only();
    editor.leave();
}

#[test]
fn images_are_offered_if_the_server_says_that_the_model_reads_them() {
    let server = Server::start();
    server.page(
        "/api/show",
        json!({"capabilities": ["completion", "vision"], "model_info": {}}),
    );
    let home = Home::speaking(Api::Ollama, &server);
    let editor = Editor::open(&home, &[]);
    assert_eq!(abilities(&editor)["image"], true);
    let session = editor.session(&home);
    server.script([text("A dot.")]);
    editor.ask("session/prompt", prompt(&session, &[image()]));
    let sent = server.requests().last().expect("a request").raw.clone();
    assert!(sent.contains(pixel()), "{sent}");
    editor.leave();
}

#[test]
fn an_image_is_refused_by_a_model_without_vision_and_so_is_what_is_none() {
    let (server, home, editor) = start();
    assert_eq!(abilities(&editor)["image"], false);
    let session = editor.session(&home);
    let id = editor.request("session/prompt", prompt(&session, &[image()]));
    let error = editor.response(&id)["error"].clone();
    assert_eq!(
        (&error["code"], &error["data"]["code"]),
        (&json!(-32602), &json!("mention_unread")),
        "{error}"
    );
    let broken = "iVBORw0KGgoAAAANSUhEUgAA";
    for (kind, data) in [
        ("image", "AAAA"),
        ("image", "%%%"),
        ("image", broken),
        ("audio", "AAAA"),
    ] {
        let block = json!({"type": kind, "mimeType": "x/y", "data": data});
        assert_eq!(
            editor.refused("session/prompt", prompt(&session, &[block])),
            -32602,
            "{kind} {data}"
        );
    }
    let id = editor.request("session/prompt", prompt(&session, &vec![image(); 33]));
    let error = editor.response(&id)["error"].to_string();
    assert!(error.contains("more than 32 images"), "{error}");
    assert_eq!(server.requests().len(), 0);
    server.script([text("Fine.")]);
    assert_eq!(editor.prompt(&session, "hello"), "end_turn");
    editor.leave();
}

#[test]
fn embedded_data_is_text_or_a_file_of_the_folder_or_refused() {
    let (server, home, editor) = start();
    home.file("a.txt", "on disk\n");
    let session = editor.session(&home);
    let blob = |uri: &str, data: &str| json!({"type": "resource", "resource": {"uri": uri, "mimeType": "application/x", "blob": data}});
    server.script([text("Read.")]);
    let file = format!("file://{}", home.path("a.txt").display());
    // The first is "hello", the second contains a NUL byte.
    let blocks = [blob("zed:///note", "aGVsbG8="), blob(&file, "AAAA")];
    editor.ask("session/prompt", prompt(&session, &blocks));
    let sent = sent(&server);
    assert!(
        sent.contains("hello") && sent.contains("on disk") && sent.contains("is data"),
        "{sent}"
    );
    let unknown = [blob("zed:///note", "AAAA")];
    assert_eq!(editor.refused("session/prompt", prompt(&session, &unknown)), -32602);
    editor.leave();
}

fn of(home: &Home, session: &str) -> Value {
    json!({"sessionId": session, "cwd": home.project(), "mcpServers": []})
}

#[test]
fn a_copy_continues_where_its_session_stands() {
    let (server, home, editor) = start();
    let session = editor.session(&home);
    server.script([text("One.")]);
    assert_eq!(editor.prompt(&session, "count"), "end_turn");
    let answer = editor.ask("session/fork", of(&home, &session));
    let copy = answer["sessionId"].as_str().expect("an id").to_owned();
    assert_ne!(copy, session);
    assert_eq!(answer["modes"]["currentModeId"], "build");
    server.script([text("Two."), text("Another two.")]);
    for session in [&copy, &session] {
        assert_eq!(editor.prompt(session, "go on"), "end_turn");
        let request = server.requests().last().expect("a request").body["messages"].to_string();
        assert!(request.contains("One.") && !request.contains("Two."), "{request}");
    }
    assert_eq!(editor.refused("session/fork", of(&home, "0000")), -32002);
    let gate = Gate::new();
    server.script([stream().says("Begun.").holds(&gate).ends()]);
    let id = editor.begin(&session, "run");
    editor.update("agent_message_chunk", |update| update["content"]["text"] == "Begun.");
    assert_eq!(editor.refused("session/fork", of(&home, &session)), -32602);
    gate.open();
    assert_eq!(editor.stopped(&id), "end_turn");
    editor.leave();
}

#[test]
fn the_log_has_methods_and_sizes_but_no_contents() {
    let server = Server::start();
    let home = Home::with(&server);
    let editor = Editor::start_with(&home, &["--debug"]);
    let session = editor.session(&home);
    server.script([text("An answer with a secret word.")]);
    assert_eq!(editor.prompt(&session, "a question with a secret word"), "end_turn");
    editor.notify("a method with a secret word", json!({}));
    editor.leave();
    let log = log(&home);
    for part in [
        "method=\"session/prompt\"",
        "update=\"agent_message_chunk\"",
        "method=\"other\"",
        "response sent",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    assert!(!log.contains("secret word"), "{log}");
}
