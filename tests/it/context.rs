//! Tests that a full context window never ends a session. Outputs are truncated, turns are summarised, and important
//! text stays.

mod asked;
mod earlier;
mod kills;
mod resumed;
mod room;
mod summaries;
mod turns;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::server::{MODEL, Server};

/// Context window in tokens, and its part for the answer.
const WINDOW: u64 = 16_000;
const OUTPUT: u64 = 4_000;
const ROOM: u64 = WINDOW - OUTPUT;

fn settings(server: &Server, window: u64, output: u64) -> Value {
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"] = json!({ MODEL: {"context": window, "output": output} });
    settings["permission"] = json!({"edit": "allow"});
    settings["validation"] = json!({"auto": false});
    settings
}

fn home(server: &Server) -> Home {
    let home = Home::bare();
    home.configure(&settings(server, WINDOW, OUTPUT));
    home
}

/// Returns an answer that truncation of outputs does not shrink.
fn long(topic: &str) -> String {
    (0..120)
        .map(|line| format!("{topic}: thought number {line} of many. "))
        .collect()
}
