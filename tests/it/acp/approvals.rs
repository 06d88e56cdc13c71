//! Tests of permission requests: options, decisions, and the effects of a missing answer.

use serde_json::{Value, json};

use super::start;
use crate::support::editor::Editor;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

const BEFORE: &str = "first\nmiddle\nlast\n";

fn edit() -> Value {
    json!({"path": "a.txt", "edits": [{"old": "first", "new": "FIRST"}, {"old": "last", "new": "LAST"}]})
}

/// Begins a prompt whose answer edits two places of a file. Returns the session, the id of the prompt's request, and
/// the permission request.
fn asked(server: &Server, home: &Home, editor: &Editor) -> (String, Value, Value) {
    home.file("a.txt", BEFORE);
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("edit", edit()),
        text("Noted."),
    ]);
    let session = editor.session(home);
    let id = editor.begin(&session, "change it");
    (session, id, editor.permission())
}

fn options(permission: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let options = permission["params"]["options"].as_array().expect("options");
    options
        .iter()
        .map(|option| (text(&option["optionId"]), text(&option["kind"])))
        .collect()
}

#[test]
fn an_edit_is_shown_as_a_diff_and_written_once_it_is_allowed() {
    let (server, home, editor) = start();
    let (_, id, permission) = asked(&server, &home, &editor);
    assert_eq!(home.read("a.txt"), BEFORE);
    let call = &permission["params"]["toolCall"];
    assert_eq!(call["kind"], "edit");
    assert_eq!(call["content"][0]["type"], "diff");
    assert_eq!(call["content"][0]["path"], json!(home.path("a.txt")));
    assert_eq!(call["content"][0]["oldText"], BEFORE);
    assert_eq!(call["content"][0]["newText"], "FIRST\nmiddle\nLAST\n");
    assert_eq!(call["locations"][0]["line"], 1);
    editor.choose(&permission, "allow");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(home.read("a.txt"), "FIRST\nmiddle\nLAST\n");
    editor.update("tool_call_update", |update| {
        update["toolCallId"] == call["toolCallId"] && update["status"] == "completed"
    });
    editor.leave();
}

#[test]
fn a_rejected_edit_changes_nothing_and_the_model_gets_the_reason() {
    let (server, home, editor) = start();
    let (_, id, permission) = asked(&server, &home, &editor);
    editor.choose_with(&permission, "reject", json!({"benchdog/reason": "keep it small"}));
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(home.read("a.txt"), BEFORE);
    assert!(super::sent(&server).contains("keep it small"));
    editor.leave();
}

#[test]
fn only_the_chosen_hunks_are_written_and_the_result_says_which_were_not() {
    let (server, home, editor) = start();
    let (_, id, permission) = asked(&server, &home, &editor);
    let hunks = &permission["params"]["_meta"]["benchdog/hunks"];
    assert_eq!(hunks.as_array().map(Vec::len), Some(2), "{permission}");
    editor.choose_with(&permission, "allow", json!({"benchdog/hunks": [2]}));
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(home.read("a.txt"), "first\nmiddle\nLAST\n");
    let sent = super::sent(&server);
    assert!(sent.contains("FIRST"), "the result names the discarded hunk: {sent}");
    editor.leave();
}

#[test]
fn hunks_that_do_not_exist_are_a_denial() {
    for hunks in [json!([3]), json!([]), json!(["1"]), json!("all")] {
        let (server, home, editor) = start();
        let (_, id, permission) = asked(&server, &home, &editor);
        editor.choose_with(&permission, "allow", json!({"benchdog/hunks": hunks}));
        assert_eq!(editor.stopped(&id), "end_turn");
        assert_eq!(home.read("a.txt"), BEFORE);
        editor.leave();
    }
}

#[test]
fn always_lasts_for_the_session_or_the_workspace() {
    let (server, home, editor) = start();
    let (session, id, permission) = asked(&server, &home, &editor);
    let kinds = options(&permission);
    assert!(
        kinds.contains(&("always-session-1".to_owned(), "allow_always".to_owned())),
        "{kinds:?}"
    );
    assert!(
        kinds.contains(&("always-project-1".to_owned(), "allow_always".to_owned())),
        "{kinds:?}"
    );
    assert!(
        kinds.contains(&("never".to_owned(), "reject_always".to_owned())),
        "{kinds:?}"
    );
    editor.choose(&permission, "always-session-1");
    assert_eq!(editor.stopped(&id), "end_turn");
    // A second edit of the file needs no answer. The call contains the diff.
    server.script([
        call(
            "edit",
            json!({"path": "a.txt", "edits": [{"old": "FIRST", "new": "again"}]}),
        ),
        text("Done."),
    ]);
    assert_eq!(editor.prompt(&session, "again"), "end_turn");
    assert_eq!(home.read("a.txt"), "again\nmiddle\nLAST\n");
    editor.update("tool_call_update", |update| {
        update["content"]
            .as_array()
            .is_some_and(|content| content.iter().any(|part| part["newText"] == "again\nmiddle\nLAST\n"))
    });
    editor.leave();
}

#[test]
fn a_standing_rejection_asks_no_more() {
    let (server, home, editor) = start();
    let (session, id, permission) = asked(&server, &home, &editor);
    editor.choose(&permission, "never");
    assert_eq!(editor.stopped(&id), "end_turn");
    server.script([call("edit", edit()), text("Denied again.")]);
    assert_eq!(editor.prompt(&session, "again"), "end_turn");
    assert_eq!(home.read("a.txt"), BEFORE);
    let asked = editor
        .messages()
        .into_iter()
        .filter(|message| message["method"] == "session/request_permission");
    assert_eq!(asked.count(), 1);
    editor.leave();
}

#[test]
fn a_dangerous_command_is_never_offered_for_always() {
    let (server, home, editor) = start();
    home.file("build/out", "x");
    server.script([call("bash", json!({"command": "rm -rf build"})), text("Noted.")]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "clean up");
    let permission = editor.permission();
    let kinds: Vec<String> = options(&permission).into_iter().map(|(_, kind)| kind).collect();
    assert!(
        kinds.iter().all(|kind| kind == "allow_once" || kind == "reject_once"),
        "{kinds:?}"
    );
    let shown = permission["params"]["toolCall"]["content"].to_string();
    assert!(shown.contains("rm -rf build"), "{shown}");
    editor.choose(&permission, "reject");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(home.read("build/out"), "x");
    editor.leave();
}

#[test]
fn a_cancelled_request_is_a_denial_and_the_turn_is_cancelled() {
    let (server, home, editor) = start();
    let (session, id, permission) = asked(&server, &home, &editor);
    editor.notify("session/cancel", json!({"sessionId": session}));
    let result = json!({"outcome": {"outcome": "cancelled"}});
    editor.send(&json!({"jsonrpc": "2.0", "id": permission["id"], "result": result}));
    assert_eq!(editor.stopped(&id), "cancelled");
    assert_eq!(home.read("a.txt"), BEFORE);
    editor.leave();
}

#[test]
fn the_newest_edition_of_a_proposal_is_asked_and_the_older_one_is_withdrawn() {
    let (server, home, editor) = start();
    let (_, id, permission) = asked(&server, &home, &editor);
    home.file("a.txt", "first\nchanged elsewhere\nlast\n");
    let again = editor.permission();
    assert_ne!(again["id"], permission["id"]);
    editor.wait_for("the withdrawal", |message| {
        message["method"] == "$/cancel_request" && message["params"]["requestId"] == permission["id"]
    });
    editor.choose(&permission, "allow");
    editor.choose(&again, "reject");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(home.read("a.txt"), "first\nchanged elsewhere\nlast\n");
    editor.leave();
}

#[test]
fn a_question_of_the_model_offers_its_answers() {
    let (server, home, editor) = start();
    server.script([
        call("ask", json!({"question": "Which colour?", "options": ["red", "blue"]})),
        text("Blue it is."),
    ]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "paint");
    let permission = editor.permission();
    assert_eq!(permission["params"]["toolCall"]["title"], "Which colour?");
    assert_eq!(permission["params"]["options"][1]["name"], "blue");
    editor.choose(&permission, "answer-2");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert!(super::sent(&server).contains("blue"));
    editor.leave();
}

#[test]
fn a_request_of_a_subagent_names_the_call_of_its_parent() {
    let (server, home, editor) = start();
    home.file("a.txt", BEFORE);
    server.model(|request| {
        let messages = request.messages();
        let answers = messages.iter().filter(|message| message["role"] == "assistant").count();
        let prompt = messages.iter().find(|message| message["role"] == "user");
        let of_parent = prompt.is_some_and(|prompt| prompt["content"].to_string().contains("delegate this"));
        let task = json!({"agent": "general", "description": "write", "prompt": "write it for me"});
        Some(match (of_parent, answers) {
            (true, 0) => call("task", task),
            (true, _) => text("All done."),
            (false, 0) => call("write", json!({"path": "new.txt", "content": "new\n"})),
            (false, _) => text("Written."),
        })
    });
    let session = editor.session(&home);
    let id = editor.begin(&session, "delegate this");
    editor.choose(&editor.permission(), "allow");
    let permission = editor.permission();
    let call = &permission["params"]["toolCall"];
    let parent = call["_meta"]["benchdog/parentToolCallId"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    editor.update("tool_call", |update| {
        update["toolCallId"] == parent && update["kind"] == "think"
    });
    editor.choose(&permission, "allow");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert_eq!(home.read("new.txt"), "new\n");
    editor.leave();
}
