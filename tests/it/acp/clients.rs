//! Replays transcripts of real clients: the Python SDK 0.12.1, the TypeScript SDK 2.4.0 and acpx 0.19.1.
//!
//! Each line of `tests/data/acp/clients` is a message with its sender. `PROJECT`, `DATA` and `SESSION-n` are
//! placeholders for values of the run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::editor::Editor;
use crate::support::editor::files::Saves;
use crate::support::home::{Home, config};
use crate::support::reply::{Reply, call, stream, text};
use crate::support::server::{MODEL, Server};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/acp")
}

/// Answers the last prompt, which contains the name of the answer.
fn answer(messages: &Value) -> Reply {
    let messages = messages.as_array().expect("a list of messages");
    let names = |message: &&Value| message["role"] == "user" && message.to_string().contains("BENCH:");
    let prompt = messages
        .iter()
        .rev()
        .find(names)
        .map(Value::to_string)
        .unwrap_or_default();
    if messages.last().is_some_and(|message| message["role"] == "tool") {
        return text("Done.");
    }
    let name = prompt.split("BENCH:").last().and_then(|rest| rest.split(' ').next());
    match name {
        Some("edit") => call("edit", json!({"path": "a.txt", "old": "one", "new": "two"})),
        Some("cmd") => call(
            "bash",
            json!({"command": "echo from the command > made.txt && cat made.txt"}),
        ),
        Some("mcp") => call("probe__echo", json!({"text": "through the client's server"})),
        Some("long") => stream().says("word0 ").falls_silent(),
        _ => text("Hello."),
    }
}

struct Replay {
    home: Home,
    names: BTreeMap<String, String>,
}

impl Replay {
    fn new(server: &Server) -> Self {
        server.model(|request| Some(answer(&request.body["messages"])));
        let home = Home::bare();
        let mut settings = config(&server.base_url());
        settings["provider"]["kit"]["models"] = json!({ MODEL: {"context": 100_000, "output": 4_000, "vision": true} });
        home.configure(&settings);
        home.file("a.txt", "one\n");
        let names = [("PROJECT", home.project()), ("DATA", data())];
        let names = names.map(|(name, path)| (name.to_owned(), path.display().to_string()));
        Self {
            names: names.into(),
            home,
        }
    }

    fn filled(&self, message: &Value) -> Value {
        let mut text = message.to_string();
        for (name, value) in &self.names {
            text = text.replace(name, value);
        }
        serde_json::from_str(&text).expect("a message")
    }

    fn send(&self, editor: &Editor, message: &Value) {
        let message = self.filled(message);
        match message["method"].as_str() {
            Some(method) if message.get("id").is_some() => {
                editor.request_as(&message["id"], method, message["params"].clone());
            }
            _ => editor.send(&message),
        }
    }

    /// Waits for the agent's message that corresponds to a recorded message.
    fn expect(&mut self, editor: &Editor, recorded: &Value) {
        let recorded = &self.filled(recorded);
        let Some(method) = recorded["method"].as_str() else {
            return self.expect_response(editor, recorded);
        };
        let found = editor.wait_for(&recorded.to_string(), |message| {
            let same = |path: &str| message.pointer(path) == recorded.pointer(path);
            let parts = ["sessionUpdate", "status", "kind", "rawInput", "currentModeId"];
            message["method"] == method
                && same("/id")
                && parts.iter().all(|part| same(&format!("/params/update/{part}")))
        });
        if method == "session/request_permission" {
            assert_eq!(found["params"]["options"], recorded["params"]["options"]);
        }
        if method == "fs/write_text_file" {
            let path = found["params"]["path"].as_str().expect("a path");
            std::fs::write(path, found["params"]["content"].as_str().expect("a text")).expect("a saved file");
        }
    }

    fn expect_response(&mut self, editor: &Editor, recorded: &Value) {
        let response = editor.response(&recorded["id"]);
        assert_eq!(response["error"]["code"], recorded["error"]["code"], "{response}");
        assert_eq!(response["result"]["stopReason"], recorded["result"]["stopReason"]);
        let name = recorded["result"]["sessionId"].as_str();
        if let (Some(name), Some(session)) = (name, response["result"]["sessionId"].as_str()) {
            self.names.insert(name.to_owned(), session.to_owned());
        }
    }

    fn play(&mut self, transcript: &str) {
        let mut editor = None;
        for line in transcript.lines() {
            let line: Value = serde_json::from_str(line).expect("a line of a transcript");
            let message = &line["message"];
            if message["method"] == "initialize" {
                if let Some(before) = editor.take() {
                    Editor::leave(before);
                }
                editor = Some(Editor::open(&self.home, &[]));
            }
            let editor = editor.as_ref().expect("the client begins with `initialize`");
            // The transcript has the answers to requests for files.
            editor.edits(&self.home.path("a.txt"), "", Saves::Silent);
            match line["from"].as_str() {
                Some("client") => self.send(editor, message),
                _ => self.expect(editor, message),
            }
        }
        editor.expect("a client").leave();
    }
}

/// Replays a transcript. Returns the home, so that the test can check its files.
fn replay(name: &str) -> Home {
    let server = Server::start();
    let mut replay = Replay::new(&server);
    let path = data().join("clients").join(name);
    replay.play(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    replay.home
}

#[test]
fn real_clients_prompt_edit_run_cancel_load_switch_modes_and_bring_servers_and_images() {
    let mut played = 0;
    let mut names: Vec<_> = std::fs::read_dir(data().join("clients"))
        .expect("transcripts")
        .map(|entry| entry.expect("a transcript").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for name in names {
        println!("{name}");
        let home = replay(&name);
        let text = home.read("a.txt");
        let is_edited = name.contains("edit-approved") || name.contains("edit-through-editor");
        assert_eq!(text, if is_edited { "two\n" } else { "one\n" }, "{name}");
        played += 1;
    }
    assert!(played > 20, "{played} transcripts");
}
