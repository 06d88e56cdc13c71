//! Test MCP server, whose behaviour is set by an environment variable. It is this test binary, started again for one of
//! its tests.
//!
//! The server writes to a separate file descriptor, because the test harness prints to stdout.

use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::offers;
use crate::support::home::{Home, config};
use crate::support::server::Server;

/// Name of the variable with the behaviour.
const BEHAVES: &str = "PEER_BEHAVES";
/// Name of the variable with the path for a copy of each received message.
const NOTES: &str = "PEER_NOTES";

pub fn server(home: &Home, behaves: &str) -> Value {
    let own = std::env::current_exe().expect("the test program");
    let starts = "exec \"$0\" --exact mcp::peer::speaks --ignored --nocapture --test-threads=1 3>&1 >/dev/null";
    json!({
        "command": ["sh", "-c", starts, own.to_string_lossy()],
        "environment": {BEHAVES: behaves, NOTES: home.outside().join("notes").to_string_lossy()},
        "timeout_ms": 20_000,
    })
}

pub fn home(server: &Server, servers: &[(&str, &str)]) -> Home {
    let home = Home::bare();
    home.configure(&configuration(&home, server, servers));
    home
}

pub fn configuration(home: &Home, model: &Server, servers: &[(&str, &str)]) -> Value {
    let mut whole = config(&model.base_url());
    for (name, behaves) in servers {
        whole["mcp"][name] = self::server(home, behaves);
    }
    whole
}

/// Lets a server that withdraws its form continue.
pub fn goes_on(home: &Home) {
    std::fs::write(home.outside().join("notes.go"), "").expect("a sign for the server");
}

/// Returns the messages received so far, one per line.
pub fn notes(home: &Home) -> String {
    std::fs::read_to_string(home.outside().join("notes")).unwrap_or_default()
}

#[test]
#[ignore = "it is started by other tests, as their server"]
fn speaks() {
    #[expect(clippy::disallowed_methods, reason = "what the test that started it has said")]
    let told = |name| std::env::var(name).unwrap_or_default();
    let behaves = told(BEHAVES);
    if !behaves.is_empty() {
        Peer {
            behaves,
            notes: told(NOTES),
            says: OpenOptions::new()
                .write(true)
                .open("/dev/fd/3")
                .expect("a way to speak"),
            round: 0,
            waits: Value::Null,
        }
        .serve();
    }
}

pub struct Peer {
    behaves: String,
    notes: String,
    says: std::fs::File,
    round: u32,
    /// Id of the tool call that waits for the person's answer.
    pub waits: Value,
}

impl Peer {
    fn serve(mut self) {
        self.begins();
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            self.note(&line);
            let message: Value = serde_json::from_str(&line).expect("a client that writes JSON");
            let id = message["id"].clone();
            match message["method"].as_str().unwrap_or_default() {
                "initialize" => {
                    let mut capabilities = json!({"tools": {"listChanged": true}});
                    for offers in ["prompts", "resources"] {
                        if self.behaves.starts_with(offers) {
                            capabilities[offers] = json!({"listChanged": true});
                        }
                    }
                    capabilities["completions"] = json!({});
                    self.answer(
                        &id,
                        &json!({
                            "protocolVersion": match self.is("speaks another revision") {
                                true => json!("1999-01-01"),
                                false => message["params"]["protocolVersion"].clone(),
                            },
                            "capabilities": capabilities,
                            "serverInfo": {"name": "peer", "version": "1"},
                        }),
                    );
                }
                "prompts/list" => self.answer(&id, &offers::prompts(&self.behaves)),
                "prompts/get" => self.makes(&id, &message["params"]["arguments"]),
                "completion/complete" => self.completes(&id, &message["params"]),
                "resources/list" => self.holds(&id),
                "resources/templates/list" => self.answer(&id, &offers::templates()),
                "resources/read" => self.reads(&id, &message["params"]),
                "notifications/initialized" => self.asks_at_once(),
                "tools/list" => self.lists(&id),
                "tools/call" => self.calls(&id, &message["params"]),
                _ if message.get("method").is_none() && id == "form" => {
                    let told = json!([{"type": "text", "text": message["result"].to_string()}]);
                    let waits = self.waits.take();
                    self.answer(&waits, &json!({"content": told}));
                }
                _ if id.is_null() || message.get("method").is_none() => {}
                method => {
                    let told = format!("no {method} here");
                    self.send(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": told}}));
                }
            }
        }
    }

    pub fn is(&self, behaviour: &str) -> bool {
        self.behaves == behaviour
    }

    fn begins(&mut self) {
        match self.behaves.as_str() {
            "silent" => std::thread::sleep(Duration::from_secs(600)),
            "dies at start" => {
                aside("\u{1b}[31mno such database\u{1b}[0m");
                std::process::exit(7);
            }
            "garbage" => loop {
                self.raw("Welcome to the server! \u{1b}[2J\n");
                std::thread::sleep(Duration::from_millis(20));
            },
            "noisy" => self.raw("starting on port 3000\n\n{\"not\": \"a message\"}\n"),
            "leaves a child" => {
                let left = Command::new("sh")
                    .args(["-c", "sleep 61.0451"])
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn();
                drop(left);
            }
            _ => {}
        }
    }

    fn asks_at_once(&mut self) {
        if self.is("asks") {
            self.send(&json!({"jsonrpc": "2.0", "id": "r", "method": "roots/list"}));
        }
    }

    fn lists(&mut self, id: &Value) {
        self.round += 1;
        if self.is("dies at list") {
            aside("cannot list");
            std::process::exit(8);
        }
        let tools = match self.behaves.as_str() {
            other if offers::hostile(other).is_some() => offers::hostile(other).unwrap_or_default(),
            "pages without end" => vec![tool(&format!("page_{}", self.round), "one of many")],
            "more than are taken" => (0..2_001).map(|at| tool(&format!("t{at}"), "one of many")).collect(),
            "changes" if self.round > 1 => vec![tool("echo", "says it again"), tool("late", "came later")],
            _ => [
                "echo",
                "wait",
                "work",
                "data",
                "fails",
                "environment",
                "picture",
                "album",
                "form",
                "huge",
                "dies",
                "tells a secret",
            ]
            .map(|name| tool(name, "a tool of the peer"))
            .to_vec(),
        };
        let mut page = json!({"tools": tools});
        if self.is("pages without end") {
            page["nextCursor"] = json!("on");
        }
        self.answer(id, &page);
    }

    fn makes(&mut self, id: &Value, arguments: &Value) {
        if !self.is("prompts that never come") {
            self.answer(id, &offers::messages(arguments));
        }
    }

    fn completes(&mut self, id: &Value, params: &Value) {
        if !self.is("prompts that never come") {
            self.answer(
                id,
                &json!({"completion": {"values": offers::values(&self.behaves, params)}}),
            );
        }
    }

    fn holds(&mut self, id: &Value) {
        if !self.is("resources never listed") {
            let at = self.round;
            self.answer(id, &offers::resources(&self.behaves, at));
        }
    }

    fn reads(&mut self, id: &Value, params: &Value) {
        match offers::contents(params["uri"].as_str().unwrap_or_default()) {
            Some(Value::Null) => {}
            Some(contents) => self.answer(id, &json!({"contents": contents})),
            None => {
                let error = json!({"code": -32002, "message": "no such\u{1b}[2J note"});
                self.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
            }
        }
    }

    /// Waits for a file that the test creates.
    pub fn waits_to_withdraw(&self) {
        let go = format!("{}.go", self.notes);
        while std::fs::remove_file(&go).is_err() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn answer(&mut self, id: &Value, result: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }

    pub fn send(&mut self, message: &Value) {
        self.raw(&format!("{message}\n"));
    }

    fn raw(&mut self, text: &str) {
        if self.says.write_all(text.as_bytes()).is_err() {
            std::process::exit(0);
        }
    }

    fn note(&self, line: &str) {
        let notes = OpenOptions::new().append(true).create(true).open(&self.notes);
        let _ = notes.and_then(|mut notes| writeln!(notes, "{line}"));
    }
}

pub fn aside(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

pub fn tool(name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string", "description": "what it is about"}}},
        "annotations": {"readOnlyHint": true}
    })
}
