//! Behaviour of the test server in a tool call.

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::offers;
use super::peer::{Peer, aside};
use crate::images::PIXEL;

impl Peer {
    pub fn calls(&mut self, id: &Value, params: &Value) {
        let text = params["arguments"]["text"].as_str().unwrap_or_default().to_owned();
        let content = |text: &str| json!({"content": [{"type": "text", "text": text}]});
        match params["name"].as_str().unwrap_or_default() {
            "wait" => {}
            "work" => {
                let token = &params["_meta"]["progressToken"];
                for done in 1..=3 {
                    self.send(&json!({"jsonrpc": "2.0", "method": "notifications/progress",
                        "params": {"progressToken": token, "progress": done, "total": 3, "message": "step"}}));
                    std::thread::sleep(Duration::from_millis(700));
                }
                self.answer(id, &content("worked"));
            }
            "data" if text == "hologram" => self.answer(id, &offers::hologram()),
            "data" => self.answer(
                id,
                &json!({
                    "content": [{"type": "resource_link", "uri": "file:///a.txt", "name": "a.txt"}],
                    "structuredContent": {"answer": 42}
                }),
            ),
            "fails" => self.answer(
                id,
                &json!({"content": [{"type": "text", "text": "it is locked"}], "isError": true}),
            ),
            "environment" => {
                #[expect(clippy::disallowed_methods, reason = "what the server was given")]
                let all: Vec<String> = std::env::vars()
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect();
                self.answer(id, &content(&all.join("\n")));
            }
            "picture" if text == "flawed" => self.answer(id, &flawed()),
            "picture" => self.answer(
                id,
                &json!({"content": [{"type": "image", "mimeType": "image/png", "data": BASE64_STANDARD.encode(PIXEL)}]}),
            ),
            "form" => self.asks_form(id, &text),
            "album" => {
                let image = |at: u8| {
                    let bytes = [PIXEL, &[at]].concat();
                    json!({"type": "image", "mimeType": "text/html\u{1b}[2J", "data": BASE64_STANDARD.encode(bytes)})
                };
                let mut content: Vec<Value> = (0..10).map(image).collect();
                content.push(json!({"type": "image", "mimeType": "image/png", "data": "***"}));
                content.push(json!({"type": "audio", "mimeType": "audio/wav", "data": "UklGRg=="}));
                self.answer(id, &json!({"content": content}));
            }
            "tells a secret" => {
                aside("connecting with token-of-the-tests-4711");
                let much = format!("token-of-the-tests-4711 {}", "0123456789".repeat(5_000));
                self.answer(id, &content(&much));
            }
            "huge" => self.answer(id, &content(&"0123456789".repeat(5_000_000))),
            "dies" => {
                aside("out of memory");
                std::process::exit(9);
            }
            _ if self.is("floods") => {
                for at in 0..20_000 {
                    self.send(&json!({"jsonrpc": "2.0", "method": "notifications/message",
                        "params": {"level": "info", "data": format!("line {at}")}}));
                }
                self.answer(id, &content(&text));
            }
            "echo" if self.is("asks without end") => {
                for at in 0..5_000 {
                    self.send(&json!({"jsonrpc": "2.0", "id": format!("p{at}"), "method": "ping"}));
                }
                self.answer(id, &content(&text));
            }
            "echo" if self.is("changes") || self.is("resources that change") => {
                let what = if self.is("changes") { "tools" } else { "resources" };
                self.send(&json!({"jsonrpc": "2.0", "method": format!("notifications/{what}/list_changed")}));
                self.answer(id, &content(&text));
            }
            "echo" if self.is("asks") => {
                self.send(&json!({"jsonrpc": "2.0", "id": "s", "method": "sampling/createMessage",
                    "params": {"messages": [], "maxTokens": 10}}));
                self.send(&json!({"jsonrpc": "2.0", "id": "e", "method": "elicitation/create",
                    "params": {"message": "your password?", "requestedSchema": {"type": "object", "properties": {}}}}));
                self.answer(id, &content(&text));
            }
            _ => self.answer(id, &content(&format!("{text}\u{1b}[31m!"))),
        }
    }

    /// Sends a form. If requested, withdraws it before the call continues.
    fn asks_form(&mut self, id: &Value, which: &str) {
        self.waits = id.clone();
        let asked = offers::form(which);
        self.send(&json!({"jsonrpc": "2.0", "id": "form", "method": "elicitation/create", "params": asked}));
        if self.is("withdraws") {
            self.waits_to_withdraw();
            let params = json!({"requestId": "form", "reason": "too late"});
            self.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
            self.waits_to_withdraw();
            self.answer(id, &json!({"content": [{"type": "text", "text": "withdrawn"}]}));
        }
    }
}

/// Returns images. A model server would accept only one.
fn flawed() -> Value {
    let image =
        |media: &str, bytes: &[u8]| json!({"type": "image", "mimeType": media, "data": BASE64_STANDARD.encode(bytes)});
    let wide = b"GIF89a\x28\x23\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    json!({"content": [
        image("image/png", &PIXEL[..40]),
        image("image/gif", wide),
        image("image/jpeg", PIXEL),
        image("image/png", b"words"),
    ]})
}
