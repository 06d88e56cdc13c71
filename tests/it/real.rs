//! Tests with real model servers. A variable such as `BENCHDOG_REAL_VLLM=http://127.0.0.1:8000/v1` gives the address of
//! each.
//!
//! `tests/it/real/README.md` explains how to start the servers. A model with random weights is sufficient, because few
//! tests depend on its text. If a test needs a call, the server is forced to produce one.

mod litellm;
mod llama;
mod mcp;
mod mcp_http;
mod mcp_oauth;
mod mcp_scenarios;
mod smollm;
mod vllm;

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::process::Finished;

const ENDPOINT: &str = "real";
/// File that forced calls read, and its number of lines.
const NOTES: &str = "notes.txt";
const LINES: u64 = 200;
/// Timeout of a turn. On a CPU, a mid-size model processes a few thousand tokens a minute.
const PATIENCE: Duration = Duration::from_secs(600);

struct Real {
    base_url: String,
    model: String,
    key: Option<String>,
}

impl Real {
    /// Uses the server in the variable. The model is its first one, or the one in `BENCHDOG_REAL_MODEL`.
    fn named_by(variable: &str) -> Self {
        let base_url = told(variable).unwrap_or_else(|| panic!("{variable} names no server"));
        let mut real = Self {
            base_url,
            model: String::new(),
            key: told("BENCHDOG_REAL_KEY"),
        };
        let first = || real.get("/v1/models")["data"][0]["id"].as_str().map(str::to_owned);
        real.model = told("BENCHDOG_REAL_MODEL").or_else(first).expect("a model");
        real
    }

    fn url(&self, path: &str) -> String {
        let root = self.base_url.trim_end_matches('/').trim_end_matches("/v1");
        format!("{root}{path}")
    }

    fn get(&self, path: &str) -> Value {
        serde_json::from_str(&self.page(path)).expect("an answer in JSON")
    }

    fn page(&self, path: &str) -> String {
        said(client().get(self.url(path)), self.key.as_deref())
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let request = client().post(self.url(path)).header("content-type", "application/json");
        let said = said(request.body(body.to_string()), self.key.as_deref());
        serde_json::from_str(&said).expect("an answer in JSON")
    }

    fn home(&self, mut settings: Value) -> Home {
        let home = Home::bare();
        if settings["output"].is_null() {
            settings["output"] = json!(400);
        }
        home.configure(&json!({
            "model": format!("{ENDPOINT}/{}", self.model),
            "provider": {ENDPOINT: {"base_url": self.base_url, "models": {&self.model: settings}}},
        }));
        let lines = (1..=LINES).map(|number| format!("line {number} of the notes\n"));
        home.file(NOTES, &lines.collect::<String>());
        match &self.key {
            Some(key) => home.env("BENCHDOG_API_KEY", key),
            None => home,
        }
    }
}

/// Forces the server to answer with a valid call of `read`. Random weights tend to repeat themselves or to produce
/// blanks. So the calls vary, and repetition is penalised.
fn forced_read() -> Value {
    let one_of = |most: u64| json!({"type": "integer", "enum": (1..=most).collect::<Vec<_>>()});
    let parameters = json!({
        "type": "object",
        "properties": {"path": {"type": "string", "enum": [NOTES]}, "offset": one_of(LINES), "limit": one_of(3)},
        "required": ["path", "offset", "limit"],
        "additionalProperties": false,
    });
    let read = json!({"name": "read", "description": "Reads a file.", "strict": true, "parameters": parameters});
    let tools = json!([{"type": "function", "function": read}]);
    json!({"tools": tools, "tool_choice": "required", "parallel_tool_calls": false, "frequency_penalty": 2})
}

fn ask(home: &Home, arguments: &[&str]) -> Finished {
    let arguments = [&["run", "--output", "stream-json"], arguments].concat();
    home.start(&arguments, None).wait_within(PATIENCE)
}

fn go_on(home: &Home) -> Finished {
    let run = ask(home, &["--continue", "--max-steps", "10", "Go on."]);
    let ended = run.events("tool_finished");
    assert!(
        ended.len() >= 10 && ended.iter().all(|call| call["status"] == "ok"),
        "{run}"
    );
    assert_eq!(run.events("turn_finished")[0]["steps"], 10, "{run}");
    run
}

fn long_prompt() -> String {
    let numbers: String = (0..800).map(|number| format!("{number} ")).collect();
    format!("What is in the notes? {numbers}")
}

/// Returns the prompt tokens of the turn, and the number of cached ones.
#[track_caller]
fn usage(run: &Finished) -> (u64, u64) {
    let ended = run.events("turn_finished");
    let usage = &ended.first().unwrap_or_else(|| panic!("no turn ended\n{run}"))["usage"];
    let count = |key: &str| usage[key].as_u64().unwrap_or_default();
    (count("prompt"), count("cached"))
}

#[track_caller]
#[expect(clippy::print_stderr, reason = "a measurement for who runs it by hand")]
fn assert_reused(read: u64, reused: u64) {
    eprintln!("reused {reused} of {read} tokens: {:.1} %", percent(reused, read));
    assert!(read > 0 && reused * 100 >= read * 90, "{reused} of {read}");
}

#[expect(clippy::cast_precision_loss, reason = "a share for people to read")]
fn percent(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole as f64
}

#[expect(clippy::disallowed_methods, reason = "variables of the test run, not of benchdog")]
fn told(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|told| !told.is_empty())
}

fn client() -> reqwest::Client {
    // The provider is installed once per process. Ignore an existing one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().expect("a client")
}

fn said(request: reqwest::RequestBuilder, key: Option<&str>) -> String {
    let request = match key {
        Some(key) => request.bearer_auth(key),
        None => request,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let said = runtime
        .expect("a runtime")
        .block_on(async { request.send().await?.error_for_status()?.text().await });
    said.unwrap_or_else(|error| panic!("{error}"))
}
