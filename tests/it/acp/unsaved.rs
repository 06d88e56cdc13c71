//! Tests of an editor's unsaved text, which is read, reviewed and written through the editor.

use serde_json::{Value, json};

use super::sent;
use crate::support::editor::Editor;
use crate::support::editor::files::Saves;
use crate::support::home::{Home, config};
use crate::support::reply::{Reply, call, text};
use crate::support::server::Server;

const SAVED: &str = "first\nmiddle\nlast\n";
const UNSAVED: &str = "first\nmiddle\ntyped\nlast\n";
const READ: &str = "fs/read_text_file";
const WRITE: &str = "fs/write_text_file";

/// Prepares a file with unsaved text, and answers of the model that read the file and change its first line.
fn begun(saves: Saves) -> (Server, Home, Editor) {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", SAVED);
    let editor = Editor::with_files(&home);
    editor.edits(&home.path("a.txt"), UNSAVED, saves);
    server.script([call("read", json!({"path": "a.txt"})), edit("a.txt"), text("Noted.")]);
    (server, home, editor)
}

fn edit(path: &str) -> Reply {
    call(
        "edit",
        json!({"path": path, "edits": [{"old": "first", "new": "FIRST"}]}),
    )
}

fn open(editor: &Editor, home: &Home) -> String {
    let path = home.path("a.txt");
    editor.files(|files| files.open.get(&path).cloned().unwrap_or_default())
}

fn count(editor: &Editor, method: &str) -> usize {
    editor.files(|files| files.count(method))
}

fn old_text(permission: &Value) -> Value {
    permission["params"]["toolCall"]["content"][0]["oldText"].clone()
}

fn allowed(server: &Server, home: &Home, editor: &Editor) -> String {
    let session = editor.session(home);
    let id = editor.begin(&session, "change it");
    let permission = editor.permission();
    assert_eq!(old_text(&permission), UNSAVED);
    editor.choose(&permission, "allow");
    assert_eq!(editor.stopped(&id), "end_turn");
    sent(server)
}

#[test]
fn an_accepted_change_keeps_the_unsaved_text_and_is_on_disk() {
    let (server, home, editor) = begun(Saves::ToDisk);
    let result = allowed(&server, &home, &editor);
    assert!(result.contains("+1 -1"), "{result}");
    assert_eq!(open(&editor, &home), "FIRST\nmiddle\ntyped\nlast\n");
    assert_eq!(home.read("a.txt"), "FIRST\nmiddle\ntyped\nlast\n");
    assert_eq!(count(&editor, WRITE), 1);
    let read = server.requests()[1].body["messages"].to_string();
    assert!(read.contains("3\\ttyped") && read.contains("unsaved changes"), "{read}");
    editor.leave();
}

#[test]
fn a_rejected_change_leaves_the_buffer_and_the_disk() {
    let (_server, home, editor) = begun(Saves::ToDisk);
    let session = editor.session(&home);
    let id = editor.begin(&session, "change it");
    let permission = editor.permission();
    assert_eq!(old_text(&permission), UNSAVED);
    editor.choose(&permission, "reject");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(
        (open(&editor, &home).as_str(), home.read("a.txt").as_str()),
        (UNSAVED, SAVED)
    );
    assert_eq!(count(&editor, WRITE), 0);
    editor.leave();
}

#[test]
fn an_editor_that_does_not_save_gets_the_file_written_for_it() {
    let (server, home, editor) = begun(Saves::Nowhere);
    allowed(&server, &home, &editor);
    assert_eq!(open(&editor, &home), "FIRST\nmiddle\ntyped\nlast\n");
    assert_eq!(home.read("a.txt"), "FIRST\nmiddle\ntyped\nlast\n");
    editor.leave();
}

#[test]
fn the_text_that_an_editor_formats_stays_and_the_model_is_told() {
    let (server, home, editor) = begun(Saves::As("FIRST;\nmiddle;\n".to_owned()));
    let result = allowed(&server, &home, &editor);
    assert!(result.contains("read the file again"), "{result}");
    assert_eq!(home.read("a.txt"), "FIRST;\nmiddle;\n");
    editor.leave();
}

#[test]
fn a_refused_write_changes_nothing_and_says_why() {
    let (server, home, editor) = begun(Saves::Refuses);
    let result = allowed(&server, &home, &editor);
    assert!(
        result.contains("the buffer is locked") && result.contains("unchanged"),
        "{result}"
    );
    assert_eq!(
        (open(&editor, &home).as_str(), home.read("a.txt").as_str()),
        (UNSAVED, SAVED)
    );
    editor.leave();
}

#[test]
fn a_silent_editor_is_an_error_of_the_call_and_the_turn_goes_on() {
    let (server, home, editor) = begun(Saves::Silent);
    let session = editor.session(&home);
    assert_eq!(editor.prompt(&session, "read it"), "end_turn");
    let messages = server.requests().last().expect("a request").body["messages"].to_string();
    assert_eq!(messages.matches("did not say in time").count(), 2, "{messages}");
    editor.wait_for("the withdrawal", |message| message["method"] == "$/cancel_request");
    assert_eq!(home.read("a.txt"), SAVED);
    editor.leave();
}

#[test]
fn an_answer_of_the_wrong_form_does_not_mean_that_nothing_is_unsaved() {
    let (server, home, editor) = begun(Saves::Malformed);
    let session = editor.session(&home);
    assert_eq!(editor.prompt(&session, "change it"), "end_turn");
    let messages = server.requests().last().expect("a request").body["messages"].to_string();
    assert_eq!(messages.matches("cannot be used").count(), 2, "{messages}");
    assert_eq!(home.read("a.txt"), SAVED);
    editor.leave();
}

#[test]
fn text_typed_during_the_review_is_reviewed_too() {
    let (_server, home, editor) = begun(Saves::ToDisk);
    let session = editor.session(&home);
    let id = editor.begin(&session, "change it");
    let permission = editor.permission();
    let typed = "first\nmiddle\ntyped\nmore\nlast\n";
    editor.edits(&home.path("a.txt"), typed, Saves::ToDisk);
    editor.choose(&permission, "allow");
    let again = editor.permission();
    assert_eq!(old_text(&again), typed);
    assert_eq!(home.read("a.txt"), SAVED);
    editor.choose(&again, "allow");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(home.read("a.txt"), "FIRST\nmiddle\ntyped\nmore\nlast\n");
    editor.leave();
}

#[test]
fn without_unsaved_text_the_disk_is_written_and_line_ends_do_not_count() {
    let (_server, home, editor) = begun(Saves::ToDisk);
    home.file("a.txt", "first\r\nmiddle\r\nlast\r\n");
    editor.edits(&home.path("a.txt"), "first\nmiddle\nlast", Saves::ToDisk);
    let session = editor.session(&home);
    let id = editor.begin(&session, "change it");
    editor.choose(&editor.permission(), "allow");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(home.read("a.txt"), "FIRST\r\nmiddle\r\nlast\r\n");
    assert_eq!(count(&editor, WRITE), 0);
    editor.leave();
}

#[test]
fn secret_and_denied_files_are_not_requested() {
    let server = Server::start();
    let home = Home::with(&server);
    let mut config = config(&server.base_url());
    config["permission"] = json!({"read": {"private/*": "deny"}});
    home.configure(&config);
    home.file(".env", "KEY=1\n");
    home.file("private/a.txt", SAVED);
    let editor = Editor::with_files(&home);
    server.script([
        call("read", json!({"path": ".env"})),
        call("read", json!({"path": "private/a.txt"})),
        edit("private/a.txt"),
        text("Noted."),
    ]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "read them");
    editor.choose(&editor.permission(), "allow");
    editor.choose(&editor.permission(), "reject");
    assert_eq!(editor.stopped(&id), "end_turn");
    editor.files(|files| assert_eq!(files.asked, []));
    editor.leave();
}

#[test]
fn unsaved_text_is_not_overwritten_if_the_editor_cannot_be_given_text() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", SAVED);
    let editor = Editor::offers(&home, json!({"fs": {"readTextFile": true}}));
    editor.edits(&home.path("a.txt"), UNSAVED, Saves::ToDisk);
    server.script([edit("a.txt"), text("Noted.")]);
    let session = editor.session(&home);
    assert_eq!(editor.prompt(&session, "change it"), "end_turn");
    let result = sent(&server);
    assert!(result.contains("unsaved changes"), "{result}");
    assert_eq!(home.read("a.txt"), SAVED);
    editor.leave();
}

#[test]
fn a_link_to_a_file_gives_its_unsaved_text_under_the_name_that_the_client_uses() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", SAVED);
    let named = home.outside().join("link");
    std::os::unix::fs::symlink(home.project(), &named).expect("a link");
    let editor = Editor::with_files(&home);
    editor.edits(&named.join("a.txt"), UNSAVED, Saves::ToDisk);
    let session = editor.session_with(json!({"cwd": named, "mcpServers": []}));
    let uri = format!("file://{}", home.path("a.txt").display());
    let prompt = json!([{"type": "resource_link", "name": "a.txt", "uri": uri}]);
    server.script([text("Read.")]);
    editor.ask("session/prompt", json!({"sessionId": session, "prompt": prompt}));
    assert!(sent(&server).contains("typed"));
    assert_eq!(count(&editor, READ), 1);
    editor.leave();
}
