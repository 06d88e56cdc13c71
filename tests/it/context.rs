//! A window that fills never ends a session: outputs are shortened, turns are summarised, and what matters stays.

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

/// The window, and what of it is left for requests.
const WINDOW: u64 = 16_000;
const OUTPUT: u64 = 4_000;
const ROOM: u64 = WINDOW - OUTPUT;

/// The configuration of a model with this window; edits need no person.
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

/// An answer that no shortening of outputs makes smaller.
fn long(topic: &str) -> String {
    (0..120)
        .map(|line| format!("{topic}: thought number {line} of many. "))
        .collect()
}
