//! Tests of updates during a prompt: tool calls, live output, the plan, and compaction.

use serde_json::{Value, json};

use super::start;
use crate::support::reply::{call, text};

#[test]
fn tool_calls_have_a_kind_and_places() {
    let (server, home, editor) = start();
    home.file("src/a.txt", "one\ntwo\n");
    server.script([
        call("grep", json!({"pattern": "two"})),
        call("read", json!({"path": "src/a.txt"})),
        call("glob", json!({"pattern": "**/*.txt"})),
        text("Found."),
    ]);
    let session = editor.session(&home);
    assert_eq!(editor.prompt(&session, "find two"), "end_turn");
    for (name, kind) in [("grep", "search"), ("read", "read"), ("glob", "search")] {
        let call = editor.update("tool_call", |update| update["name"] == name);
        assert_eq!(call["kind"], kind, "{name}");
        assert!(call["rawInput"].is_object());
        let ended = editor.update("tool_call_update", |update| {
            update["toolCallId"] == call["toolCallId"] && update["status"] == "completed"
        });
        assert!(ended["rawOutput"]["output"].is_string(), "{ended}");
    }
    let places: Vec<Value> = editor
        .updates(&session)
        .iter()
        .map(|update| update["locations"].clone())
        .collect();
    let place = json!([{"path": home.path("src/a.txt"), "line": 1}]);
    assert!(places.contains(&place), "{places:?}");
    editor.leave();
}

#[test]
fn the_output_of_a_command_arrives_while_it_runs() {
    let (server, home, editor) = start();
    server.script([
        call(
            "bash",
            json!({"command": "echo begun; until [ -e go ]; do sleep 0.05; done; echo ended; touch made"}),
        ),
        text("Ran."),
    ]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "run it");
    let permission = editor.permission();
    assert_eq!(permission["params"]["toolCall"]["kind"], "execute");
    editor.choose(&permission, "allow");
    editor.update("tool_call_update", |update| {
        update["status"] == "in_progress" && update["content"].to_string().contains("begun")
    });
    home.file("go", "");
    assert_eq!(editor.stopped(&id), "end_turn");
    editor.update("tool_call_update", |update| {
        update["status"] == "completed" && update["content"].to_string().contains("ended")
    });
    editor.leave();
}

#[test]
fn a_command_ends_with_a_cancel() {
    let (server, home, editor) = start();
    server.script([call("bash", json!({"command": "touch made; sleep 78"}))]);
    let session = editor.session(&home);
    let id = editor.begin(&session, "run it");
    let permission = editor.permission();
    editor.choose(&permission, "allow");
    home.wait_for_process("sleep 78");
    editor.notify("session/cancel", json!({"sessionId": session}));
    assert_eq!(editor.stopped(&id), "cancelled");
    home.assert_gone("sleep 78", std::time::Duration::from_secs(5));
    editor.leave();
}

#[test]
fn the_todo_list_is_the_plan() {
    let (server, home, editor) = start();
    let todo = json!({"items": [{"text": "look", "status": "completed"}, {"text": "change", "status": "in_progress"}]});
    server.script([call("todowrite", todo), text("Done."), text("Really.")]);
    let session = editor.session(&home);
    editor.prompt(&session, "plan it");
    let plan = editor.update("plan", |update| {
        update["entries"].as_array().is_some_and(|entries| entries.len() == 2)
    });
    assert_eq!(plan["entries"][0]["content"], "look");
    assert_eq!(plan["entries"][0]["status"], "completed");
    assert_eq!(plan["entries"][1]["status"], "in_progress");
    editor.leave();
}

#[test]
fn compact_summarises_earlier_turns() {
    let (server, home, editor) = start();
    let session = editor.session(&home);
    for number in 0..4 {
        server.script([text(&format!("Answer {number}. {}", "word ".repeat(400)))]);
        assert_eq!(editor.prompt(&session, &format!("question {number}")), "end_turn");
    }
    server.script([text("## Goal\nAnswer questions.\n")]);
    assert_eq!(editor.prompt(&session, "/compact keep the numbers"), "end_turn");
    assert!(super::sent(&server).contains("keep the numbers"));
    server.script([text("Fine.")]);
    assert_eq!(editor.prompt(&session, "and now?"), "end_turn");
    editor.leave();
}
