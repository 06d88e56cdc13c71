//! Tests of modes, configuration options, commands, and MCP servers of the client.

use serde_json::{Value, json};

use super::start;
use crate::support::editor::Editor;
use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

fn option<'a>(list: &'a Value, id: &str) -> &'a Value {
    let list = list["configOptions"].as_array().expect("options");
    list.iter().find(|option| option["id"] == id).expect("the option")
}

fn new(editor: &Editor, home: &Home) -> Value {
    editor.ask("session/new", json!({"cwd": home.project(), "mcpServers": []}))
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[test]
fn modes_are_the_agents() {
    let (server, home, editor) = start();
    let answer = new(&editor, &home);
    let modes: Vec<String> = answer["modes"]["availableModes"]
        .as_array()
        .expect("modes")
        .iter()
        .map(|mode| text_of(&mode["id"]))
        .collect();
    assert!(modes.contains(&text_of(&answer["modes"]["currentModeId"])), "{answer}");
    let session = text_of(&answer["sessionId"]);
    editor.ask(
        "session/set_mode",
        json!({"sessionId": session, "modeId": "accept-edits"}),
    );
    editor.update("current_mode_update", |update| {
        update["currentModeId"] == "accept-edits"
    });
    server.script([
        call("write", json!({"path": "new.txt", "content": "new\n"})),
        text("Written."),
    ]);
    assert_eq!(editor.prompt(&session, "write"), "end_turn");
    assert_eq!(home.read("new.txt"), "new\n");
    assert_eq!(
        editor.refused("session/set_mode", json!({"sessionId": session, "modeId": "explore"})),
        -32602
    );
    editor.leave();
}

#[test]
fn an_option_answers_with_the_complete_list() {
    let (_server, home, editor) = start();
    let answer = new(&editor, &home);
    let session = text_of(&answer["sessionId"]);
    for (id, category) in [("mode", "mode"), ("model", "model"), ("thinking", "thought_level")] {
        assert_eq!(option(&answer, id)["category"], category);
        assert_eq!(option(&answer, id)["type"], "select");
    }
    let set = |id: &str, value: &str| json!({"sessionId": session, "configId": id, "value": value});
    let answer = editor.ask("session/set_config_option", set("thinking", "low"));
    assert_eq!(option(&answer, "thinking")["currentValue"], "low");
    assert_eq!(option(&answer, "mode")["currentValue"], "build");
    let answer = editor.ask("session/set_config_option", set("mode", "plan"));
    assert_eq!(option(&answer, "mode")["currentValue"], "plan");
    assert_eq!(option(&answer, "thinking")["currentValue"], "low");
    for (id, value) in [
        ("thinking", "much"),
        ("mode", "none"),
        ("model", "x/y"),
        ("unknown", "1"),
    ] {
        assert_eq!(
            editor.refused("session/set_config_option", set(id, value)),
            -32602,
            "{id} {value}"
        );
    }
    let boolean = json!({"sessionId": session, "configId": "mode", "type": "boolean", "value": true});
    assert_eq!(editor.refused("session/set_config_option", boolean), -32602);
    editor.leave();
}

#[test]
fn the_model_of_a_session_can_be_changed() {
    let server = Server::start();
    let home = Home::with(&server);
    let mut config = config(&server.base_url());
    config["provider"]["kit"]["models"]["other"] = json!({"context": 32_000});
    home.configure(&config);
    let editor = Editor::start(&home);
    let answer = new(&editor, &home);
    let session = text_of(&answer["sessionId"]);
    let offered: Vec<String> = option(&answer, "model")["options"]
        .as_array()
        .expect("models")
        .iter()
        .map(|model| text_of(&model["value"]))
        .collect();
    assert!(
        offered.contains(&text_of(&option(&answer, "model")["currentValue"])),
        "{offered:?}"
    );
    if let Some(other) = offered.iter().find(|model| model.ends_with("/other")) {
        let set = json!({"sessionId": session, "configId": "model", "value": other});
        let answer = editor.ask("session/set_config_option", set);
        assert_eq!(option(&answer, "model")["currentValue"], json!(other));
        server.script([text("From the other.")]);
        assert_eq!(editor.prompt(&session, "hello"), "end_turn");
        assert_eq!(server.requests().last().expect("a request").body["model"], "other");
    }
    editor.leave();
}

#[test]
fn commands_of_the_folder_are_offered_once_it_is_trusted() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file(
        ".benchdog/commands/greet.md",
        "---\ndescription: Greets somebody\n---\nSay hello to $ARGUMENTS.\n",
    );
    let names = |arguments: &[&str]| {
        let editor = Editor::start_with(&home, arguments);
        let session = editor.session(&home);
        let commands = editor.update("available_commands_update", |_| true);
        let names: Vec<String> = commands["availableCommands"]
            .as_array()
            .expect("commands")
            .iter()
            .map(|command| text_of(&command["name"]))
            .collect();
        server.script([text("Hello.")]);
        assert_eq!(editor.prompt(&session, "/greet Ann"), "end_turn");
        editor.leave();
        names
    };
    assert_eq!(names(&[]), ["compact"]);
    assert!(!super::sent(&server).contains("Say hello to Ann"));
    assert_eq!(names(&["--trust"]), ["compact", "greet"]);
    assert!(super::sent(&server).contains("Say hello to Ann"));
}

#[test]
fn servers_of_the_client_follow_the_rules_of_configured_ones() {
    let (server, home, editor) = start();
    home.file("server.py", SERVER);
    let servers = json!([{
        "name": "my adder", "command": "/usr/bin/python3", "args": [home.path("server.py")],
        "env": [{"name": "ADDS", "value": "100"}],
    }]);
    let session = editor.session_with(json!({"cwd": home.project(), "mcpServers": servers}));
    server.script([call("my-adder__add", json!({"a": 5, "b": 3})), text("It is 108.")]);
    let id = editor.begin(&session, "add");
    let permission = editor.permission();
    assert!(
        permission["params"]["toolCall"]["title"].to_string().contains("add"),
        "{permission}"
    );
    editor.choose(&permission, "allow");
    assert_eq!(editor.stopped(&id), "end_turn");
    assert!(super::sent(&server).contains("108"));
    // The server does not belong to other sessions.
    let other = editor.session(&home);
    server.script([text("No.")]);
    assert_eq!(editor.prompt(&other, "add"), "end_turn");
    assert!(
        !server.requests().last().expect("a request").body["tools"]
            .to_string()
            .contains("my-adder")
    );
    let sse = json!([{"type": "sse", "name": "old", "url": "http://127.0.0.1:9/", "headers": []}]);
    assert_eq!(
        editor.refused("session/new", json!({"cwd": home.project(), "mcpServers": sse})),
        -32602
    );
    editor.leave();
}

const SERVER: &str = r#"
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    method = asked["method"]
    if method == "initialize":
        result = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "adder", "version": "1"}}
    elif method == "tools/list":
        schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
        result = {"tools": [{"name": "add", "description": "Adds.", "inputSchema": schema}]}
    elif method == "tools/call":
        given = asked["params"]["arguments"]
        total = given["a"] + given["b"] + int(os.environ["ADDS"])
        result = {"content": [{"type": "text", "text": str(total)}]}
    else:
        result = {}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"#;
