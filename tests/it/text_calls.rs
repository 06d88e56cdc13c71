//! Tests of calls written as text, and of models without native tools.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, refusal, text};
use crate::support::server::{MODEL, Server};

const READS: &str =
    "I look.\n<tool_call>\n{\"name\": \"Read\", \"arguments\": {\"file_path\": \"notes.txt\"}}\n</tool_call>";

fn home(server: &Server, tools: &str) -> Home {
    let home = Home::bare();
    let mut config = config(&server.base_url());
    config["provider"]["kit"]["models"][MODEL]["tools"] = tools.into();
    home.configure(&config);
    home.file("notes.txt", "buy milk\n");
    home
}

#[test]
fn a_call_written_as_text_runs_and_is_never_shown() {
    let server = Server::start();
    let home = home(&server, "auto");
    server.script([text(READS), text("milk")]);
    let run = home.run(&["run", "what is in the notes?"]);
    run.assert_code(0);
    assert!(
        !run.stdout.contains("tool_call>") && !run.stderr.contains("tool_call>"),
        "{run}"
    );
    assert!(
        run.stderr.contains("The model wrote tool calls as text: 1 parsed"),
        "{run}"
    );
    let second = server.request(2);
    assert!(second.last("tool").contains("buy milk"), "{}", second.raw);
    let arguments = &second.messages()[2]["tool_calls"][0]["function"];
    assert_eq!(arguments["name"], "read");
    server.assert_append_only();
}

#[test]
fn a_model_without_tools_is_taught_them_and_roles_alternate() {
    let server = Server::start();
    let home = home(&server, "text");
    server.script([text(READS), text(READS), text("milk")]);
    let run = home.run(&["run", "what is in the notes?"]);
    run.assert_code(0);
    for request in server.requests() {
        assert!(request.body.get("tools").is_none(), "{}", request.raw);
        let roles: Vec<&str> = request
            .messages()
            .iter()
            .filter_map(|message| message["role"].as_str())
            .collect();
        let alternate = roles[1..]
            .chunks(2)
            .all(|pair| pair == ["user", "assistant"] || pair == ["user"]);
        assert!(roles[0] == "system" && alternate, "{roles:?}");
    }
    let second = server.request(2);
    assert!(
        second.messages()[0]["content"]
            .as_str()
            .unwrap_or_default()
            .contains("\"name\":\"bash\"")
    );
    assert!(second.last("user").contains("<tool_response>\n") && second.last("user").contains("buy milk"));
    server.assert_append_only();
}

#[test]
fn a_server_that_refuses_tools_is_asked_again_without_them() {
    let server = Server::start();
    let home = home(&server, "auto");
    let refused = r#"{"error": {"message": "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set", "code": 400}}"#;
    server.script([refusal(400, refused), text(READS), text("milk")]);
    let run = home.run(&["run", "what is in the notes?"]);
    run.assert_code(0);
    assert!(run.stderr.contains("accepts no tools"), "{run}");
    assert!(server.request(1).body["tools"].is_array());
    assert!(server.request(2).body.get("tools").is_none() && server.request(3).body.get("tools").is_none());
    // A resumed session begins with the same messages.
    server.script([text("bread, too")]);
    let run = home.run(&["run", "-c", "what else?"]);
    run.assert_code(0);
    let (before, after) = (server.request(3), server.request(4));
    assert!(after.body.get("tools").is_none(), "{}", after.raw);
    assert_eq!(after.messages()[..before.messages().len()], before.messages()[..]);
}

#[test]
fn a_server_that_refuses_tools_somebody_insists_on_is_an_error_that_says_what_to_do() {
    let server = Server::start();
    let home = home(&server, "native");
    server.script([
        refusal(400, r#"{"error": "model does not support tools"}"#),
        text("too late"),
    ]);
    let run = home.run(&["run", "hello"]);
    run.assert_code(5);
    assert!(
        run.stderr.contains("takes no tools") && run.stderr.contains("`tools`"),
        "{run}"
    );
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn ids_a_template_refuses_are_shortened() {
    let server = Server::start();
    let home = home(&server, "auto");
    let refused =
        r#"{"error": {"code": 400, "message": "Tool call IDs should be alphanumeric strings with length 9!"}}"#;
    server.script([
        call("read", json!({"path": "notes.txt"})),
        refusal(400, refused),
        text("milk"),
    ]);
    let run = home.run(&["run", "what is in the notes?"]);
    run.assert_code(0);
    let third = server.request(3);
    let id = third.messages()[2]["tool_calls"][0]["id"].as_str().unwrap_or_default();
    assert_eq!(id.len(), 9, "{id}");
    assert_eq!(third.messages()[3]["tool_call_id"], id);
}

#[test]
fn a_call_of_a_tool_nobody_has_is_answered_and_nothing_runs() {
    let server = Server::start();
    let home = home(&server, "auto");
    let unknown = "<tool_call>\n{\"name\": \"launch_rocket\", \"arguments\": {}}\n</tool_call>";
    server.script([text(unknown), text("sorry")]);
    let run = home.run(&["run", "go"]);
    run.assert_code(0);
    assert!(
        server.request(2).last("tool").contains("launch_rocket"),
        "{}",
        server.request(2).raw
    );
}

#[test]
fn a_call_that_cannot_be_read_is_answered_with_how_to_write_it() {
    let server = Server::start();
    let home = home(&server, "auto");
    server.script([
        text("<tool_call>\n{\"name\": \"read\", \"arguments\": 5}\n</tool_call>"),
        text("sorry"),
    ]);
    let run = home.run(&["run", "go"]);
    run.assert_code(0);
    let told = server.request(2).last("tool").to_owned();
    assert!(
        told.contains("cannot be parsed") && told.contains("one JSON object"),
        "{told}"
    );
}

#[test]
fn what_is_quoted_or_fenced_is_no_call() {
    let server = Server::start();
    let home = home(&server, "auto");
    let quoted = format!("A call looks like this:\n```\n{READS}\n```\nand that is all.");
    server.script([text(&quoted), text("too much")]);
    let run = home.run(&["run", "how do calls look?"]);
    run.assert_code(0);
    assert!(run.stdout.contains("<tool_call>"), "{run}");
    assert_eq!(server.requests().len(), 1);
}
