//! Tests of questions from the model and from MCP servers, as forms for clients that support forms.

use serde_json::{Value, json};

use super::{sent, start};
use crate::mcp::peer;
use crate::support::PATIENCE;
use crate::support::editor::Editor;
use crate::support::home::Home;
use crate::support::process::look_until;
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn with_forms(home: &Home) -> Editor {
    Editor::offers(home, json!({"elicitation": {"form": {}}}))
}

/// Returns the request for the form with this number, from 0.
#[track_caller]
fn form(editor: &Editor, number: usize) -> Value {
    let mut found = None;
    look_until(PATIENCE, || {
        let messages = editor.messages().into_iter();
        found = messages
            .filter(|message| message["method"] == "elicitation/create")
            .nth(number);
        found.is_some()
    });
    found.unwrap_or_else(|| panic!("no form {number}: {:?}", editor.messages()))
}

fn answer(editor: &Editor, form: &Value, result: Value) {
    editor.send(&json!({"jsonrpc": "2.0", "id": form["id"], "result": result}));
}

fn accept(editor: &Editor, form: &Value, content: Value) {
    answer(editor, form, json!({"action": "accept", "content": content}));
}

fn questions() -> Value {
    json!({"questions": [
        {"header": "Database", "question": "Which database?", "options": [
            {"label": "SQLite", "description": "One file."}, {"label": "PostgreSQL"},
        ]},
        {"header": "Name", "question": "What is it called?"},
        {"header": "Parts", "question": "Which parts?", "multiple": true, "options": [
            {"label": "API"}, {"label": "Page"},
        ]},
    ]})
}

#[test]
fn several_questions_are_one_form_and_its_answers_reach_the_model() {
    let server = Server::start();
    let home = Home::with(&server);
    let editor = with_forms(&home);
    let session = editor.session(&home);
    server.script([call("ask_user_question", questions()), text("Noted.")]);
    let id = editor.begin(&session, "set it up");
    let form = form(&editor, 0);
    let params = &form["params"];
    assert_eq!(
        (&params["mode"], &params["sessionId"]),
        (&json!("form"), &json!(session))
    );
    assert!(params["toolCallId"].is_string(), "{params}");
    let properties = &params["requestedSchema"]["properties"];
    assert_eq!(properties["question_1"]["oneOf"][0]["const"], "SQLite");
    assert_eq!(properties["question_3"]["type"], "array");
    assert_eq!(params["requestedSchema"]["required"], json!(["question_2"]));
    let content = json!({"question_1": "PostgreSQL", "question_2": "shop", "question_3": ["API", "Page"]});
    accept(&editor, &form, content);
    assert_eq!(editor.stopped(&id), "end_turn");
    let sent = sent(&server);
    for part in ["PostgreSQL", "shop", "API", "Page"] {
        assert!(sent.contains(part), "{part}: {sent}");
    }
    editor.leave();
}

#[test]
fn an_own_answer_counts_instead_of_an_option() {
    let server = Server::start();
    let home = Home::with(&server);
    let editor = with_forms(&home);
    let session = editor.session(&home);
    server.script([
        call("ask", json!({"question": "Which colour?", "options": ["red", "blue"]})),
        text("Noted."),
    ]);
    let id = editor.begin(&session, "paint");
    accept(&editor, &form(&editor, 0), json!({"question_1_own": "green"}));
    assert_eq!(editor.stopped(&id), "end_turn");
    assert!(sent(&server).contains("green"));
    editor.leave();
}

#[test]
fn everything_but_a_complete_form_is_a_denial() {
    let server = Server::start();
    let home = Home::with(&server);
    let editor = with_forms(&home);
    let session = editor.session(&home);
    let wrong = [
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
        json!({"action": "accept"}),
        json!({"action": "accept", "content": {"question_1": "PostgreSQL"}}),
        json!({"action": "accept", "content": {"question_1": "Oracle", "question_2": "x", "question_3": ["API"]}}),
        json!({"action": "unknown"}),
        json!(null),
    ];
    for (number, result) in wrong.into_iter().enumerate() {
        server.script([call("ask_user_question", questions()), text("Noted.")]);
        let id = editor.begin(&session, "set it up");
        answer(&editor, &form(&editor, number), result.clone());
        assert_eq!(editor.stopped(&id), "end_turn", "{result}");
        let told = sent(&server);
        assert!(!told.contains("answered"), "{result}: {told}");
    }
    // An error other than a missing method is a denial, and later forms are still sent.
    server.script([call("ask_user_question", questions()), text("Noted.")]);
    let id = editor.begin(&session, "set it up");
    let error = json!({"code": -32800, "message": "Cancelled"});
    editor.send(&json!({"jsonrpc": "2.0", "id": form(&editor, 7)["id"], "error": error}));
    assert_eq!(editor.stopped(&id), "end_turn");
    // A cancelled prompt withdraws its form.
    server.script([call("ask_user_question", questions())]);
    let id = editor.begin(&session, "set it up");
    let form = form(&editor, 8);
    editor.notify("session/cancel", json!({"sessionId": session}));
    assert_eq!(editor.stopped(&id), "cancelled");
    editor.wait_for("the withdrawal", |message| {
        message["method"] == "$/cancel_request" && message["params"]["requestId"] == form["id"]
    });
    editor.leave();
}

#[test]
fn a_client_that_refuses_a_form_is_asked_with_options() {
    let server = Server::start();
    let home = Home::with(&server);
    let editor = with_forms(&home);
    let session = editor.session(&home);
    server.script([
        call("ask", json!({"question": "Which colour?", "options": ["red", "blue"]})),
        text("Noted."),
    ]);
    let id = editor.begin(&session, "paint");
    let error = json!({"code": -32601, "message": "Method not found"});
    editor.send(&json!({"jsonrpc": "2.0", "id": form(&editor, 0)["id"], "error": error}));
    editor.choose(&editor.permission(), "answer-2");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert!(sent(&server).contains("blue"));
    editor.leave();
}

#[test]
fn without_forms_a_question_that_needs_text_is_denied_at_once() {
    let (server, home, editor) = start();
    let session = editor.session(&home);
    server.script([call("ask", json!({"question": "What is it called?"})), text("Noted.")]);
    assert_eq!(editor.prompt(&session, "name it"), "end_turn");
    assert!(sent(&server).contains("cannot ask"));
    editor.leave();
}

#[test]
fn a_form_of_an_mcp_server_is_a_form_of_the_client() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "plain")]);
    configuration["permission"] = json!({"files__*": "allow"});
    home.configure(&configuration);
    let editor = with_forms(&home);
    let session = editor.session(&home);
    let filled = |age: u64| json!({"action": "accept", "content": {"name": "Rex", "age": age}});
    let told = [
        (filled(7), "\"name\":\"Rex\""),
        (filled(99), "\"action\":\"decline\""),
        (json!({"action": "decline"}), "\"action\":\"decline\""),
    ];
    for (number, (result, told)) in told.into_iter().enumerate() {
        server.script([call("files__form", json!({"text": "dog"})), text("Noted.")]);
        let id = editor.begin(&session, "go");
        let form = form(&editor, number);
        assert!(form["params"]["message"].to_string().contains("Which dog?"), "{form}");
        assert_eq!(form["params"]["requestedSchema"]["properties"]["age"]["maximum"], 30);
        answer(&editor, &form, result);
        assert_eq!(editor.stopped(&id), "end_turn");
        let sent = sent(&server);
        assert!(sent.contains(told), "{told}: {sent}");
    }
    editor.leave();
}
